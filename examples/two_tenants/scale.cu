//===- scale.cu - A plain launch -----------------------------------------===//

#include "check.h"
#include "first_uses.h"

__global__ void scaleSamples(const int *Samples, int Factor, int *Result) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Result[I] = Factor * Samples[I];
}

void scale(const Work &W, cudaStream_t Stream) {
  scaleSamples<<<W.Values / 256, 256, 0, Stream>>>(W.Samples, 3, W.Result);
  check(cudaGetLastError(), "launch of scaleSamples");
}

bool scaleIsRight(const Work &W) {
  for (int I = 0; I < W.Values; ++I)
    if (W.Result[I] != 3 * W.Samples[I])
      return false;
  return true;
}
