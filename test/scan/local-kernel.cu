// The kernel is in a local: a typed pointer, and a void pointer.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <int N> void run() {
  auto kernel = &k<N>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, N);
  const void *pointer = (const void *)kernel;
  cudaFuncSetAttribute(pointer, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
}
template void run<1000>();
// CHECK: symbol: _Z1kILi1000EEvPi
// CHECK: max_dynamic_shared_size_bytes: 1000
// CHECK: non_portable_cluster_size_allowed: 1
// CHECK-NOT: unresolved:
