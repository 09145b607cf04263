// What is constant-false in every instantiation is no site.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <int N> void run() {
  constexpr int bytes = N * 1024;
  if (bytes >= (48 << 10))
    cudaFuncSetAttribute(k<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if constexpr (N > 100)
    k<1000><<<1, 1>>>(nullptr);
  if (N < 100)
    return;
  k<2000><<<1, 1>>>(nullptr);
}
void go() {
  run<8>();
  run<64>();
}
// CHECK: symbol: _Z1kILi64EEvPi
// CHECK: max_dynamic_shared_size_bytes: 65536
// CHECK-NOT: {{symbol|templates|unresolved}}:
