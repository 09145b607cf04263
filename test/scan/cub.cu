// CUB and Thrust: their kernels are in the program's image, with what they call
// set and asked for.
// REQUIRES: cccl
// RUN: %plan %s | FileCheck %s
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
void sum(void *temporary, size_t bytes, const float *in, float *out, int n) {
  cub::DeviceReduce::Sum(temporary, bytes, in, out, n);
}
void fill(float *p, int n) { thrust::fill(thrust::device, p, p + n, 1.0f); }
// CHECK: symbol: _ZN3cub{{.*}}DeviceReduceKernel
// CHECK: kind: query
// CHECK: kind: launch
// CHECK: symbol: _ZN3cub{{.*}}DeviceReduceSingleTileKernel
// CHECK: symbol: _ZN3cub{{.*}}for_each{{.*}}__fill
// CHECK-NOT: unresolved:
