//===- Limits.h - The context's limits against the plan's -----------------===//
//
// Part of kplan. Priming sets those that first uses depend on, and the
// program's own later call with the same value is answered where the driver
// would refuse it. Where no call is seen it could not be: then limits are
// compared only.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LIMITS_H
#define KPLAN_RUNTIME_LIMITS_H

#include "DriverApi.h"
#include "plan/Plan.h"

#include <string>
#include <vector>

namespace kplan::runtime {

struct LimitCheck {
  /// The plan's limit differs from the one in force, so the program will set
  /// it, which it can no longer once the service has started.
  bool HoldPrintf = false;
  bool HoldMalloc = false;
  std::vector<std::string> Warnings;
};

/// Of the calling thread's context.
LimitCheck checkLimits(const DriverApi &Api, const Limits &Planned);

/// Sets the planned limits that differ in the calling thread's context, then
/// checks. Only those whose memory a first use would set aside.
LimitCheck applyLimits(const DriverApi &Api, const Limits &Planned);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LIMITS_H
