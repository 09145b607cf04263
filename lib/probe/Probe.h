//===- Probe.h - Measure what waits on this machine -----------------------===//
//
// Part of kplan. The parent's side: it starts a preparing process and then a
// fresh one for each repetition of each row, and never opens the driver itself.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_PROBE_H
#define KPLAN_PROBE_PROBE_H

#include "probe/Report.h"
#include "probe/Setting.h"

#include <functional>
#include <string>
#include <vector>

namespace kplan::probe {

struct Request {
  Setting How;
  unsigned Repeat = 3;
  double TimeOutSeconds = 30;    ///< For one worker.
  std::vector<std::string> Rows; ///< Names.
  /// Told before the rows, and after each.
  std::function<void(const Report &)> Begins;
  std::function<void(const Measurement &)> Measured;
};

/// The arguments with which this program starts itself as a worker: \p Row, or
/// empty for the preparing one.
std::vector<std::string> workerArguments(const Setting &Use,
                                         const std::string &Row, int CodeStore);

/// Errors: nothing can be measured here.
Result<Report> run(const Request &What);

} // namespace kplan::probe

#endif // KPLAN_PROBE_PROBE_H
