//===- Merge.h - Several plans to one -------------------------------------===//
//
// Part of kplan. Merging is associative, commutative and, on its own results,
// idempotent: plans can be joined in any order and grouping, again and again.
//
// - Kernels are joined by their whole key. A kernel that was scanned (no image)
//   and traced (an image) stays two entries.
// - Several values of an attribute: AttributeRules.h. What is in conflict is
//   listed by symbol and file, holds for every image, and stays in conflict
//   whatever is merged later.
// - Of two names, origins or `x-` values for one thing one is taken, by order
//   alone; a file's range goes before an entry of a store.
// - Counts, limits and local memory: the largest. Everything else: the union.
// - A template's site that one plan has not instantiated and another one has a
//   site for is not listed under `templates` any more.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_MERGE_H
#define KPLAN_PLAN_MERGE_H

#include "plan/Plan.h"

#include <vector>

namespace kplan {

/// The canonical plan that says what all of them say. None gives an empty plan.
Plan mergePlans(std::vector<Plan> Plans);

/// The same for plans that come one after the other. What is kept is the plan
/// that they come to so far, and a few times as much that waits to be joined
/// with it.
class PlanMerger {
public:
  void add(Plan P);
  /// What all of them come to; leaves nothing.
  Plan take();

private:
  void join();

  Plan Merged;
  std::vector<Plan> Waiting;
  size_t WaitingEntries = 0;
};

} // namespace kplan

#endif // KPLAN_PLAN_MERGE_H
