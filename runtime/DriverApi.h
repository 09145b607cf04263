//===- DriverApi.h - The driver, found at run time ------------------------===//
//
// Part of kplan. A table of the driver functions that the runtime calls. The
// runtime is not linked with libcuda: a program that carries kplan must start
// where there is no driver. Tests fill a table with functions of their own;
// hooks will fill one with the real functions behind them.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_DRIVERAPI_H
#define KPLAN_RUNTIME_DRIVERAPI_H

#include "plan/Diagnostic.h"

#include <cuda.h>

#include <functional>
#include <string>

namespace kplan::runtime {

struct DriverApi {
#define KPLAN_DRIVER(Name, Version, Needed) decltype(&cu##Name) Name = nullptr;
#include "DriverApi.def"

  /// Whether functions that are not loaded can be listed.
  bool canListFunctions() const {
    return KernelGetLibrary && ModuleGetFunctionCount &&
           ModuleEnumerateFunctions && FuncIsLoaded;
  }

  /// "cuKernelGetFunction: CUDA_ERROR_NO_BINARY_FOR_GPU (209)".
  std::string describe(CUresult Error, const char *Call) const;
};

/// Gives the address of a driver function for a CUDA version, or null.
using DriverResolver = std::function<void *(const char *Name, int Version)>;

/// Fills a table; an error names each required function that is missing.
Result<DriverApi> makeDriverApi(const DriverResolver &Resolve);

/// The driver's cuGetProcAddress_v2.
using GetProcAddressFunction = CUresult(const char *, void **, int, cuuint64_t,
                                        CUdriverProcAddressQueryResult *);
/// Null: the driver is too old to have one.
Result<DriverApi> makeDriverApi(GetProcAddressFunction *Get);

/// From libcuda.so.1, which stays loaded.
Result<DriverApi> loadDriverApi();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_DRIVERAPI_H
