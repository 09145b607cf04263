//===- TracedPlan.h - Recordings to a plan --------------------------------===//
//
// Part of kplan. Follows the events of each process: which handle belongs to
// which load of which image, which kernels were used and with which attributes,
// how many copies of an image were alive at once. Reads each used image to know
// what its kernels start on their first launch.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TRACE_TRACEDPLAN_H
#define KPLAN_TRACE_TRACEDPLAN_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"
#include "trace/Event.h"

#include <string>
#include <vector>

namespace kplan::trace {

/// What one process needed. What the recording says and no plan can hold is a
/// warning, not an error.
/// \param PlanFolder where the store of images is.
Plan planOfProcess(const std::vector<Event> &Recording,
                   const std::string &PlanFolder, std::vector<Diagnostic> &);

} // namespace kplan::trace

#endif // KPLAN_TRACE_TRACEDPLAN_H
