//===- Hooks.h - The hooks ------------------------------------------------===//
//
// Part of kplan. Each hooked function has two entries, both generated from the
// table: an exported symbol, for programs that are linked with the driver, and
// a hidden function, for those that ask for a pointer. The first goes on to the
// next definition of the symbol, the second to the driver's.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_HOOKS_H
#define KPLAN_RUNTIME_HOOKS_HOOKS_H

#include "hooks/DriverFunctions.h"
#include "hooks/HookSettings.h"

namespace kplan::runtime::hooks {

/// What is given out in place of the driver's own pointer.
void *hookFor(DriverFunction F);

/// The exported symbol, whatever other library may stand in front.
void *exportedHook(DriverFunction F);

/// Once a process, before the first hook is given out or called: says that
/// kplan is there, and adds the observers that the environment asks for.
/// Allocates nothing.
void startHooks();

/// Adds the observers beside the log of calls. Called by startHooks(), so it
/// allocates nothing; defined by each library that links the hooks.
void addProcessObservers(const HookSettings &Settings);

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_HOOKS_H
