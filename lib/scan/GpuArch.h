//===- GpuArch.h - Names of GPU architectures -----------------------------===//
//
// Part of kplan. nvcc's names of architectures, what a set of them means for
// __CUDA_ARCH_LIST__, and which one clang is told.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_GPUARCH_H
#define KPLAN_SCAN_GPUARCH_H

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

struct GpuArch {
  unsigned Number = 0; ///< 90 of sm_90a.
  char Suffix = 0;     ///< 'a' of sm_90a, 'f' of sm_100f, or 0.
  auto operator<=>(const GpuArch &) const = default;
};

/// "sm_90a", "compute_90", "lto_90"; nothing for other text.
std::optional<GpuArch> parseGpuArch(std::string_view Name);
/// Whether some release of nvcc has it, as far as kplan knows.
bool isKnownArch(GpuArch Arch);
/// "sm_90a".
std::string realArchName(GpuArch Arch);

/// The architectures of one compilation.
struct GpuArchSet {
  std::vector<GpuArch> Virtual; ///< What the front end is run for.
  std::vector<GpuArch> Code;    ///< What code is made for.

  bool empty() const { return Virtual.empty(); }
  /// "800,900": sorted, each once, whatever the suffixes.
  std::string archList() const;
  /// "sm_80", "sm_90a": sorted, each once.
  std::vector<std::string> names() const;
};

/// What `-arch=all` and `-arch=all-major` stand for in a release of nvcc.
std::vector<GpuArch> allArchs(unsigned CudaMajor, unsigned CudaMinor,
                              bool MajorOnly);
/// What nvcc compiles for when it is told nothing.
GpuArch defaultArch(unsigned CudaMajor);

/// The nearest architecture that clang knows. Host code sees none of it.
std::string clangArchName(GpuArch Arch);

} // namespace kplan::scan

#endif // KPLAN_SCAN_GPUARCH_H
