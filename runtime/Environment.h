//===- Environment.h - The KPLAN_* variables ------------------------------===//
//
// Part of kplan. The one place that reads the environment, through
// secure_getenv: a set-uid program takes no plan from its caller.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ENVIRONMENT_H
#define KPLAN_RUNTIME_ENVIRONMENT_H

#include <optional>
#include <string>
#include <vector>

namespace kplan::runtime {

/// KPLAN_ON_ESCAPE
enum class EscapeAction { Count, Warn, Abort };

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
  std::string Report;              ///< KPLAN_REPORT; empty: none.
  bool Socket = false;             ///< KPLAN_SOCKET
  std::optional<double> SealAfter; ///< KPLAN_SEAL_AFTER, in seconds.
  /// About values that were not understood.
  std::vector<std::string> Complaints;
};

/// Reads the environment as it is now.
Environment readEnvironment();

/// As it was when the runtime was first called.
const Environment &environment();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ENVIRONMENT_H
