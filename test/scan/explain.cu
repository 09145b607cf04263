// --explain: each site, and what every caller on the way passed on.
// RUN: kplan-scan --explain attend %s --root %S | FileCheck %s --strict-whitespace --match-full-lines
__global__ void attend(float *) {}
__global__ void other(float *) {}
extern int rows;
static void allow(const void *kernel, size_t bytes) {
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
template <class F> void prepare(F *kernel, int tiles) {
  allow((const void *)kernel, tiles * 1024);
}
void go(float *p) {
  prepare(attend, 96);
  prepare(other, 64);
  cudaFuncSetAttribute(attend, cudaFuncAttributePreferredSharedMemoryCarveout, rows);
  attend<<<1, 1, 96 * 1024>>>(p);
}
//      CHECK:attend(float*)
// CHECK-NEXT:  symbol: _Z6attendPf
// CHECK-NEXT:  declared at explain.cu:3:17
// CHECK-NEXT:  in the plan with 2 sites
// CHECK-NEXT:    max_dynamic_shared_size_bytes: 98304
// CHECK-NEXT:  set at explain.cu:8:5: cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)
// CHECK-NEXT:    in the plan: max_dynamic_shared_size_bytes = 98304
// CHECK-NEXT:    in allow(void const*, unsigned long), if bytes > 48 * 1024
// CHECK-NEXT:      kernel: parameter 1
// CHECK-NEXT:      value: parameter 2
// CHECK-NEXT:    called from void prepare<void (float*)>(void (*)(float*), int)
// CHECK-NEXT:      kernel: parameter 1
// CHECK-NEXT:      value: (parameter 2 * 1024)
// CHECK-NEXT:    called from go(float*)
// CHECK-NEXT:      kernel: attend(float*)
// CHECK-NEXT:      value: 98304
// CHECK-NEXT:  set at explain.cu:16:3: cudaFuncSetAttribute(attend, cudaFuncAttributePreferredSharedMemoryCarveout, rows)
// CHECK-NEXT:    in the plan's unresolved: the value of preferred_shared_memory_carveout is not known: nothing in the scan stores a value there
// CHECK-NEXT:    in go(float*)
// CHECK-NEXT:      kernel: attend(float*)
// CHECK-NEXT:      value: what is stored in rows, which is unknown (nothing in the scan stores a value there)
// CHECK-NEXT:  launch at explain.cu:17:3: attend<<<1, 1, 96 * 1024>>>(p)
// CHECK-NEXT:    in go(float*)
// CHECK-NEXT:      kernel: attend(float*)
//  CHECK-NOT:{{.}}
