// A launch in device code: kind device_launch, and the launching kernel uses
// dynamic parallelism.
// RUN: %plan %s -- -fgpu-rdc | FileCheck %s
__global__ void child(int *) {}
__device__ void helper(int *p) { child<<<1, 1>>>(p); }
__global__ void parent(int *p) { helper(p); }
void go(int *p) { parent<<<1, 1>>>(p); }
// CHECK: symbol: _Z5childPi
// CHECK: {kind: device_launch, at: "device-launch.cu:5:34"}
// CHECK: symbol: _Z6parentPi
// CHECK: uses: [cdp]
