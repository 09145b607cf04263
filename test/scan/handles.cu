// Other handles of a kernel lead back to it.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
template <int N> __global__ void k(int *) {}
void go() {
  cudaKernel_t kernel;
  cudaGetKernel(&kernel, (const void *)k<1>);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
  cudaFunction_t function;
  cudaGetFuncBySymbol(&function, (const void *)k<2>);
  cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2);
  CUfunction third;
  cuKernelGetFunction(&third, kernel);
  cuFuncSetAttribute(third, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 3);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: max_dynamic_shared_size_bytes: 1{{$}}
// CHECK: preferred_shared_memory_carveout: 3
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: max_dynamic_shared_size_bytes: 2{{$}}
// CHECK-NOT: unresolved:
