//===- Kernels.h - The probe's own device code ----------------------------===//
//
// Part of kplan. PTX text, so that neither building nor running the probe needs
// nvcc. A preparing process has the driver compile each text once; the rows
// load cubins, since compiling is a cost of its own.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_KERNELS_H
#define KPLAN_PROBE_KERNELS_H

#include <cstddef>
#include <string>

namespace kplan::probe {

enum class Text {
  Hold,      ///< The neighbour's kernel.
  Program,   ///< The library whose first use is measured.
  LocalMore, ///< A kernel with a larger stack frame than any of Program's.
  LocalLess, ///< One with a smaller frame than Program's big_local.
  Printf,    ///< A kernel with a printf that it never reaches.
  Malloc,    ///< The same for malloc.
  Parent,    ///< A kernel that launches another one; needs libcudadevrt.a.
};
inline constexpr size_t TextCount = 7;

/// Its kernel is called `cure` in the last five, `parent` in Parent.
std::string ptxOf(Text Which);

/// The stand-in driver of the tests takes `_Z4hold*` for a kernel that runs.
inline constexpr const char *HoldSymbol = "_Z4holdPViyS0_S0_";

} // namespace kplan::probe

#endif // KPLAN_PROBE_KERNELS_H
