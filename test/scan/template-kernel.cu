// A kernel<...> that depends on the template around it: one entry for each
// instantiation, with that one's value.
// RUN: %plan %s | FileCheck %s
template <class T, int N> __global__ void gemm(T *) {}
template <class T, int N> void run(T *p) {
  cudaFuncSetAttribute(gemm<T, N>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       N * sizeof(T));
}
template void run<float, 128>(float *);
template void run<double, 64>(double *);
// CHECK: symbol: _Z4gemmIdLi64EEvPT_
// CHECK-NEXT: name: void gemm<double, 64>(double*)
// CHECK: max_dynamic_shared_size_bytes: 512{{$}}
// CHECK: symbol: _Z4gemmIfLi128EEvPT_
// CHECK: max_dynamic_shared_size_bytes: 512{{$}}
// CHECK-NOT: symbol:
