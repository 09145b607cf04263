// A value that is not known, with a bound: from a guard, an early return, min.
// RUN: %plan %s | FileCheck %s
#include <algorithm>
template <int N> __global__ void k(int *) {}
int size();
#define SET(n, value) \
  cudaFuncSetAttribute(k<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, value)
int go() {
  int bytes = size();
  if (bytes <= 1000)
    SET(1, bytes);
  SET(2, std::min(bytes, 3000));
  SET(3, bytes);
  if (bytes > 2000)
    return 1;
  SET(4, bytes);
  return 0;
}
// CHECK: _Z1kILi1EEvPi
// CHECK: max_dynamic_shared_size_bytes: {at_most: 1000}
// CHECK: _Z1kILi2EEvPi
// CHECK: max_dynamic_shared_size_bytes: {at_most: 3000}
// CHECK: _Z1kILi3EEvPi
// CHECK: max_dynamic_shared_size_bytes: max
// CHECK: _Z1kILi4EEvPi
// CHECK: max_dynamic_shared_size_bytes: {at_most: 2000}
