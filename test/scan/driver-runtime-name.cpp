// A name that is built at run time is never guessed from its parts.
// RUN: %plan %s | FileCheck %s
#include <cstdio>
#include <cuda.h>
#include <string>
void launch(CUfunction f) {
  cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}
void go(CUmodule m, int n) {
  CUfunction a, b, c;
  std::string plus = "gemm_" + std::to_string(n);
  cuModuleGetFunction(&a, m, plus.c_str());
  launch(a);
  std::string appended = "gemm_";
  appended += "x";
  cuModuleGetFunction(&b, m, appended.c_str());
  launch(b);
  char buffer[32] = "gemm_";
  std::snprintf(buffer, sizeof buffer, "gemm_%d", n);
  cuModuleGetFunction(&c, m, buffer);
  launch(c);
}
// CHECK-NOT: kernels:
// CHECK:      unresolved:
// CHECK-NEXT: kind: launch, at: "driver-runtime-name.cpp:7:3"{{.*}}kernel name is built at run time
