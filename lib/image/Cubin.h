//===- Cubin.h - Kernels and variables of a cubin -------------------------===//
//
// Part of kplan. Reads the symbol table and the .nv.info sections. The format
// is not documented; what is read here was checked against the output of
// cuobjdump and the driver's attributes for CUDA 13.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_CUBIN_H
#define KPLAN_IMAGE_CUBIN_H

#include "image/ByteView.h"
#include "image/Code.h"
#include "plan/Diagnostic.h"

namespace kplan::image {

/// Uses are found through calls that the cubin states: its call graph,
/// relocations and lists of external functions. A call through a pointer that
/// another kernel stored is not seen.
Result<Code> readCubin(ByteView Bytes);

} // namespace kplan::image

#endif // KPLAN_IMAGE_CUBIN_H
