//===- HookSettings.h - What the environment says about hooks -------------===//
//
// Part of kplan. Hooks ask before anything may allocate, so this does not go
// through Environment.h. Through secure_getenv, as all of kplan.
//
//   KPLAN_DISABLE=1        nothing is hooked
//   KPLAN_VERBOSE=1        says what is hooked, and what cannot be seen
//   KPLAN_ESCAPES=all      hooks launches, for the counter of escapes
//   KPLAN_CALLS=load,set   logs calls with these purposes; or `all`
//   KPLAN_PLAN=FILE        that there is one; Environment.h knows which
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_HOOKSETTINGS_H
#define KPLAN_RUNTIME_HOOKS_HOOKSETTINGS_H

#include "hooks/DriverFunctions.h"

#include <string_view>

namespace kplan::runtime::hooks {

struct HookSettings {
  bool Disabled = false;
  bool Verbose = false;
  /// There is a plan, or something is said about the seal or about escapes.
  bool WatchesEscapes = false;
  bool AllEscapes = false;
  Purposes Calls;
  bool Plan = false;
  /// What of KPLAN_CALLS was not understood; points into the environment.
  std::string_view NotAPurpose;
};

/// The environment as it is now. Allocates nothing.
HookSettings readHookSettings();

/// As it was when first asked for; the program may change it later.
const HookSettings &hookSettings();

/// "load,set", or "all", which leaves out what nobody observes.
/// \param NotAPurpose receives the first word that names no purpose.
Purposes parsePurposes(std::string_view Text, std::string_view &NotAPurpose);

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_HOOKSETTINGS_H
