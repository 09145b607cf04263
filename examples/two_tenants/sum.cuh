//===- sum.cuh - Sum of all samples: what its two files share ------------===//

#ifndef TWO_TENANTS_SUM_CUH
#define TWO_TENANTS_SUM_CUH

#include <cuda_runtime.h>

/// Dynamic shared memory of a block: more than the 48 KB that need no opt-in.
inline constexpr int SumTileBytes = 96 << 10;
inline constexpr int SumTile = SumTileBytes / static_cast<int>(sizeof(int));

/// Partial[b] is the sum of block b's tile.
__global__ void partialSums(const int *Samples, int Count, int *Partial);

#endif // TWO_TENANTS_SUM_CUH
