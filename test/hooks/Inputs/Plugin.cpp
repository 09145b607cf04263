//===- Plugin.cpp - A library that is linked with the driver --------------===//

#include <cuda.h>
#include <dlfcn.h>

/// Once by the linked symbol, once by a pointer.
extern "C" __attribute__((visibility("default"))) int runPlugin() {
  CUresult Direct = cuMemFree(1);
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  auto *Free =
      reinterpret_cast<decltype(&cuMemFree)>(dlsym(Driver, "cuMemFree_v2"));
  return Free(2) == Direct ? static_cast<int>(Direct) : -1;
}
