// A C file.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
void go(CUmodule m) {
  CUfunction f;
  cuModuleGetFunction(&f, m, "k");
  cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024);
}
// CHECK: symbol: k
// CHECK: max_dynamic_shared_size_bytes: 65536
