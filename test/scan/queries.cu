// Asking about a kernel touches it: it is in the plan, without attributes.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
void go() {
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, k<1>);
  int n;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k<2>, 128, 0);
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, k<3>);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK-NOT: attributes
// CHECK: {kind: query, at: "queries.cu:6:3"}
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: {kind: query, at: "queries.cu:8:3"}
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: {kind: query, at: "queries.cu:10:3"}
