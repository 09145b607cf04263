// Device variables that host code touches by name; others are not listed.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
__device__ int counter;
__constant__ float table[4];
static __device__ int hidden;
namespace n { static __constant__ int inner; }
__device__ int untouched;
__global__ void k() { untouched = counter + hidden; }
void go(CUmodule m) {
  int v = 0;
  void *p;
  cudaMemcpyFromSymbol(&v, counter, sizeof v);
  cudaMemcpyToSymbol(table, &v, sizeof v);
  cudaGetSymbolAddress(&p, hidden);
  cudaMemcpyToSymbolAsync(n::inner, &v, sizeof v);
  CUdeviceptr d;
  size_t bytes;
  cuModuleGetGlobal(&d, &bytes, m, "named");
}
// CHECK:      globals:
// CHECK-NEXT: - {symbol: _ZN*_INTERNAL_*_10_globals_cu_*1n5innerE, file: globals.cu, at: "globals.cu:16:3"}
// CHECK-NEXT: - {symbol: counter, at: "globals.cu:13:3"}
// CHECK-NEXT: - {symbol: hidden, file: globals.cu, at: "globals.cu:15:3"}
// CHECK-NEXT: - {symbol: named, at: "globals.cu:19:3"}
// CHECK-NEXT: - {symbol: table, at: "globals.cu:14:3"}
// CHECK-NOT: {{.}}
