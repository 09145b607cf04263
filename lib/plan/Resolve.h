//===- Resolve.h - Fragments to a plan ------------------------------------===//
//
// Part of kplan. Follows each site's kernel and value through wrapper
// functions to every caller, across TUs, and builds the plan. The scan of one
// TU, of a folder, and `kplan merge` of fragments all end here.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_RESOLVE_H
#define KPLAN_PLAN_RESOLVE_H

#include "plan/Fragment.h"
#include "plan/Plan.h"

#include <vector>

namespace kplan {

struct ResolveOptions {
  /// Ways from one site to its callers that are followed, and kernels that one
  /// term may stand for; beyond it the site is listed as unresolved.
  unsigned MaxContexts = 4096;
  /// Ways that are followed for the value alone, once the kernel is known;
  /// beyond it the value is one that nobody knows.
  unsigned MaxValueContexts = 128;
  /// Calls on one way from a site to the code that knows its kernel.
  unsigned MaxDepth = 32;
};

/// The plan of all fragments together. The order of the fragments has no
/// influence, nor has a fragment that is given twice. Every site of the input
/// is under each kernel that it can concern, in `unresolved`, or in
/// `templates`, unless only device code reaches it.
Plan resolveFragments(std::vector<Fragment> Fragments,
                      const ResolveOptions &Options = {});

} // namespace kplan

#endif // KPLAN_PLAN_RESOLVE_H
