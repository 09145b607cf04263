// A wrapper that nobody calls: its site is not lost.
// RUN: %plan %s | FileCheck %s
void set(const void *kernel, int bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
// CHECK: unresolved:
// CHECK-NEXT: - {kind: set, at: "wrapper-uncalled.cu:4:3", why: no caller of the function is in the scan, text: "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"}
