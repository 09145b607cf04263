// Uses a second kernel of its library for the first time while another runs,
// which ends when it is waited for.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void hold(volatile int *Release, unsigned long long) { while (!*Release); }
__global__ void mine(int *P) { *P = 1; }
__global__ void other(int *P) { *P = 2; }

int main() {
  cudaStream_t Held, Stream;
  int Release = 0;
  cudaStreamCreateWithFlags(&Held, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking);
  mine<<<1, 1, 0, Stream>>>(nullptr); // Brings the library.
  hold<<<1, 1, 0, Held>>>(&Release, 1000000);
  other<<<1, 1, 0, Stream>>>(nullptr);
  cudaStreamSynchronize(Stream);
  std::printf("%s\n", cudaStreamQuery(Held) == cudaSuccess ? "waited" : "did not wait");
  std::printf("last error: %d\n", cudaGetLastError());
  return 0;
}
