// Host-device functions: sites count where host code reaches them.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <int N> __host__ __device__ void both(int *p) {
#ifndef __CUDA_ARCH__
  k<N><<<1, 1>>>(p);
#endif
}
__global__ void entry(int *p) { both<1>(p); }
__host__ __device__ void nobody(int *p) { both<3>(p); }
void go(int *p) {
  entry<<<1, 1>>>(p);
  both<2>(p);
}
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: symbol: _Z5entryPi
// CHECK-NOT: {{symbol|templates|unresolved}}:
