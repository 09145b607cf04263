// Functions that choose a kernel: by result, by out parameter, by virtual call.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
using Fn = void (*)(int *);
static Fn pick(int n) {
  if (n == 1)
    return k<1>;
  switch (n) {
  case 2: return k<2>;
  default: return nullptr;
  }
}
static bool find(int n, Fn *out) {
  *out = k<3>;
  return n != 0;
}
static void fill(Fn &out) { out = k<4>; }
template <class F> F *same(F *f) { return f; }
struct Base { virtual Fn get() = 0; };
struct Derived : Base { Fn get() override { return k<6>; } };
void go(int n, Base &base) {
  pick(n)<<<1, 1>>>(nullptr);
  Fn a, b;
  if (find(n, &a))
    a<<<1, 1>>>(nullptr);
  fill(b);
  b<<<1, 1>>>(nullptr);
  same(k<5>)<<<1, 1>>>(nullptr);
  base.get()<<<1, 1>>>(nullptr);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: symbol: _Z1kILi4EEvPi
// CHECK: symbol: _Z1kILi5EEvPi
// CHECK: symbol: _Z1kILi6EEvPi
// CHECK-NOT: unresolved:
