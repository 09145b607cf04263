//===- Runtime.h - The stand-in CUDA runtime's own state ------------------===//
//
// Part of kplan's tests: what an nvcc-compiled program needs of libcudart, on
// top of whatever libcuda.so.1 is there, found as the real runtime finds it:
// dlopen, cuGetProcAddress, everything else by that. Libraries are loaded on
// the first use of any kernel of theirs; with CUDA_MODULE_LOADING=EAGER all of
// them when the context is made.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_STANDIN_CUDART_RUNTIME_H
#define KPLAN_STANDIN_CUDART_RUNTIME_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <string>

namespace standin::cudart {

/// The driver's function of that name and type; null where there is none.
void *driverFunction(const char *Name);

/// DRIVER(cuInit)(0): the newest variant of a driver function.
#define DRIVER(Name)                                                           \
  (reinterpret_cast<decltype(&Name)>(standin::cudart::driverFunction(#Name)))

/// Keeps the error for cudaGetLastError; the numbers are the driver's.
cudaError_t result(CUresult R);
cudaError_t result(cudaError_t E);

/// The first use of the runtime: cuInit, the primary context of the thread's
/// device, current where nothing else is.
cudaError_t start();
/// The calling thread's device, as cudaSetDevice chose it.
int &threadDevice();

/// Eager loading: loads all that has been registered.
void loadAll();

/// The driver's handles of what was registered; loads the library.
cudaError_t kernelOf(const void *Stub, CUkernel &Out);
cudaError_t libraryOfVariable(const void *Variable, CUlibrary &Out,
                              std::string &Name);
/// A cudaKernel_t passes as itself.
cudaError_t functionOf(const void *Stub, CUfunction &Out);

} // namespace standin::cudart

#endif // KPLAN_STANDIN_CUDART_RUNTIME_H
