// Parameters of wrappers, followed to every caller; kernel and value of one
// caller stay together.
// RUN: %plan %s | FileCheck %s
__global__ void a(int *) {}
__global__ void b(float *) {}
static void set(const void *kernel, size_t bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
template <class F> void outer(F *kernel, int count) {
  set((const void *)kernel, count * 1024);
}
void go() {
  outer(a, 10);
  outer(b, 20);
}
// CHECK: symbol: _Z1aPi
// CHECK: max_dynamic_shared_size_bytes: 10240{{$}}
// CHECK: symbol: _Z1bPf
// CHECK: max_dynamic_shared_size_bytes: 20480{{$}}
// CHECK-NOT: unresolved:
