//===- Device.cpp - What a device of this machine is ----------------------===//

#include "probe/Device.h"

#include "probe/Driver.h"

namespace kplan::probe {

Result<DeviceFacts> readDevice(int Ordinal) {
  auto Api = loadDriver();
  if (!Api)
    return Api.errors();
  int Count = 0;
  CUdevice Device = 0;
  if (!Api->DeviceGetCount || !Api->DeviceGet || !Api->DeviceGetAttribute ||
      !Api->DeviceGetName || Api->DeviceGetCount(&Count) != CUDA_SUCCESS)
    return makeError("the driver names no devices");
  if (Ordinal >= Count || Api->DeviceGet(&Device, Ordinal) != CUDA_SUCCESS)
    return makeError("there is no device " + std::to_string(Ordinal) + ": " +
                     std::to_string(Count) + " are here");
  CUresult Error = CUDA_SUCCESS;
  auto Ask = [&](CUdevice_attribute Which) {
    int Value = 0;
    if (CUresult E = Api->DeviceGetAttribute(&Value, Which, Device))
      Error = E;
    return static_cast<unsigned>(Value);
  };
  DeviceFacts F;
  char Name[256] = "";
  Error = Api->DeviceGetName(Name, sizeof Name, Device);
  F.Gpu = Name;
  F.Driver = Api->Version;
  F.Sms = Ask(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  F.Arch = Ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
           Ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  F.SharedBytes = Ask(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  F.Clusters = Ask(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) != 0;
  if (Error)
    return makeError(Api->describe(Error, "cuDeviceGetAttribute"));
  return F;
}

} // namespace kplan::probe
