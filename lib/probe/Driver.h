//===- Driver.h - The driver, found at run time ---------------------------===//
//
// Part of kplan. The driver functions that a worker of the probe calls. None is
// required: drivers differ, and a row that cannot be measured is a result.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_DRIVER_H
#define KPLAN_PROBE_DRIVER_H

#include "plan/Diagnostic.h"

#include <cuda.h>

#include <string>

namespace kplan::probe {

struct Driver {
#define KPLAN_PROBE_DRIVER(Name, Version) decltype(&cu##Name) Name = nullptr;
#include "probe/Driver.def"

  /// "580.159.04", from the file's name; empty: it does not say.
  std::string Version;

  /// "cuKernelGetFunction: CUDA_ERROR_NO_BINARY_FOR_GPU (209)".
  std::string describe(CUresult Error, const char *Call) const;
};

/// From libcuda.so.1, initialised.
Result<Driver> loadDriver();

} // namespace kplan::probe

#endif // KPLAN_PROBE_DRIVER_H
