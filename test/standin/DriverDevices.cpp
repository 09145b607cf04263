//===- DriverDevices.cpp - Start, versions, entry points, devices ---------===//

#include "Call.h"
#include "Errors.h"

#include "hooks/LoadedObject.h"

#include <cstdio>
#include <cstring>

using namespace standin;

/// As a driver knows it: whoever defines dlsym is not asked.
static void *ownFunction(const std::string &Name) {
  using kplan::runtime::hooks::LoadedObject;
  static const LoadedObject Self = kplan::runtime::hooks::objectContaining(
      reinterpret_cast<void *>(&ownFunction));
  return Self.findFunction(Name);
}

extern "C" {

CUresult cuInit(unsigned Flags) {
  return call(
      "cuInit",
      [&](Call &C) {
        if (Flags != 0)
          return CUDA_ERROR_INVALID_VALUE;
        C.S.Initialised = true;
        return CUDA_SUCCESS;
      },
      false);
}

CUresult cuDriverGetVersion(int *Version) {
  if (!Version)
    return CUDA_ERROR_INVALID_VALUE;
  *Version = DriverVersion;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult Error, const char **Text) {
  if (!Text)
    return CUDA_ERROR_INVALID_VALUE;
  *Text = errorName(Error);
  return *Text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult Error, const char **Text) {
  return cuGetErrorName(Error, Text);
}

// The newest variant of the name that the requested version knows. The
// stand-in has one ABI a function, so that only the suffix is looked for.
CUresult cuGetProcAddress_v2(const char *Symbol, void **Function, int Version,
                             cuuint64_t Flags,
                             CUdriverProcAddressQueryResult *Status) {
  (void)Flags;
  if (!Symbol || !Function)
    return CUDA_ERROR_INVALID_VALUE;
  const std::string Name = Symbol;
  *Function = nullptr;
  for (const char *Suffix : {"_v4", "_v3", "_v2", ""})
    if ((*Function = ownFunction(Name + Suffix)))
      break;
  const bool TooNew = *Function && Version > DriverVersion;
  if (TooNew)
    *Function = nullptr;
  if (Status)
    *Status = *Function ? CU_GET_PROC_ADDRESS_SUCCESS
              : TooNew  ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *Function || Status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *Symbol, void **Function, int Version,
                          cuuint64_t Flags) {
  return cuGetProcAddress_v2(Symbol, Function, Version, Flags, nullptr);
}

CUresult cuDeviceGetCount(int *Count) {
  return call("cuDeviceGetCount", [&](Call &) {
    if (!Count)
      return CUDA_ERROR_INVALID_VALUE;
    *Count = DeviceCount;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice *Device, int Ordinal) {
  return call("cuDeviceGet", [&](Call &) {
    if (!Device)
      return CUDA_ERROR_INVALID_VALUE;
    if (Ordinal < 0 || Ordinal >= DeviceCount)
      return CUDA_ERROR_INVALID_DEVICE;
    *Device = Ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char *Name, int Length, CUdevice Device) {
  return call("cuDeviceGetName", [&](Call &) {
    if (!Name || Length < 1)
      return CUDA_ERROR_INVALID_VALUE;
    if (Device < 0 || Device >= DeviceCount)
      return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(Name, static_cast<size_t>(Length),
                  "kplan stand-in driver (simulated)");
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem_v2(size_t *Bytes, CUdevice Device) {
  return call("cuDeviceTotalMem_v2", [&](Call &) {
    if (!Bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (Device < 0 || Device >= DeviceCount)
      return CUDA_ERROR_INVALID_DEVICE;
    *Bytes = 141ULL << 30;
    return CUDA_SUCCESS;
  });
}

// An H200's figures, where a program of the tests asks for them.
CUresult cuDeviceGetAttribute(int *Value, CUdevice_attribute Attribute,
                              CUdevice Device) {
  return call("cuDeviceGetAttribute", [&](Call &C) {
    C.Subject = std::to_string(Attribute);
    if (!Value)
      return CUDA_ERROR_INVALID_VALUE;
    if (Device < 0 || Device >= DeviceCount)
      return CUDA_ERROR_INVALID_DEVICE;
    switch (Attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
      *Value = 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      *Value = 48 << 10;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *Value = 227 << 10;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      *Value = 228 << 10;
      break;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
      *Value = 1 << 10;
      break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      *Value = 32;
      break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *Value = SmCount;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      *Value = ThreadsPerSm;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *Value = Arch / 10;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *Value = Arch % 10;
      break;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
      *Value = 1;
      break;
    default:
      if (Attribute < 1 || Attribute >= CU_DEVICE_ATTRIBUTE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
      *Value = 0;
    }
    return CUDA_SUCCESS;
  });
}

} // extern "C"
