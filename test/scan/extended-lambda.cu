// A kernel whose template argument is a lambda for the device.
// RUN: %plan %s | FileCheck %s
template <class F> __global__ void each(int n, F f) { f(n); }
template <class F> void for_each(int n, F f) { each<<<1, n>>>(n, f); }
void go(int *p) {
  for_each(4, [=] __device__(int i) { p[i] = 1; });
  for_each(4, [=] __device__(int i) { p[i] = 2; });
}
// CHECK: symbol: _Z4eachIZ2goPiEUliE0_EviT_
// CHECK: symbol: _Z4eachIZ2goPiEUliE_EviT_
