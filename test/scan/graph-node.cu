// Kernel nodes of graphs, for either API.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
template <int N> __global__ void k(int *) {}
void go(cudaGraph_t graph, CUfunction) {
  cudaGraphNode_t node;
  cudaKernelNodeParams params = {};
  params.func = (void *)k<1>;
  params.sharedMemBytes = 128;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
}
// CHECK: symbol: _Z1kILi1EEvPi
// CHECK: {kind: launch, at: "graph-node.cu:10:3", shared: "128"}
