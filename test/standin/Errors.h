//===- Errors.h - Names of the driver's errors ----------------------------===//

#ifndef KPLAN_STANDIN_ERRORS_H
#define KPLAN_STANDIN_ERRORS_H

#include <cuda.h>
#include <string>

namespace standin {

/// Null for a number that is no error of the driver's.
const char *errorName(CUresult Error);
/// CUDA_SUCCESS where there is no error of that name.
CUresult errorByName(const std::string &Name);

} // namespace standin

#endif // KPLAN_STANDIN_ERRORS_H
