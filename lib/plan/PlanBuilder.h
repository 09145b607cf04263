//===- PlanBuilder.h - From what is known of sites to a plan --------------===//
//
// Part of kplan. Decides which kernels a site is listed under and with which
// value, and what a kernel's sites together come to.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PLANBUILDER_H
#define KPLAN_PLAN_PLANBUILDER_H

#include "plan/Plan.h"
#include "plan/ProgramIndex.h"
#include "plan/SiteFollower.h"

#include <map>
#include <set>
#include <string>

namespace kplan {

class PlanBuilder {
public:
  explicit PlanBuilder(const ProgramIndex &Program) : Program(Program) {}

  /// `I` has no parameter left.
  void add(const FragmentSite &S, const SiteInstance &I);
  void addUnresolved(const FragmentSite &S, std::string Why);

  /// Everything added so far, canonical.
  Plan build();

private:
  const ProgramIndex &Program;
  std::map<int64_t, std::set<Site>> SitesOfKernel;
  std::set<UnresolvedSite> Unresolved;
};

} // namespace kplan

#endif // KPLAN_PLAN_PLANBUILDER_H
