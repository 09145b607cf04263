//===- DriverLookup.h - Which pointer a program gets ----------------------===//
//
// Part of kplan. Programs find driver functions by dlsym and cuGetProcAddress;
// both come here with the pointer that the program would have got.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_DRIVERLOOKUP_H
#define KPLAN_RUNTIME_HOOKS_DRIVERLOOKUP_H

#include "hooks/RealDriver.h"

namespace kplan::runtime::hooks {

/// The hook for a pointer that the driver gave out for Name, or the pointer
/// itself where there is none: functions that are passed by, launches while
/// nobody observes them, pointers that are not known (noted), or all, when
/// kplan is switched off. Allocates nothing.
void *handOut(std::string_view Name, void *Real, GivenBy Giver);

} // namespace kplan::runtime::hooks

// What the dlsym of libkplan_runtime.so (Dlsym.S) calls. Returns the function
// to go on to with the same arguments: the real dlsym, for all names that are
// not ours, so that it sees who called. `Caller` is an address in the calling
// code.
extern "C" void *kplan_dlsym_target(void *Handle, const char *Name,
                                    const void *Caller) noexcept;

#endif // KPLAN_RUNTIME_HOOKS_DRIVERLOOKUP_H
