// `when` is the nearest condition around a set that is not constant.
// RUN: %plan %s | FileCheck %s
__global__ void k(int *) {}
#define SET(value) \
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, value)
void go(int n, bool c) {
  if (n > 1) {
    if (c)
      SET(1);
    else
      SET(2);
  }
  if (true)
    SET(3);
  n >= 48 << 10 && SET(4);
  c ? SET(5) : SET(6);
  switch (n) {
  case 7:
  case 8:
    SET(7);
    break;
  default:
    SET(8);
  }
}
// CHECK: value: 1, when: "c", once: false
// CHECK: value: 2, when: "!c", once: false
// CHECK: value: 3, once: false
// CHECK: value: 4, when: "n >= 48 << 10", once: false
// CHECK: value: 5, when: "c", once: false
// CHECK: value: 6, when: "!c", once: false
// CHECK: value: 7, when: "n == 7 || n == 8", once: false
// CHECK: value: 8, once: false
