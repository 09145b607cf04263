// An adapter class around a kernel of a functor, with its storage as size.
// RUN: %plan %s | FileCheck %s
template <class Op> __global__ void device_kernel(int *p) { Op()(p); }
template <int N> struct Copy {
  struct Storage { float a[N][8]; };
  __device__ void operator()(int *) {}
};
template <class Op> struct Adapter {
  static constexpr int bytes = sizeof(typename Op::Storage);
  cudaError_t prepare() {
    int smem = bytes;
    if (smem >= (48 << 10))
      return cudaFuncSetAttribute(device_kernel<Op>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
    return cudaSuccess;
  }
  void run(int *p) { device_kernel<Op><<<1, 1, bytes>>>(p); }
};
void go(int *p) {
  Adapter<Copy<2048>> big;
  big.prepare();
  big.run(p);
  Adapter<Copy<2>> small;
  small.prepare();
  small.run(p);
}
// CHECK: symbol: _Z13device_kernelI4CopyILi2048EEEvPi
// CHECK: max_dynamic_shared_size_bytes: 65536
// CHECK: symbol: _Z13device_kernelI4CopyILi2EEEvPi
// CHECK-NOT: max_dynamic
// CHECK: kind: launch
