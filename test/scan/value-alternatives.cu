// A condition that nobody can decide: either value.
// RUN: %plan %s | FileCheck %s
template <int> __global__ void k(int *) {}
static void set(const void *f, int n) {
  cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, n);
}
void go(int n, bool flag, int limit) {
  set((const void *)k<1>, n > 5 ? 1000 : 3000);
  set((const void *)k<2>, !flag ? 1000 : 2000);
  const int bytes = n > limit ? 8192 : 100;
  set((const void *)k<3>, bytes);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: max_dynamic_shared_size_bytes: 3000
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: max_dynamic_shared_size_bytes: 2000
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: max_dynamic_shared_size_bytes: 8192
