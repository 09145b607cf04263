//===- DriverQuestions.h - What the recorder asks the driver --------------===//
//
// Part of kplan. Only questions that neither load nor wait nor change anything.
// They go to the driver itself, past all hooks; each is looked up when it is
// asked, since a driver may be unloaded and come back.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_DRIVERQUESTIONS_H
#define KPLAN_RUNTIME_RECORD_DRIVERQUESTIONS_H

#include "trace/Event.h"

#include <cuda.h>
#include <optional>
#include <string>

namespace kplan::runtime::record {

/// Empty: not known, or the driver is too old to say.
std::string nameOfKernel(CUkernel Kernel);
std::string nameOfFunction(CUfunction Function);
CUlibrary libraryOf(CUkernel Kernel);
/// Asking for the first time loads the function: only after its launch.
CUmodule moduleOf(CUfunction Function);

size_t countKernels(CUlibrary Library);
size_t countFunctions(CUmodule Module);

/// Of the calling thread. None: no context is current.
std::optional<CUdevice> currentDevice();
CUcontext currentContext();

/// Local memory per thread.
std::optional<uint64_t> localBytes(CUkernel Kernel, CUdevice Device);
/// Only after its launch.
std::optional<uint64_t> localBytes(CUfunction Function);

trace::DriverEvent describeDriver();
trace::DeviceEvent describeDevice(CUdevice Device);

/// "CUDA_ERROR_INVALID_VALUE", or the number.
std::string nameOfResult(CUresult Result);

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_DRIVERQUESTIONS_H
