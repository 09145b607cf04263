// Kernels in template arguments and packs, and functions named to macros.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
__global__ void plain(int *) {}
template <auto... Kernels> void each(int *p) { (Kernels<<<1, 1>>>(p), ...); }
template <void (*K)(int *)> struct Holder { static void go(int *p) { K<<<1, 1>>>(p); } };
template <class... F> void all(int *p, F... f) { (f<<<1, 1>>>(p), ...); }
#define CALL(function, ...) function(__VA_ARGS__)
#define LAUNCH(name, n) name<n><<<1, 1>>>
void go(int *p) {
  each<&k<1>, &k<2>>(p);
  Holder<k<3>>::go(p);
  all(p, k<4>, plain);
  CALL(cudaFuncSetAttribute, k<5>, cudaFuncAttributeMaxDynamicSharedMemorySize, 5000);
  LAUNCH(k, 6)(p);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: symbol: _Z1kILi4EEvPi
// CHECK: symbol: _Z1kILi5EEvPi
// CHECK: max_dynamic_shared_size_bytes: 5000
// CHECK: symbol: _Z1kILi6EEvPi
// CHECK: symbol: _Z5plainPi
// CHECK-NOT: {{unresolved|templates}}:
