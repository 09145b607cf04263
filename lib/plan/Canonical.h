//===- Canonical.h - One order for everything in a plan -------------------===//
//
// Part of kplan. Two plans that say the same are equal once both are
// canonical. The writer and merge use this; nothing is lost by it but exact
// repetitions in lists.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_CANONICAL_H
#define KPLAN_PLAN_CANONICAL_H

#include "plan/Plan.h"

#include <algorithm>
#include <vector>

namespace kplan {

/// Kernels by key, sites by position and then kind, all other lists in the
/// order of their members; sets sorted and without repetitions. The inputs of a
/// module and the dimensions of a cluster keep their order, which has meaning.
void canonicalise(Plan &P);

template <typename T> void sortUnique(std::vector<T> &List) {
  std::sort(List.begin(), List.end());
  List.erase(std::unique(List.begin(), List.end()), List.end());
}

} // namespace kplan

#endif // KPLAN_PLAN_CANONICAL_H
