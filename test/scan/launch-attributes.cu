// Cluster dimensions in launch attributes, assigned and initialised.
// RUN: %plan %s -- -std=c++20 | FileCheck %s
__global__ void a(int *) {}
__global__ void b(int *) {}
__global__ void c(int *) {}
void assigned(int *p) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 2;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  cudaLaunchKernelEx(&config, a, p);
}
void initialised(int *p) {
  cudaLaunchAttribute attribute{.id = cudaLaunchAttributeClusterDimension, .val = {.clusterDim = {4, 1, 1}}};
  cudaLaunchConfig_t config{.gridDim = 1, .blockDim = 1, .dynamicSmemBytes = 100, .stream = 0, .attrs = &attribute, .numAttrs = 1};
  void *arguments[] = {&p};
  cudaLaunchKernelExC(&config, (const void *)b, arguments);
}
void whole(int *p) {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attrs[1];
  attrs[0].id = cudaLaunchAttributeClusterDimension;
  attrs[0].val.clusterDim = {8, 1, 1};
  config.attrs = attrs;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, c, p);
}
// CHECK: symbol: _Z1aPi
// CHECK: cooperative: true, cluster: [2, 1, 1]
// CHECK: symbol: _Z1bPi
// CHECK: shared: "100", {{.*}}cluster: [4, 1, 1]
// CHECK: symbol: _Z1cPi
// CHECK: cluster: [8, 1, 1]
