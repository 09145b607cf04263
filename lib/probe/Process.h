//===- Process.h - A child process that cannot hang its parent ------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_PROCESS_H
#define KPLAN_PROBE_PROCESS_H

#include "plan/Diagnostic.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace kplan::probe {

struct Ended {
  enum { Exited, TimedOut, Stuck } How = Exited;
  int Status = 0;     ///< As waitpid() has it, where it ended by itself.
  std::string Output; ///< Standard output and standard error.
};

/// Runs this very program with \p Arguments, and with variables set. Kills it
/// when its time is up; `Stuck`: it does not even die of that (the driver holds
/// it), and is left behind.
Result<Ended>
runSelf(const std::vector<std::string> &Arguments,
        const std::vector<std::pair<std::string, std::string>> &Environment,
        std::chrono::milliseconds TimeOut);

} // namespace kplan::probe

#endif // KPLAN_PROBE_PROCESS_H
