#include <cassert>
#include <cstdio>

__global__ void prints(int Value) {
  printf("%d\n", Value);
  assert(Value);
}

int main() {
  prints<<<1, 1>>>(1);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
