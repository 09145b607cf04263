// A site in a macro is where the macro is used; one in its argument is where
// it is written.
// RUN: %plan %s | FileCheck %s
__global__ void k(int *) {}
#define CHECK_CUDA(call) do { cudaError_t e = (call); (void)e; } while (0)
#define LAUNCH(kernel, bytes) kernel<<<1, 1, bytes>>>(nullptr)
void go(int n) {
  CHECK_CUDA(
      cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 4));
  LAUNCH(k, n * 4);
}
// CHECK: {kind: set, at: "macros.cu:9:7",
// CHECK: {kind: launch, at: "macros.cu:10:{{3|10}}", shared: "n * 4"
