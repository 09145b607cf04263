// Sites that the source silences, on the line or on the line before.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <class T> void never() {
  k<sizeof(T)><<<1, 1>>>(nullptr); // kplan: ignore(never called)
}
void go() {
  k<1><<<1, 1>>>(nullptr); // kplan: ignore(debugging only)
  // kplan: ignore(debugging only)
  k<2><<<1, 1>>>(nullptr);
  k<3><<<1, 1>>>(nullptr);
}
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK-NOT: {{symbol|templates|unresolved}}:
