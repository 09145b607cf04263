// The driver API by name, in a host-only file: constants, and a name that the
// caller gives.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
#include <string>
static CUfunction load(CUmodule m, const char *name) {
  CUfunction f;
  cuModuleGetFunction(&f, m, name);
  return f;
}
void go(CUmodule m, CUlibrary library) {
  CUfunction gemm = load(m, "gemm");
  cuFuncSetAttribute(gemm, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 70000);
  CUkernel kernel;
  static const char name[] = "reduce";
  cuLibraryGetKernel(&kernel, library, name);
  cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 80000, kernel, 0);
  const std::string text = "softmax";
  CUfunction softmax = load(m, text.c_str());
  cuLaunchKernel(softmax, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}
// CHECK: symbol: gemm
// CHECK: max_dynamic_shared_size_bytes: 70000
// CHECK: symbol: reduce
// CHECK: max_dynamic_shared_size_bytes: 80000
// CHECK: symbol: softmax
// CHECK-NEXT: name: softmax
// CHECK-NEXT: linkage: external
// CHECK-NOT: unresolved:
