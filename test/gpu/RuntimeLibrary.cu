//===- RuntimeLibrary.cu - A library with its own CUDA runtime ------------===//
//
// Built twice: KPLAN_LIBRARY names the function, the kernels are the same.
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

namespace {

__device__ int Factor = 3;
__global__ void plain(int *Out) { *Out = 1; }
__global__ void shared(int *Out) {
  extern __shared__ int Words[];
  Words[threadIdx.x] = *Out;
  *Out = Words[0] * Factor;
}
template <int N> __global__ void sized(int *Out) { *Out = N; }

} // namespace

/// Returns a cudaError_t.
extern "C" __attribute__((visibility("default"))) int
KPLAN_LIBRARY(int Step, cudaStream_t Stream, int *Out) {
  switch (Step) {
  case 0:
    plain<<<1, 1, 0, Stream>>>(Out);
    break;
  case 1: {
    constexpr int Bytes = 96 << 10;
    if (cudaError_t Error = cudaFuncSetAttribute(
            shared, cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes))
      return Error;
    shared<<<1, 32, Bytes, Stream>>>(Out);
    break;
  }
  case 2:
    sized<128><<<1, 1, 0, Stream>>>(Out);
    break;
  default: {
    void *Address = nullptr;
    return cudaGetSymbolAddress(&Address, Factor);
  }
  }
  return cudaGetLastError();
}
