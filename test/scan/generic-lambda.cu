// Parameters of generic lambdas, and dispatch by lambdas that take a constant.
// RUN: %plan %s | FileCheck %s
#include <type_traits>
template <int N> __global__ void k(int *) {}
template <class F> void dispatch(int n, F f) {
  if (n == 4)
    f(std::integral_constant<int, 4>());
  else
    f(std::integral_constant<int, 5>());
}
void go(int n) {
  auto set = [&](auto *kernel, int bytes) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  set(k<1>, 1000);
  set(k<2>, 2000);
  dispatch(n, [&](auto c) {
    k<decltype(c)::value><<<1, 1>>>(nullptr);
  });
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: max_dynamic_shared_size_bytes: 1000{{$}}
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: max_dynamic_shared_size_bytes: 2000{{$}}
// CHECK: symbol: _Z1kILi4EEvPi
// CHECK: symbol: _Z1kILi5EEvPi
// CHECK-NOT: {{unresolved|templates}}:
