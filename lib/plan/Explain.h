//===- Explain.h - How a kernel came into a plan --------------------------===//
//
// Part of kplan. For whoever does not believe a plan: the way from each site to
// the code that knows its kernel, what was passed on, and what stayed open; or
// why a kernel is not in the plan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_EXPLAIN_H
#define KPLAN_PLAN_EXPLAIN_H

#include "plan/Fragment.h"
#include "plan/Plan.h"
#include "plan/Resolve.h"

#include <string>
#include <vector>

namespace kplan {

struct Explanation {
  std::string Text;   ///< Lines, for people.
  bool Known = false; ///< Whether there is such a kernel.
};

/// `Kernel` is a symbol, a name, or a part of a name. `Found` is what
/// resolveFragments() makes of the fragments with the same options.
Explanation explainKernel(const std::string &Kernel,
                          std::vector<Fragment> Fragments, const Plan &Found,
                          const ResolveOptions &Options = {});

} // namespace kplan

#endif // KPLAN_PLAN_EXPLAIN_H
