// What a kernel's first launch starts, also through the functions it calls.
// RUN: %plan %s | FileCheck %s
#include <cassert>
#include <cstdio>
__global__ void plain(int *) {}
template <class T> __device__ void say(T t) { printf("%d\n", (int)t); }
__global__ void prints(int *p) { say(*p); }
__global__ void checks(int *p) { assert(*p); }
__global__ void allocates(int *p) { *p = *new int(3); }
__global__ void takes(int *p) { p = (int *)malloc(4); }
void go(int *p) {
  plain<<<1, 1>>>(p);
  prints<<<1, 1>>>(p);
  checks<<<1, 1>>>(p);
  allocates<<<1, 1>>>(p);
  takes<<<1, 1>>>(p);
}
// CHECK: symbol: _Z5plainPi
// CHECK-NOT: uses:
// CHECK: symbol: _Z5takesPi
// CHECK: uses: [malloc]
// CHECK: symbol: _Z6checksPi
// CHECK: uses: [assert]
// CHECK: symbol: _Z6printsPi
// CHECK: uses: [printf]
// CHECK: symbol: _Z9allocatesPi
// CHECK: uses: [malloc]
