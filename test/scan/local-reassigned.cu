// What an assignment hides is not seen behind it.
// RUN: %plan %s | FileCheck %s
__global__ void a(int *) {}
__global__ void b(int *) {}
void go() {
  auto kernel = a;
  int bytes = 1000;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel = b;
  bytes = 2000;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
// CHECK: symbol: _Z1aPi
// CHECK: max_dynamic_shared_size_bytes: 1000{{$}}
// CHECK: symbol: _Z1bPi
// CHECK: max_dynamic_shared_size_bytes: 2000{{$}}
