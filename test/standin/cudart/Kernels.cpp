//===- Kernels.cpp - Launches, attributes, occupancy ----------------------===//

#include "Runtime.h"

#include <cstring>
#include <vector>

using namespace standin::cudart;

namespace {

struct Configuration {
  dim3 Grid, Block;
  size_t Shared = 0;
  cudaStream_t On = nullptr;
};

std::vector<Configuration> &configurations() {
  thread_local std::vector<Configuration> Stack;
  return Stack;
}

cudaError_t launch(CUfunction F, dim3 Grid, dim3 Block, void **Arguments,
                   size_t Shared, cudaStream_t On) {
  return result(DRIVER(cuLaunchKernel)(
      F, Grid.x, Grid.y, Grid.z, Block.x, Block.y, Block.z,
      static_cast<unsigned>(Shared), On, Arguments, nullptr));
}

cudaError_t startAndFind(const void *Stub, CUfunction &F) {
  if (cudaError_t E = start())
    return E;
  return functionOf(Stub, F);
}

} // namespace

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     cudaStream_t On) {
  configurations().push_back({Grid, Block, Shared, On});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       void *On) {
  if (configurations().empty())
    return result(cudaErrorMissingConfiguration);
  const Configuration C = configurations().back();
  configurations().pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *static_cast<cudaStream_t *>(On) = C.On;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t Kernel, dim3 Grid, dim3 Block,
                               void **Arguments, size_t Shared,
                               cudaStream_t On) {
  if (cudaError_t E = start())
    return E;
  return launch(reinterpret_cast<CUfunction>(Kernel), Grid, Block, Arguments,
                Shared, On);
}

cudaError_t cudaLaunchKernel(const void *Stub, dim3 Grid, dim3 Block,
                             void **Arguments, size_t Shared, cudaStream_t On) {
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  return launch(F, Grid, Block, Arguments, Shared, On);
}

cudaError_t cudaLaunchCooperativeKernel(const void *Stub, dim3 Grid, dim3 Block,
                                        void **Arguments, size_t Shared,
                                        cudaStream_t On) {
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  return result(DRIVER(cuLaunchCooperativeKernel)(
      F, Grid.x, Grid.y, Grid.z, Block.x, Block.y, Block.z,
      static_cast<unsigned>(Shared), On, Arguments));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Stub, void **Arguments) {
  if (!Config)
    return result(cudaErrorInvalidValue);
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  CUlaunchConfig Driver{};
  Driver.gridDimX = Config->gridDim.x;
  Driver.gridDimY = Config->gridDim.y;
  Driver.gridDimZ = Config->gridDim.z;
  Driver.blockDimX = Config->blockDim.x;
  Driver.blockDimY = Config->blockDim.y;
  Driver.blockDimZ = Config->blockDim.z;
  Driver.sharedMemBytes = static_cast<unsigned>(Config->dynamicSmemBytes);
  Driver.hStream = Config->stream;
  // The runtime's launch attribute is the driver's under another name.
  Driver.attrs = reinterpret_cast<CUlaunchAttribute *>(Config->attrs);
  Driver.numAttrs = Config->numAttrs;
  return result(DRIVER(cuLaunchKernelEx)(&Driver, F, Arguments, nullptr));
}

cudaError_t cudaFuncSetAttribute(const void *Stub, cudaFuncAttribute Attribute,
                                 int Value) {
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  int Device = 0;
  cudaGetDevice(&Device);
  return result(DRIVER(cuKernelSetAttribute)(
      static_cast<CUfunction_attribute>(Attribute), Value,
      reinterpret_cast<CUkernel>(F), Device));
}

cudaError_t cudaFuncSetCacheConfig(const void *Stub, cudaFuncCache Config) {
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  int Device = 0;
  cudaGetDevice(&Device);
  return result(DRIVER(cuKernelSetCacheConfig)(
      reinterpret_cast<CUkernel>(F), static_cast<CUfunc_cache>(Config),
      Device));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Out, const void *Stub) {
  if (!Out)
    return result(cudaErrorInvalidValue);
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  // The CUDA runtime loads the function; cuFuncGetAttribute would not.
  if (CUresult E =
          DRIVER(cuKernelGetFunction)(&F, reinterpret_cast<CUkernel>(F)))
    return result(E);
  std::memset(Out, 0, sizeof *Out);
  auto Get = [&](CUfunction_attribute A) {
    int Value = 0;
    DRIVER(cuFuncGetAttribute)(&Value, A, F);
    return Value;
  };
  int First = 0;
  if (CUresult E = DRIVER(cuFuncGetAttribute)(
          &First, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, F))
    return result(E);
  Out->sharedSizeBytes = static_cast<size_t>(First);
  Out->localSizeBytes =
      static_cast<size_t>(Get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  Out->maxThreadsPerBlock = Get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  Out->numRegs = Get(CU_FUNC_ATTRIBUTE_NUM_REGS);
  Out->ptxVersion = Get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  Out->binaryVersion = Get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  Out->maxDynamicSharedSizeBytes =
      Get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Out, const void *Stub, int BlockSize, size_t Shared, unsigned) {
  CUfunction F;
  if (cudaError_t E = startAndFind(Stub, F))
    return E;
  return result(DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor)(
      Out, F, BlockSize, Shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Out,
                                                          const void *Stub,
                                                          int BlockSize,
                                                          size_t Shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      Out, Stub, BlockSize, Shared, 0);
}

} // extern "C"
