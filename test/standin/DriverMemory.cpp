//===- DriverMemory.cpp - Device memory, which is host memory here --------===//

#include "Call.h"

#include <cstdlib>
#include <cstring>

using namespace standin;

static void *pointer(CUdeviceptr Address) {
  return reinterpret_cast<void *>(Address);
}

// Copies are made at once, also where the stream has to wait: kernels compute
// nothing here, so that there is no result to wait for.
static CUresult copy(const char *Function, void *To, const void *From,
                     size_t Bytes) {
  return callOnDevice(Function, [&](Call &, Device &) {
    if (Bytes != 0 && (!To || !From))
      return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(To, From, Bytes);
    return CUDA_SUCCESS;
  });
}

static CUresult copyOn(const char *Function, void *To, const void *From,
                       size_t Bytes, CUstream On) {
  return callOnDevice(Function, [&](Call &C, Device &) {
    if (!C.S.stream(On))
      return CUDA_ERROR_INVALID_HANDLE;
    if (Bytes != 0 && (!To || !From))
      return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(To, From, Bytes);
    return CUDA_SUCCESS;
  });
}

extern "C" {

CUresult cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  return callOnDevice("cuMemGetInfo_v2", [&](Call &C, Device &D) {
    if (!Free || !Total)
      return CUDA_ERROR_INVALID_VALUE;
    *Total = 141ULL << 30;
    *Free = *Total - C.S.memoryInUse(D);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr *Out, size_t Bytes) {
  return callOnDevice("cuMemAlloc_v2", [&](Call &C, Device &D) {
    if (!Out || Bytes == 0)
      return CUDA_ERROR_INVALID_VALUE;
    void *Memory = std::malloc(Bytes);
    if (!Memory)
      return CUDA_ERROR_OUT_OF_MEMORY;
    C.S.DeviceMemory[Memory] = Bytes;
    D.Allocated += Bytes;
    *Out = reinterpret_cast<CUdeviceptr>(Memory);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFree_v2(CUdeviceptr Address) {
  return callOnDevice("cuMemFree_v2", [&](Call &C, Device &D) {
    if (Address == 0) {
      C.effect(D);
      return CUDA_SUCCESS;
    }
    auto It = C.S.DeviceMemory.find(pointer(Address));
    if (It == C.S.DeviceMemory.end())
      return CUDA_ERROR_INVALID_VALUE;
    const auto [Memory, Bytes] = *It;
    C.S.DeviceMemory.erase(It);
    C.effect(D);
    D.Allocated -= std::min<uint64_t>(Bytes, D.Allocated);
    std::free(Memory);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostAlloc(void **Out, size_t Bytes, unsigned Flags) {
  (void)Flags;
  return callOnDevice("cuMemHostAlloc", [&](Call &C, Device &) {
    if (!Out || Bytes == 0)
      return CUDA_ERROR_INVALID_VALUE;
    *Out = std::calloc(1, Bytes);
    if (!*Out)
      return CUDA_ERROR_OUT_OF_MEMORY;
    C.S.HostMemory[*Out] = Bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFreeHost(void *Memory) {
  return callOnDevice("cuMemFreeHost", [&](Call &C, Device &D) {
    if (C.S.HostMemory.erase(Memory) == 0)
      return CUDA_ERROR_INVALID_VALUE;
    C.effect(D);
    std::free(Memory);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *Out, void *Memory,
                                      unsigned Flags) {
  return callOnDevice("cuMemHostGetDevicePointer_v2", [&](Call &C, Device &) {
    if (!Out || Flags != 0 || !C.S.HostMemory.count(Memory))
      return CUDA_ERROR_INVALID_VALUE;
    *Out = reinterpret_cast<CUdeviceptr>(Memory);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpy(CUdeviceptr To, CUdeviceptr From, size_t Bytes) {
  return copy("cuMemcpy", pointer(To), pointer(From), Bytes);
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr To, const void *From, size_t Bytes) {
  return copy("cuMemcpyHtoD_v2", pointer(To), From, Bytes);
}
CUresult cuMemcpyDtoH_v2(void *To, CUdeviceptr From, size_t Bytes) {
  return copy("cuMemcpyDtoH_v2", To, pointer(From), Bytes);
}
CUresult cuMemcpyAsync(CUdeviceptr To, CUdeviceptr From, size_t Bytes,
                       CUstream On) {
  return copyOn("cuMemcpyAsync", pointer(To), pointer(From), Bytes, On);
}

CUresult cuMemsetD8_v2(CUdeviceptr To, unsigned char Value, size_t Bytes) {
  return callOnDevice("cuMemsetD8_v2", [&](Call &, Device &) {
    if (Bytes != 0 && To == 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::memset(pointer(To), Value, Bytes);
    return CUDA_SUCCESS;
  });
}

} // extern "C"
