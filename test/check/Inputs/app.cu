#include <cstdio>
__device__ int Counter;
__global__ void first(int *p) {
  __shared__ int Buffer[256];
  Buffer[threadIdx.x] = *p;
  __syncthreads();
  *p = Buffer[255 - threadIdx.x] + Counter;
}
static __global__ void hidden(int *p) { *p = 2; }
namespace {
__global__ void anonymous(int *p) { std::printf("%d\n", *p); }
} // namespace
void launch(int *p) {
  first<<<1, 256>>>(p);
  hidden<<<1, 1>>>(p);
  anonymous<<<1, 1>>>(p);
}
