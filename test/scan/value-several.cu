// Several values: the largest for shared memory, a conflict for the rest.
// RUN: %plan %s | FileCheck %s
__global__ void k(int *) {}
void go() {
  for (int bytes : {1000, 3000, 2000})
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
}
// CHECK:      attributes:
// CHECK-NEXT:   max_dynamic_shared_size_bytes: 3000
// CHECK-NEXT: sites:
// CHECK:      conflicts:
// CHECK-NEXT: - {symbol: _Z1kPi, attribute: preferred_shared_memory_carveout, values: [50, 100]}
