//===- validate.cu - A kernel that contains a printf ---------------------===//
//
// It never prints here: that it could is enough for the driver to set up the
// printf buffer at its first launch.
//
//===----------------------------------------------------------------------===//

#include "check.h"
#include "first_uses.h"

#include <cstdio>

__global__ void countValid(const int *Samples, int Count, int *Result) {
  __shared__ int Valid;
  if (threadIdx.x == 0)
    Valid = 0;
  __syncthreads();
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    if (Samples[I] >= 0 && Samples[I] < Work::Values)
      atomicAdd(&Valid, 1);
    else
      printf("sample %d is out of range: %d\n", I, Samples[I]);
  __syncthreads();
  if (threadIdx.x == 0)
    *Result = Valid;
}

void validate(const Work &W, cudaStream_t Stream) {
  countValid<<<1, 256, 0, Stream>>>(W.Samples, W.Count, W.Result);
  check(cudaGetLastError(), "launch of countValid");
}

bool validateIsRight(const Work &W) { return W.Result[0] == W.Count; }
