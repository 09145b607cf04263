//===- Environment.h - The KPLAN_* variables ------------------------------===//
//
// Part of kplan. The one place that reads the environment, through
// secure_getenv: a set-uid program takes no plan from its caller.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ENVIRONMENT_H
#define KPLAN_RUNTIME_ENVIRONMENT_H

#include <string>

namespace kplan::runtime {

/// KPLAN_ON_ESCAPE. The driver is not hooked in link mode, so an escape is
/// found after it happened: there is nothing to abort at that point.
enum class EscapeAction { Count, Warn };

struct Environment {
  bool Disabled = false;   ///< KPLAN_DISABLE
  bool Verbose = false;    ///< KPLAN_VERBOSE
  std::string Plan;        ///< KPLAN_PLAN; empty: none.
  bool Attributes = true;  ///< KPLAN_ATTRIBUTES=0: none is set.
  bool LocalMemory = true; ///< KPLAN_LOCAL_MEMORY=0: none is reserved.
  unsigned Threads = 0;    ///< KPLAN_THREADS; 0: chosen by kplan.
  /// KPLAN_CACHE, otherwise $XDG_CACHE_HOME/kplan or ~/.cache/kplan; empty:
  /// switched off, or there is none.
  std::string CacheFolder;
  EscapeAction OnEscape = EscapeAction::Count;
  std::string Complaint; ///< About a value that was not understood; or empty.
};

/// Reads the environment as it is now.
Environment readEnvironment();

/// As it was when the runtime was first called.
const Environment &environment();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ENVIRONMENT_H
