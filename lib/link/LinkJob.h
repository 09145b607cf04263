//===- LinkJob.h - From inputs to a checked cubin -------------------------===//
//
// Part of kplan. What is linked, for which architecture and how, is decided
// before the linker runs, so that a result that was made the same way can be
// used again; what comes out is checked. The option -kernels-used is never
// given: a name that is wrong would give an empty cubin, and success.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_LINK_LINKJOB_H
#define KPLAN_LINK_LINKJOB_H

#include "image/Arch.h"
#include "link/NvJitLink.h"

#include <optional>
#include <string>
#include <vector>

namespace kplan::link {

/// By content: PTX, LTO-IR, a cubin, a fatbin, a host object or archive.
Result<InputKind> identifyInput(image::ByteView Bytes);

/// Whether the linker must be told that there is LTO-IR, in objects and
/// fatbins too.
bool holdsLtoIr(const LinkInput &Input);

/// The kernels that inputs define, as far as that can be told: not those of
/// LTO-IR and of archives. Sorted, each once.
std::vector<std::string> definedKernels(const std::vector<LinkInput> &Inputs);

struct LinkJob {
  std::vector<LinkInput> Inputs;
  image::Arch Arch; ///< With the suffix that PTX inputs ask for.
  /// All that decides what comes out, the architecture included.
  std::vector<std::string> Options;
};

/// \param Options as linkOptions() gives them. An error where the inputs do not
///   go together, or cannot be compiled for \p Wanted.
Result<LinkJob> makeLinkJob(std::vector<LinkInput> Inputs, image::Arch Wanted,
                            std::vector<std::string> Options);

/// The names of a job's inputs, for a message.
std::string inputNames(const LinkJob &Job);

/// The cubin; nothing is checked yet.
Result<std::string> runLinkJob(const NvJitLink &Linker, const LinkJob &Job);

/// What is wrong with the result of a job: it must hold the kernels \p Planned
/// (sorted), and one at the least.
std::optional<Diagnostic> checkLinked(image::ByteView Cubin, const LinkJob &Job,
                                      const std::vector<std::string> &Planned);

} // namespace kplan::link

#endif // KPLAN_LINK_LINKJOB_H
