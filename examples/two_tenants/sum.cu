//===- sum.cu - Sum of all samples ---------------------------------------===//

#include "sum.cuh"

#include "check.h"
#include "first_uses.h"

#include <numeric>

__global__ void partialSums(const int *Samples, int Count, int *Partial) {
  extern __shared__ int Tile[];
  const int Begin = blockIdx.x * SumTile;
  const int Size = min(SumTile, Count - Begin);
  for (int I = threadIdx.x; I < Size; I += blockDim.x)
    Tile[I] = Samples[Begin + I];
  for (int Rest = Size; Rest > 1; Rest = (Rest + 1) / 2) {
    __syncthreads();
    const int Half = (Rest + 1) / 2;
    for (int I = threadIdx.x; I + Half < Rest; I += blockDim.x)
      Tile[I] += Tile[I + Half];
  }
  if (threadIdx.x == 0)
    Partial[blockIdx.x] = Tile[0];
}

__global__ void totalSum(const int *Partial, int Blocks, int *Result) {
  int Total = 0;
  for (int I = 0; I < Blocks; ++I)
    Total += Partial[I];
  *Result = Total;
}

void sum(const Work &W, cudaStream_t Stream) {
  const int Blocks = (W.Count + SumTile - 1) / SumTile;
  partialSums<<<Blocks, 256, SumTileBytes, Stream>>>(W.Samples, W.Count,
                                                     W.Scratch);
  totalSum<<<1, 1, 0, Stream>>>(W.Scratch, Blocks, W.Result);
  check(cudaGetLastError(), "launch of sum");
}

bool sumIsRight(const Work &W) {
  return W.Result[0] == std::accumulate(W.Samples, W.Samples + W.Count, 0);
}
