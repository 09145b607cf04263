//===- FragmentGenerator.h - Fragments for property tests -----------------===//
//
// Part of kplan's tests. The same seed gives the same fragment everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_FRAGMENTGENERATOR_H
#define KPLAN_PLAN_FRAGMENTGENERATOR_H

#include "plan/Fragment.h"

#include <cstdint>

namespace kplan::test {

/// A fragment with records and terms of every kind. Its names come from small
/// sets, so that fragments of different seeds call each other's functions, read
/// each other's storage, and set the same kernels.
Fragment generateFragment(uint32_t Seed);

} // namespace kplan::test

#endif // KPLAN_PLAN_FRAGMENTGENERATOR_H
