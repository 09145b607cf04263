//===- Handles.h - Kernels of a library -----------------------------------===//

#ifndef KPLAN_STANDIN_HANDLES_H
#define KPLAN_STANDIN_HANDLES_H

#include "State.h"

namespace standin {

/// Does not make the handle known to the state.
Kernel *addKernel(Library &In, const kplan::image::KernelCode &Code);
/// In a library whose code cannot be read, every name is a kernel.
Kernel *findKernel(Library &In, const char *Name);

} // namespace standin

#endif // KPLAN_STANDIN_HANDLES_H
