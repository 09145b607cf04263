// The plainest form: a kernel named in the call.
// RUN: %plan %s | FileCheck %s
__global__ void k(int *) {}
void go(int *p) {
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  k<<<1, 32, 65536>>>(p);
}
// CHECK:      - symbol: _Z1kPi
// CHECK-NEXT:   name: k(int*)
// CHECK-NEXT:   linkage: external
// CHECK-NEXT:   attributes:
// CHECK-NEXT:     max_dynamic_shared_size_bytes: 65536
// CHECK-NEXT:   sites:
// CHECK-NEXT:   - {kind: set, at: "plain-name.cu:5:3", attribute: max_dynamic_shared_size_bytes, value: 65536, once: false}
// CHECK-NEXT:   - {kind: launch, at: "plain-name.cu:6:3", shared: "65536", cooperative: false}
// CHECK-NOT: {{.}}
