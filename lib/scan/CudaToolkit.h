//===- CudaToolkit.h - Find a CUDA toolkit --------------------------------===//
//
// Part of kplan. A toolkit from NVIDIA's installer, a distribution, conda, or
// the wheels of PyPI (one folder `nvidia/cu13`, or for CUDA 12 the folders
// `nvidia/cuda_runtime` and its siblings). Nothing is run: versions are read
// from files.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_CUDATOOLKIT_H
#define KPLAN_SCAN_CUDATOOLKIT_H

#include "scan/HostSystem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

struct CudaToolkit {
  std::string Root;                        ///< Absolute.
  std::vector<std::string> IncludeFolders; ///< That of cuda.h first.
  std::string CcclFolder; ///< include/cccl since CUDA 13, else empty.
  unsigned Major = 0;
  unsigned Minor = 0;
  unsigned Build = 0;             ///< Of nvcc; 0 where it cannot be told.
  bool ClangFindsHeaders = false; ///< --cuda-path=Root is enough for clang.

  std::string version() const; ///< "13.0"
};

/// The toolkit below `Root`; nothing when there is no cuda.h.
/// `Target`: the folder below `targets/`, empty for this machine's.
std::optional<CudaToolkit> openCudaToolkit(const std::string &Root,
                                           const HostSystem &System,
                                           std::string_view Target = {});

/// The toolkit that an nvcc belongs to, through links and wrapper scripts.
std::optional<CudaToolkit> toolkitOfNvcc(const std::string &Nvcc,
                                         const HostSystem &System,
                                         std::string_view Target = {});

/// As CMake finds it: CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH, nvcc on PATH,
/// /usr/local/cuda, the newest /usr/local/cuda-*, /opt/cuda.
std::optional<CudaToolkit> findCudaToolkit(const HostSystem &System);

} // namespace kplan::scan

#endif // KPLAN_SCAN_CUDATOOLKIT_H
