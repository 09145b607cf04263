// --explain: candidates, calls through pointers, results of functions; a part
// of a name that several kernels have.
// RUN: kplan-scan --explain 'k<2>' %s --root %S | FileCheck %s
// RUN: kplan-scan --explain 'k<' %s --root %S | FileCheck %s --check-prefix=PART
template <int N> __global__ void k(int *) {}
using Fn = void (*)(int *);
static Fn table[2] = {k<1>, k<2>};
Fn choose(bool large) { return large ? k<2> : k<3>; }
void go(int i) {
  table[i]<<<1, 1>>>(nullptr);
  choose(i > 5)<<<1, 1>>>(nullptr);
}
static void set(Fn f, int bytes) {
  cudaFuncSetAttribute((const void *)f, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
void (*hook)(Fn, int) = set;
void through() { hook(k<2>, 2048); }
// CHECK:      void k<2>(int*)
// CHECK:      set at explain-several.cu:14:3
// CHECK:        in set(void (*)(int*), int)
// CHECK:        called by a pointer from through()
// CHECK-NEXT:     kernel: void k<2>(int*)
// CHECK-NEXT:     value: 2048
// CHECK:      launch at explain-several.cu:10:3
// CHECK-NEXT:   in go(int)
// CHECK-NEXT:     kernel: what is stored in table, which is one of: {{(void k<[12]>\(int\*\)(; )?){2}$}}
// CHECK:      launch at explain-several.cu:11:3
// CHECK:          kernel: the result of choose(bool), which is one of: void k<2>(int*); void k<3>(int*)
// PART: {{^}}void k<1>(int*)
// PART: {{^}}void k<2>(int*)
// PART: {{^}}void k<3>(int*)
