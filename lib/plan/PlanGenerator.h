//===- PlanGenerator.h - Plans for property tests -------------------------===//
//
// Part of kplan's tests. The same seed gives the same plan everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PLANGENERATOR_H
#define KPLAN_PLAN_PLANGENERATOR_H

#include "plan/Plan.h"

#include <cstdint>

namespace kplan::test {

/// A plan that the reader accepts, with entries of every kind. Its names come
/// from small sets, so that plans of different seeds overlap and contradict
/// each other, and from strings that are hard to write as YAML.
Plan generatePlan(uint32_t Seed);

/// A plan of the size that a large library has: `Kernels` kernels with a name
/// of several hundred characters and a few sites each.
Plan generateLargePlan(unsigned Kernels);

} // namespace kplan::test

#endif // KPLAN_PLAN_PLANGENERATOR_H
