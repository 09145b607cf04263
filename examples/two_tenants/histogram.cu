//===- histogram.cu - A template kernel, launched as a cluster -----------===//
//
// Each block of the cluster counts its share of the samples in its own shared
// memory; the first block then adds up what lies in the others'.
//
//===----------------------------------------------------------------------===//

#include "check.h"
#include "first_uses.h"

#include <cooperative_groups.h>
#include <vector>

template <int Bins>
__global__ void clusterHistogram(const int *Samples, int Count, int *Result) {
  namespace cg = cooperative_groups;
  __shared__ int Counts[Bins];
  cg::cluster_group Cluster = cg::this_cluster();
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    Counts[I] = 0;
  __syncthreads();
  for (int I = Cluster.thread_rank(); I < Count; I += Cluster.num_threads())
    atomicAdd(&Counts[Samples[I] % Bins], 1);
  Cluster.sync();
  if (Cluster.block_rank() == 0)
    for (int I = threadIdx.x; I < Bins; I += blockDim.x) {
      int Total = 0;
      for (unsigned Rank = 0; Rank < Cluster.num_blocks(); ++Rank)
        Total += Cluster.map_shared_rank(Counts, Rank)[I];
      Result[I] = Total;
    }
  Cluster.sync(); // nobody leaves while its shared memory is read
}

void histogram(const Work &W, cudaStream_t Stream) {
  constexpr unsigned Blocks = 4;
  cudaLaunchAttribute Attribute{};
  Attribute.id = cudaLaunchAttributeClusterDimension;
  Attribute.val.clusterDim = {Blocks, 1, 1};
  cudaLaunchConfig_t Config{};
  Config.gridDim = Blocks;
  Config.blockDim = 256;
  Config.stream = Stream;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  check(cudaLaunchKernelEx(&Config, clusterHistogram<Work::Values>, W.Samples,
                           int{W.Count}, W.Result),
        "launch of clusterHistogram");
}

bool histogramIsRight(const Work &W) {
  std::vector<int> Expected(W.Values);
  for (int I = 0; I < W.Count; ++I)
    ++Expected[W.Samples[I]];
  return std::equal(Expected.begin(), Expected.end(), W.Result);
}
