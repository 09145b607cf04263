//===- DriverBehind.cpp - The driver behind the hooks ---------------------===//
//
// Part of kplan. The runtime calls the driver's own functions: what it does is
// not observed, and no hook is entered.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "hooks/Adopter.h"
#include "hooks/RealDriver.h"

#include <dlfcn.h>

using namespace kplan;
using namespace kplan::runtime;

Result<DriverApi> kplan::runtime::openDriver() {
  hooks::LoadedObject Driver = hooks::loadedDriver();
  // Under a hook it is always there, and dlopen would take the loader's lock.
  if (!Driver && dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
    Driver = hooks::loadedDriver();
  if (!Driver)
    return makeError("the CUDA driver cannot be opened: libcuda.so.1 is not "
                     "there, or is no library of this process");
  return makeDriverApi(reinterpret_cast<GetProcAddressFunction *>(
      Driver.findFunction("cuGetProcAddress_v2")));
}

CodeTable *kplan::runtime::loadedCode() { return hooks::keepCodeTable(); }
