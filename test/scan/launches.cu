// Every way to launch, with what the plan says of it.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
template <int N> __global__ void k(int *) {}
void go(int *p, int bytes) {
  void *args[] = {&p};
  cudaLaunchKernel((const void *)k<1>, 1, 1, args, bytes, 0);
  cudaLaunchKernel(k<2>, 1, 1, args);
  cudaLaunchCooperativeKernel((void *)k<3>, 1, 1, args, 0, 0);

  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 2;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.dynamicSmemBytes = bytes * 2;
  config.attrs = attributes;
  config.numAttrs = 2;
  cudaLaunchKernelEx(&config, k<4>, p);
  cudaLaunchKernelExC(&config, (const void *)k<5>, args);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: {kind: launch, at: "launches.cu:7:3", shared: "bytes", cooperative: false}
// CHECK: symbol: _Z1kILi2EEvPi
// CHECK: {kind: launch, at: "launches.cu:8:3", cooperative: false}
// CHECK: symbol: _Z1kILi3EEvPi
// CHECK: {kind: launch, at: "launches.cu:9:3", cooperative: true}
// CHECK: symbol: _Z1kILi4EEvPi
// CHECK: {kind: launch, at: "launches.cu:22:3", shared: "bytes * 2", cooperative: true, cluster: [2, 1, 1]}
// CHECK: symbol: _Z1kILi5EEvPi
// CHECK: {kind: launch, at: "launches.cu:23:3", shared: "bytes * 2", cooperative: true, cluster: [2, 1, 1]}
