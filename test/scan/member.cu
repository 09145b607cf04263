// A kernel that is kept in a member, set by the constructor or from outside.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
using Fn = void (*)(int *);
struct Runner {
  Fn first, second, third = k<3>;
  explicit Runner(Fn f) : first(f) {}
  void run() {
    first<<<1, 1>>>(nullptr);
    this->second<<<1, 1>>>(nullptr);
    third<<<1, 1>>>(nullptr);
  }
};
void go() {
  Runner r(k<1>);
  r.second = k<2>;
  r.run();
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK-NOT: unresolved:
