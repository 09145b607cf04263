//===- PerfettoTrace.h - A timeline for other viewers ---------------------===//
//
// Part of kplan. Trace Event Format, which ui.perfetto.dev and chrome://tracing
// open: a track for each thread with its calls, one for each stream with the
// calls that were made for it. Times are microseconds of the host.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_PERFETTOTRACE_H
#define KPLAN_REPORT_PERFETTOTRACE_H

#include "report/Timeline.h"

#include <string>
#include <utility>
#include <vector>

namespace kplan::report {

/// \param Sides each recording with its label; their processes keep their ids
/// where no two have the same.
std::string perfettoTrace(
    const std::vector<std::pair<std::string, const Timeline *>> &Sides);

} // namespace kplan::report

#endif // KPLAN_REPORT_PERFETTOTRACE_H
