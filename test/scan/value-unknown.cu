// Nobody knows the value: `max` for shared memory, unresolved for the rest.
// RUN: %plan %s | FileCheck %s
#include <cstdlib>
__global__ void k(int *) {}
void go(const char *text) {
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, std::atoi(text));
  cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, std::atoi(text));
}
// CHECK:      attributes:
// CHECK-NEXT:   max_dynamic_shared_size_bytes: max
// CHECK-NEXT: sites:
// CHECK:      unresolved:
// CHECK-NEXT: kind: set, at: "value-unknown.cu:7:3", why: {{.*}}preferred_shared_memory_carveout
