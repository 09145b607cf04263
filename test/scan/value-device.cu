// A constant that is read back from the device; a limit of the device.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
__device__ const int size = 12345;
__device__ int changing = 1;
#define SET(n, value) \
  cudaFuncSetAttribute(k<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, value)
void go(cudaDeviceProp prop) {
  int v, w, limit;
  cudaMemcpyFromSymbol(&v, size, sizeof v);
  SET(1, v);
  cudaMemcpyFromSymbol(&w, changing, sizeof w);
  SET(2, w);
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  SET(3, limit);
  SET(4, prop.sharedMemPerBlockOptin);
}
// CHECK: _Z1kILi1EEvPi
// CHECK: max_dynamic_shared_size_bytes: 12345{{$}}
// CHECK: _Z1kILi2EEvPi
// CHECK: max_dynamic_shared_size_bytes: max{{$}}
// CHECK: _Z1kILi3EEvPi
// CHECK: max_dynamic_shared_size_bytes: max{{$}}
// CHECK: _Z1kILi4EEvPi
// CHECK: max_dynamic_shared_size_bytes: max{{$}}
