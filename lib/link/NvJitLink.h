//===- NvJitLink.h - NVIDIA's device linker, loaded when it is needed -----===//
//
// Part of kplan. libnvJitLink turns LTO-IR, PTX, cubins, fatbins and objects
// into one cubin. It comes with the CUDA toolkit or as a wheel, in a version of
// its own, and nothing is linked with it: it is looked for and opened here, and
// stays open as long as the process runs.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_LINK_NVJITLINK_H
#define KPLAN_LINK_NVJITLINK_H

#include "image/ByteView.h"
#include "plan/Diagnostic.h"

#include <memory>
#include <string>
#include <vector>

namespace kplan::link {

/// nvJitLinkInputType.
enum class InputKind : int {
  Cubin = 1,
  Ptx = 2,
  LtoIr = 3,
  Fatbin = 4,
  Object = 5,
  Library = 6,
};

struct LinkInput {
  InputKind Kind = InputKind::Ptx;
  image::ByteView Bytes; ///< Of PTX: the text without its NUL.
  std::string Name;      ///< A path, or whatever else tells people its origin.
};

/// Where libnvJitLink may be, in the order in which it is looked for. The last
/// resort is the system's loader.
struct LinkerPlaces {
  std::vector<std::string> Folders;
  bool Loader = true;
};

/// Of a given CUDA installation (a toolkit, or a folder with NVIDIA's wheels):
/// there alone. None given: those that the environment names (CUDA_HOME,
/// CUDA_PATH, a Python environment), the one that kplan was built with, and the
/// loader's.
LinkerPlaces linkerPlaces(const std::string &CudaPath);

class NvJitLink {
public:
  /// An error names every place that was looked at.
  static Result<NvJitLink> open(const LinkerPlaces &Places);

  /// "nvjitlink 13.0, build 157d67e6…": the same for the same linker.
  const std::string &name() const { return Name; }
  unsigned majorVersion() const { return Major; }

  /// One cubin of all inputs. An error carries the linker's log and the names
  /// of the inputs. \p Warnings receives what it logged beside a success.
  Result<std::string> link(const std::vector<std::string> &Options,
                           const std::vector<LinkInput> &Inputs,
                           std::string *Warnings = nullptr) const;

private:
  struct Functions;

  std::shared_ptr<const Functions> Call; ///< The library is never closed.
  std::string Name;
  unsigned Major = 0;
};

} // namespace kplan::link

#endif // KPLAN_LINK_NVJITLINK_H
