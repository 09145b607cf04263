//===- green.cpp - Two tenants of one GPU --------------------------------===//

#include "green.h"

#include "check.h"

#include <algorithm>

Gpu::Gpu() {
  check(cuInit(0), "no usable CUDA device (cuInit)");
  check(cuDriverGetVersion(&DriverVersion), "cuDriverGetVersion");
  if (DriverVersion < 12050)
    throw Failure("the driver is too old: green contexts with streams need "
                  "CUDA 12.5, this driver has " +
                  std::to_string(DriverVersion / 1000) + "." +
                  std::to_string(DriverVersion % 1000 / 10));
  check(cuDeviceGet(&Device, 0), "cuDeviceGet");
  char Text[256] = "";
  check(cuDeviceGetName(Text, sizeof Text, Device), "cuDeviceGetName");
  Name = Text;
  check(cudaSetDevice(0), "cudaSetDevice");
}

bool Gpu::simulated() const {
  return Name.find("stand-in") != std::string::npos;
}

Partition splitSms(CUdevice Device) {
  CUdevResource All{};
  check(cuDeviceGetDevResource(Device, &All, CU_DEV_RESOURCE_TYPE_SM),
        "cuDeviceGetDevResource");
  // A group smaller than this is rounded up, at B's cost. Drivers before 13
  // do not tell: 8 SMs is the step of compute capability 9.
  const unsigned Step =
      std::max({All.sm.smCoscheduledAlignment, All.sm.minSmPartitionSize, 1u});
  const unsigned Granule = Step == 1 ? 8 : Step;
  const unsigned Half = All.sm.smCount / 2 / Granule * Granule;
  if (Half == 0)
    throw Failure("not enough SMs for two green contexts: the device has " +
                  std::to_string(All.sm.smCount) + ", each needs " +
                  std::to_string(Granule));
  Partition Parts{};
  unsigned Groups = 1;
  check(cuDevSmResourceSplitByCount(&Parts.A, &Groups, &All, &Parts.B, 0, Half),
        "cuDevSmResourceSplitByCount");
  if (Groups != 1 || Parts.B.sm.smCount == 0)
    throw Failure("not enough SMs: nothing is left for tenant B");
  return Parts;
}

Tenant::Tenant(CUdevice Device, CUdevResource Sms) : SmCount(Sms.sm.smCount) {
  CUdevResourceDesc Descriptor;
  check(cuDevResourceGenerateDesc(&Descriptor, &Sms, 1),
        "cuDevResourceGenerateDesc");
  check(
      cuGreenCtxCreate(&Green, Descriptor, Device, CU_GREEN_CTX_DEFAULT_STREAM),
      "cuGreenCtxCreate");
  check(cuGreenCtxStreamCreate(&Stream, Green, CU_STREAM_NON_BLOCKING, 0),
        "cuGreenCtxStreamCreate");
}

Tenant::~Tenant() {
  if (Stream)
    cuStreamDestroy(Stream);
  if (Green)
    cuGreenCtxDestroy(Green);
}
