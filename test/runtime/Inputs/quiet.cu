// A program that knows nothing of kplan: one kernel, used once.
#include <cuda_runtime.h>

__global__ void planned(int *P) {
  extern __shared__ int S[];
  *P = S[0];
}

int main() {
  planned<<<1, 1>>>(nullptr);
  return cudaDeviceSynchronize();
}
