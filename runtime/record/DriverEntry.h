//===- DriverEntry.h - Call a function of the driver by its name ----------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_DRIVERENTRY_H
#define KPLAN_RUNTIME_RECORD_DRIVERENTRY_H

#include "hooks/RealDriver.h"

#include <cuda.h>

namespace kplan::runtime::record {

/// The driver's own function; null: this driver has none.
template <class Function> Function *driverEntry(const char *Symbol) {
  return reinterpret_cast<Function *>(
      hooks::loadedDriver().findFunction(Symbol));
}

/// Calls it; false where it is not there or fails.
template <class Function, class... Arguments>
bool ask(const char *Symbol, Arguments... With) {
  auto *Entry = driverEntry<Function>(Symbol);
  return Entry && Entry(With...) == CUDA_SUCCESS;
}

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_DRIVERENTRY_H
