//===- Device.cpp - Start of the runtime, devices -------------------------===//

#include "Runtime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>

using namespace standin::cudart;

namespace standin::cudart {

void *driverFunction(const char *Name) {
  static std::mutex Mutex;
  // Never destroyed: the program's destructors unregister its code.
  static auto &Known = *new std::map<std::string, void *>;
  std::lock_guard<std::mutex> Guard(Mutex);
  void *&Function = Known[Name];
  if (Function)
    return Function;
  static void *const Driver = dlopen("libcuda.so.1", RTLD_NOW);
  using GetProcAddress = CUresult (*)(const char *, void **, int, cuuint64_t,
                                      CUdriverProcAddressQueryResult *);
  static const auto Get = Driver ? reinterpret_cast<GetProcAddress>(
                                       dlsym(Driver, "cuGetProcAddress_v2"))
                                 : nullptr;
  std::string Base = Name;
  // cuda.h's macros have put the version behind the name.
  for (const char *Suffix : {"_v2", "_v3", "_v4"})
    if (Base.ends_with(Suffix))
      Base.resize(Base.size() - 3);
  if (!Get || Get(Base.c_str(), &Function, CUDA_VERSION, 0, nullptr)) {
    std::fprintf(stderr, "stand-in CUDA runtime: the driver has no %s\n", Name);
    std::abort();
  }
  return Function;
}

int &threadDevice() {
  thread_local int Device = 0;
  return Device;
}

cudaError_t start() {
  static auto &Mutex = *new std::mutex;
  static auto &Primary = *new std::map<int, CUcontext>;
  std::unique_lock<std::mutex> Guard(Mutex);
  if (CUresult E = DRIVER(cuInit)(0))
    return result(E);
  CUcontext Current = nullptr;
  if (CUresult E = DRIVER(cuCtxGetCurrent)(&Current))
    return result(E);
  if (Current)
    return cudaSuccess;
  const int Device = threadDevice();
  const bool First = !Primary.count(Device);
  if (First)
    if (CUresult E =
            DRIVER(cuDevicePrimaryCtxRetain)(&Primary[Device], Device)) {
      Primary.erase(Device);
      return result(E);
    }
  if (CUresult E = DRIVER(cuCtxSetCurrent)(Primary[Device]))
    return result(E);
  Guard.unlock();
  const char *Loading = std::getenv("CUDA_MODULE_LOADING");
  if (First && Loading && std::strcmp(Loading, "EAGER") == 0)
    loadAll();
  return cudaSuccess;
}

} // namespace standin::cudart

extern "C" {

cudaError_t cudaGetDeviceCount(int *Count) {
  if (CUresult E = DRIVER(cuInit)(0))
    return result(E);
  return result(DRIVER(cuDeviceGetCount)(Count));
}

cudaError_t cudaSetDevice(int Device) {
  int Count = 0;
  if (cudaError_t E = cudaGetDeviceCount(&Count))
    return E;
  if (Device < 0 || Device >= Count)
    return result(cudaErrorInvalidDevice);
  threadDevice() = Device;
  if (CUresult E = DRIVER(cuCtxSetCurrent)(nullptr))
    return result(E);
  return start(); // as of CUDA 12
}

cudaError_t cudaInitDevice(int Device, unsigned, unsigned) {
  const int Before = threadDevice();
  CUcontext Current = nullptr;
  if (CUresult E = DRIVER(cuInit)(0))
    return result(E);
  if (CUresult E = DRIVER(cuCtxGetCurrent)(&Current))
    return result(E);
  const cudaError_t R = cudaSetDevice(Device);
  threadDevice() = Before;
  DRIVER(cuCtxSetCurrent)(Current); // initialises, does not switch
  return R;
}

cudaError_t cudaGetDevice(int *Device) {
  if (!Device)
    return result(cudaErrorInvalidValue);
  CUdevice Current;
  *Device = DRIVER(cuCtxGetDevice)(&Current) == CUDA_SUCCESS ? Current
                                                             : threadDevice();
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuCtxSynchronize)());
}

cudaError_t cudaDeviceReset(void) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuDevicePrimaryCtxReset)(threadDevice()));
}

cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute,
                                   int Device) {
  if (CUresult E = DRIVER(cuInit)(0))
    return result(E);
  return result(DRIVER(cuDeviceGetAttribute)(
      Value, static_cast<CUdevice_attribute>(Attribute), Device));
}

cudaError_t cudaDeviceGetLimit(size_t *Value, cudaLimit Limit) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuCtxGetLimit)(Value, static_cast<CUlimit>(Limit)));
}

cudaError_t cudaDeviceSetLimit(cudaLimit Limit, size_t Value) {
  if (cudaError_t E = start())
    return E;
  return result(DRIVER(cuCtxSetLimit)(static_cast<CUlimit>(Limit), Value));
}

cudaError_t cudaDriverGetVersion(int *Version) {
  return result(DRIVER(cuDriverGetVersion)(Version));
}

cudaError_t cudaRuntimeGetVersion(int *Version) {
  if (!Version)
    return result(cudaErrorInvalidValue);
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

} // extern "C"
