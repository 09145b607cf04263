//===- CallLog.h - Driver calls, as they happen ---------------------------===//
//
// Part of kplan. An observer that writes a line for each call to standard error
// (KPLAN_CALLS): time since the first, thread, function, arguments, result,
// duration.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_CALLLOG_H
#define KPLAN_RUNTIME_HOOKS_CALLLOG_H

#include "hooks/DriverFunctions.h"

namespace kplan::runtime::hooks {

/// Starts it; allocates nothing.
void addCallLog(Purposes Wanted);

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_CALLLOG_H
