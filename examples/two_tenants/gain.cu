//===- gain.cu - A device variable written by name -----------------------===//

#include "check.h"
#include "first_uses.h"

__device__ int Gain;

__global__ void applyGain(const int *Samples, int *Result) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Result[I] = Gain * Samples[I];
}

void gain(const Work &W, cudaStream_t Stream) {
  W.Scratch[0] = 7;
  check(cudaMemcpyToSymbolAsync(Gain, W.Scratch, sizeof(int), 0,
                                cudaMemcpyHostToDevice, Stream),
        "cudaMemcpyToSymbolAsync");
  applyGain<<<W.Values / 256, 256, 0, Stream>>>(W.Samples, W.Result);
  check(cudaGetLastError(), "launch of applyGain");
}

bool gainIsRight(const Work &W) {
  for (int I = 0; I < W.Values; ++I)
    if (W.Result[I] != 7 * W.Samples[I])
      return false;
  return true;
}
