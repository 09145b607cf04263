// A wrapper's own condition is decided by what the caller passes.
// RUN: %plan %s | FileCheck %s
__global__ void small(int *) {}
__global__ void big(int *) {}
static void set(const void *kernel, int bytes) {
  if (bytes < (48 << 10))
    return;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
void go() {
  set((const void *)small, 1024);
  set((const void *)big, 65536);
}
// CHECK: symbol: _Z3bigPi
// CHECK: max_dynamic_shared_size_bytes: 65536
// CHECK-NOT: {{symbol|unresolved}}:
