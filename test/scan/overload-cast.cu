// An overload is picked by a cast; the other one is not in the plan.
// RUN: %plan %s | FileCheck %s
__global__ void k(int *) {}
__global__ void k(float *) {}
void go() {
  cudaFuncSetAttribute((const void *)(void (*)(float *))k,
                       cudaFuncAttributePreferredSharedMemoryCarveout, 100);
  cudaFuncSetAttribute(reinterpret_cast<const void *>(static_cast<void (*)(float *)>(&k)),
                       cudaFuncAttributeMaxDynamicSharedMemorySize, 4096);
}
// CHECK: symbol: _Z1kPf
// CHECK: max_dynamic_shared_size_bytes: 4096
// CHECK: preferred_shared_memory_carveout: 100
// CHECK-NOT: symbol:
