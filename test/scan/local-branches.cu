// Assigned later, in branches: each candidate, and no null.
// RUN: %plan %s | FileCheck %s
__global__ void a(int *) {}
__global__ void b(int *) {}
__global__ void c(int *) {}
void go(int how) {
  void (*kernel)(int *) = nullptr;
  if (how == 1)
    kernel = a;
  else
    kernel = b;
  void *other;
  switch (how) {
  case 1: other = (void *)a; break;
  default: other = (void *)c; break;
  }
  kernel<<<1, 1>>>(nullptr);
  cudaFuncSetAttribute(other, cudaFuncAttributeMaxDynamicSharedMemorySize, 7);
}
// CHECK: symbol: _Z1aPi
// CHECK: max_dynamic_shared_size_bytes: 7
// CHECK: kind: launch
// CHECK: symbol: _Z1bPi
// CHECK-NOT: max_dynamic
// CHECK: kind: launch
// CHECK: symbol: _Z1cPi
// CHECK: max_dynamic_shared_size_bytes: 7
// CHECK-NOT: kind: launch
// CHECK-NOT: unresolved:
