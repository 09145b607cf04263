//===- DriverQuestions.cpp - What the recorder asks the driver ------------===//

#include "record/DriverQuestions.h"

#include "record/DriverEntry.h"

#include <climits>
#include <cstdlib>

using namespace kplan;
using namespace kplan::runtime;
using namespace kplan::runtime::record;

// cuda.h's macros turn some names into those of a later ABI, and older headers
// do not declare all of these: each is asked for by the name it stands under.

std::string kplan::runtime::record::nameOfKernel(CUkernel Kernel) {
  const char *Name = nullptr;
  ask<CUresult(const char **, CUkernel)>("cuKernelGetName", &Name, Kernel);
  return Name ? Name : "";
}

std::string kplan::runtime::record::nameOfFunction(CUfunction Function) {
  const char *Name = nullptr;
  ask<CUresult(const char **, CUfunction)>("cuFuncGetName", &Name, Function);
  return Name ? Name : "";
}

CUlibrary kplan::runtime::record::libraryOf(CUkernel Kernel) {
  CUlibrary Library = nullptr;
  ask<CUresult(CUlibrary *, CUkernel)>("cuKernelGetLibrary", &Library, Kernel);
  return Library;
}

CUmodule kplan::runtime::record::moduleOf(CUfunction Function) {
  CUmodule Module = nullptr;
  ask<CUresult(CUmodule *, CUfunction)>("cuFuncGetModule", &Module, Function);
  return Module;
}

size_t kplan::runtime::record::countKernels(CUlibrary Library) {
  unsigned Count = 0;
  ask<CUresult(unsigned *, CUlibrary)>("cuLibraryGetKernelCount", &Count,
                                       Library);
  return Count;
}

size_t kplan::runtime::record::countFunctions(CUmodule Module) {
  unsigned Count = 0;
  ask<CUresult(unsigned *, CUmodule)>("cuModuleGetFunctionCount", &Count,
                                      Module);
  return Count;
}

std::optional<CUdevice> kplan::runtime::record::currentDevice() {
  CUdevice Device = 0;
  if (!ask<CUresult(CUdevice *)>("cuCtxGetDevice", &Device))
    return std::nullopt;
  return Device;
}

CUcontext kplan::runtime::record::currentContext() {
  CUcontext Context = nullptr;
  ask<CUresult(CUcontext *)>("cuCtxGetCurrent", &Context);
  return Context;
}

std::optional<uint64_t> kplan::runtime::record::localBytes(CUkernel Kernel,
                                                           CUdevice Device) {
  int Bytes = 0;
  if (!ask<CUresult(int *, CUfunction_attribute, CUkernel, CUdevice)>(
          "cuKernelGetAttribute", &Bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
          Kernel, Device) ||
      Bytes < 0)
    return std::nullopt;
  return static_cast<uint64_t>(Bytes);
}

std::optional<uint64_t>
kplan::runtime::record::localBytes(CUfunction Function) {
  int Bytes = 0;
  if (!ask<CUresult(int *, CUfunction_attribute, CUfunction)>(
          "cuFuncGetAttribute", &Bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
          Function) ||
      Bytes < 0)
    return std::nullopt;
  return static_cast<uint64_t>(Bytes);
}

/// "580.159.04", as the file is called that libcuda.so.1 stands for.
static std::string versionOfFile() {
  char Real[PATH_MAX];
  if (!::realpath(hooks::loadedDriver().path(), Real))
    return {};
  std::string Path = Real;
  const std::string Name = "libcuda.so.";
  size_t At = Path.rfind(Name);
  if (At == Path.npos)
    return {};
  std::string Version = Path.substr(At + Name.size());
  return Version.find('.') == Version.npos ? "" : Version;
}

trace::DriverEvent kplan::runtime::record::describeDriver() {
  trace::DriverEvent E;
  E.Version = versionOfFile();
  int Number = 0;
  if (E.Version.empty() && ask<CUresult(int *)>("cuDriverGetVersion", &Number))
    E.Version = "cuda-" + std::to_string(Number / 1000) + "." +
                std::to_string(Number % 1000 / 10);
  int Mode = 0; // CUmoduleLoadingMode
  if (ask<CUresult(int *)>("cuModuleGetLoadingMode", &Mode))
    E.Loading = Mode == 1 ? "eager" : "lazy";
  return E;
}

trace::DeviceEvent kplan::runtime::record::describeDevice(CUdevice Device) {
  trace::DeviceEvent E;
  E.Ordinal = static_cast<uint64_t>(Device);
  char Name[256] = {};
  if (ask<CUresult(char *, int, CUdevice)>(
          "cuDeviceGetName", Name, static_cast<int>(sizeof Name) - 1, Device))
    E.Name = Name;
  auto Attribute = [&](CUdevice_attribute Which) {
    int Value = 0;
    ask<CUresult(int *, CUdevice_attribute, CUdevice)>("cuDeviceGetAttribute",
                                                       &Value, Which, Device);
    return static_cast<uint64_t>(Value);
  };
  E.Sms = Attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  E.Arch = Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
           Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return E;
}

std::string kplan::runtime::record::nameOfResult(CUresult Result) {
  const char *Name = nullptr;
  ask<CUresult(CUresult, const char **)>("cuGetErrorName", Result, &Name);
  return Name ? Name : std::to_string(Result);
}
