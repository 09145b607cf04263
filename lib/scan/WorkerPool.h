//===- WorkerPool.h - Many units, a few workers at a time -----------------===//
//
// Part of kplan. Runs one worker process for each unit, `Jobs` at a time. A
// worker that dies, or takes longer than the time limit, loses only its unit,
// which is tried once more at the end: alone, when all memory is free for it,
// and without shortcuts.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_WORKERPOOL_H
#define KPLAN_SCAN_WORKERPOOL_H

#include "scan/UnitMessages.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kplan::scan {

struct PoolOptions {
  unsigned Jobs = 1;
  unsigned TimeLimitSeconds = 0; ///< 0: none.
  /// The program that is started with WorkerArgument.
  std::string Program = "/proc/self/exe";
};

/// What became of one unit: a result, or the reason why there is none.
struct UnitOutcome {
  std::optional<UnitResult> Result;
  std::string Failure;   ///< "crashed: SIGSEGV (Segmentation fault)"
  std::string LastWords; ///< What clang was doing then, where it said so.
};

/// Called in the parent whenever a unit is done, in no particular order.
using UnitFinished = std::function<void(size_t Index, UnitOutcome Outcome)>;

/// Runs all requests. Returns 0, or the number of the signal (SIGINT, SIGTERM,
/// SIGHUP) that asked it to stop: the workers are gone then, and the caller
/// should end by that signal.
int runWorkers(const std::vector<UnitRequest> &Requests,
               const PoolOptions &Options, const UnitFinished &Finished);

/// As many jobs as the machine has threads and memory for.
unsigned defaultJobs();

} // namespace kplan::scan

#endif // KPLAN_SCAN_WORKERPOOL_H
