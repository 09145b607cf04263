//===- sum_setup.cu - Sum of all samples: opting in to more shared memory ===//

#include "check.h"
#include "first_uses.h"
#include "sum.cuh"

void allowSumsSharedMemory() {
  check(cudaFuncSetAttribute(partialSums,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SumTileBytes),
        "cudaFuncSetAttribute");
}
