// The kernel is a template argument, also one of a pack.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <void (*Kernel)(int *)> void typed() {
  cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
}
template <auto Kernel> struct Deduced {
  static void run() { Kernel<<<1, 1>>>(nullptr); }
};
template <auto... Kernels> void all() {
  (Kernels<<<1, 1>>>(nullptr), ...);
}
void go() {
  typed<k<1>>();
  Deduced<&k<2>>::run();
  all<k<3>, k<4>>();
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: symbol: _Z1kILi4EEvPi
// CHECK-NOT: unresolved:
