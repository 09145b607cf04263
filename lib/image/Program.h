//===- Program.h - The device code of a program or library ----------------===//
//
// Part of kplan. Lists what device code a file holds: an executable, a shared
// library or an object that nvcc made, or a cubin, fatbin or PTX by itself. For
// tools: it unpacks compressed code.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_PROGRAM_H
#define KPLAN_IMAGE_PROGRAM_H

#include "image/Code.h"
#include "plan/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kplan::image {

/// The code for one architecture in one fatbin.
struct ProgramUnit {
  uint64_t Offset = 0;  ///< Of the fatbin in the file.
  std::string ArchName; ///< "sm_90a", "compute_90".
  uint64_t Bytes = 0;   ///< In the file, perhaps compressed.
  image::Code Code;
};

struct ProgramCode {
  std::string Path;
  std::string BuildId; ///< Empty: none.
  std::vector<ProgramUnit> Units;
  /// Entries whose kernels cannot be listed, and why the first cannot.
  size_t Unread = 0;
  std::string WhyUnread;
};

/// \param Arch only what a device of this compute capability would take (90
///   for 9.0); none: everything. A file without device code is no error, a file
///   that is neither a program nor device code is.
Result<ProgramCode> readProgramCode(const std::string &Path,
                                    std::optional<unsigned> Arch = {});

/// Whether a file is one that readProgramCode() reads, by its beginning.
bool looksLikeProgram(const std::string &Path);

} // namespace kplan::image

#endif // KPLAN_IMAGE_PROGRAM_H
