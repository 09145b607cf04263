// Both sides of ?:, but one where the condition is constant.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <bool Big> void fixed() {
  auto kernel = Big ? k<3> : k<4>;
  kernel<<<1, 1>>>(nullptr);
}
void go(bool c) {
  auto kernel = c ? &k<1> : &k<2>;
  kernel<<<1, 1>>>(nullptr);
  fixed<true>();
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK-NOT: symbol:
