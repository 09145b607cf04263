//===- Ptx.h - Kernels and variables of PTX text --------------------------===//
//
// Part of kplan. Reads declarations and calls from PTX as nvcc, NVRTC and
// other compilers write it; instructions are skipped.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_PTX_H
#define KPLAN_IMAGE_PTX_H

#include "image/ByteView.h"
#include "image/Code.h"
#include "plan/Diagnostic.h"

#include <optional>
#include <string_view>

namespace kplan::image {

/// The length of the PTX text that \p Bytes begin with, up to its NUL or the
/// end; none when they are not PTX. White space and comments may come first.
std::optional<size_t> ptxSize(ByteView Bytes);

/// Local memory is the sum of the .local variables of a kernel and of the
/// functions it calls: ptxas may need more (spills) or less.
Result<Code> readPtx(std::string_view Text);

/// The architecture of the `.target` directive ("sm_90a"); empty: there is
/// none.
std::string_view ptxTarget(std::string_view Text);

} // namespace kplan::image

#endif // KPLAN_IMAGE_PTX_H
