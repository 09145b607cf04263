//===- JitLog.h - What the driver says while it loads ---------------------===//

#ifndef KPLAN_RUNTIME_JITLOG_H
#define KPLAN_RUNTIME_JITLOG_H

#include <string>

namespace kplan::runtime {

/// Empty for code that needs no compiling.
struct JitLog {
  bool Kept = true; ///< False: there may have been something, of any length.
  std::string Info;
  std::string Error;
  float WallMilliseconds = 0;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_JITLOG_H
