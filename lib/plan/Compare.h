//===- Compare.h - What changed between two scans -------------------------===//
//
// Part of kplan. Says, by kernel and site, what a scan finds that a plan from
// earlier does not have, and the other way round. Compared is what source
// alone tells: producers, and what only a trace can know (images, and kernels
// that are tied to one, stalls, limits), are left out, so that a plan that was
// merged with a trace can be compared with a scan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_COMPARE_H
#define KPLAN_PLAN_COMPARE_H

#include "plan/Plan.h"

#include <string>
#include <vector>

namespace kplan {

struct PlanDifference {
  enum Kind {
    New,     ///< Only the scan has it.
    Gone,    ///< Only the plan from earlier has it.
    Changed, ///< Both have it, and say something else about it.
    Moved,   ///< The same site of the same kernel, elsewhere in its file.
  } K = New;
  std::string Text; ///< "launch of k(int*) at src/a.cu:3:5"
  auto operator<=>(const PlanDifference &) const = default;
};

/// None: both say the same. Kernels come first, each followed by its sites.
std::vector<PlanDifference> comparePlans(const Plan &Before, const Plan &Now);

/// "new: launch of k(int*) at src/a.cu:3:5", without an end.
std::string formatDifference(const PlanDifference &D);

} // namespace kplan

#endif // KPLAN_PLAN_COMPARE_H
