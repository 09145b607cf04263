//===- Errors.cpp - The runtime's last error ------------------------------===//

#include "Runtime.h"

using namespace standin::cudart;

static thread_local cudaError_t Last = cudaSuccess;

namespace standin::cudart {

cudaError_t result(cudaError_t E) {
  if (E != cudaSuccess && E != cudaErrorNotReady)
    Last = E;
  return E;
}

cudaError_t result(CUresult R) { return result(static_cast<cudaError_t>(R)); }

} // namespace standin::cudart

extern "C" {

cudaError_t cudaPeekAtLastError(void) { return Last; }

cudaError_t cudaGetLastError(void) {
  const cudaError_t E = Last;
  Last = cudaSuccess;
  return E;
}

// The driver's names, since the numbers are the driver's too.
const char *cudaGetErrorName(cudaError_t E) {
  if (E == cudaErrorInvalidDeviceFunction)
    return "cudaErrorInvalidDeviceFunction";
  if (E == cudaErrorInvalidSymbol)
    return "cudaErrorInvalidSymbol";
  const char *Name = nullptr;
  if (DRIVER(cuGetErrorName)(static_cast<CUresult>(E), &Name) || !Name)
    return "unrecognized error code";
  return Name;
}

const char *cudaGetErrorString(cudaError_t E) { return cudaGetErrorName(E); }

} // extern "C"
