//===- Code.h - What device code holds ------------------------------------===//
//
// Part of kplan. Kernels and variables of one image, as read from a cubin
// (Cubin.h) or from PTX (Ptx.h).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_CODE_H
#define KPLAN_IMAGE_CODE_H

#include "plan/Plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::image {

struct KernelParameter {
  uint32_t Offset = 0;
  uint32_t Size = 0;
};

struct KernelCode {
  std::string Symbol;
  uint32_t Registers = 0;          ///< 0: not known (PTX).
  uint64_t LocalBytes = 0;         ///< Per thread, callees included.
  uint64_t StaticSharedBytes = 0;  ///< What the driver reserves not counted.
  uint32_t MaxThreadsPerBlock = 0; ///< 0: no bound was compiled in.
  std::array<uint32_t, 3> ClusterDims{}; ///< All 0: none was compiled in.
  std::vector<KernelParameter> Parameters;
  std::vector<Use> Uses; ///< Sorted, unique; through device functions too.
};

struct GlobalCode {
  std::string Symbol;
  uint64_t Size = 0;
  bool Constant = false;
  /// Where in the image its initial value stands; none: zero.
  std::optional<uint64_t> DataOffset;
};

struct Code {
  unsigned Arch = 0;               ///< 90 for sm_90 and sm_90a; 0: not known.
  std::vector<KernelCode> Kernels; ///< Sorted by symbol.
  std::vector<GlobalCode> Globals; ///< Sorted by symbol.
};

/// What calling device function \p Callee starts, if it is one of CUDA's own.
std::optional<Use> useOfCallee(std::string_view Callee);

} // namespace kplan::image

#endif // KPLAN_IMAGE_CODE_H
