//===- SiteFollower.h - From a site to the code that knows its kernel -----===//
//
// Part of kplan. A site is followed as one unit: kernel, attribute, value and
// condition go together from a function to each of its callers, so that the
// value that one caller passes is never given to the kernel of another.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_SITEFOLLOWER_H
#define KPLAN_PLAN_SITEFOLLOWER_H

#include "plan/ProgramIndex.h"
#include "plan/Resolve.h"

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kplan {

/// A step from a function, whose parameters are asked for, to a caller.
struct WayStep {
  FunctionId From;
  const FragmentCall *Call = nullptr; ///< Null: there is none to go on with.
  const char *Why = nullptr;          ///< Why there is none.
};

/// A site as one way to it sees it.
struct SiteInstance {
  Term Kernel;
  std::optional<Term> SetAttribute, SetCacheConfig, SetValue, Condition;
  std::string When;
  bool Once = false;
  std::vector<WayStep> Way; ///< From the site outwards.

  template <typename F> void eachTerm(F Do) {
    Do(Kernel);
    for (auto *T : {&SetAttribute, &SetCacheConfig, &SetValue, &Condition})
      if (*T)
        Do(**T);
  }
  auto key() const {
    return std::tie(Kernel, SetAttribute, SetCacheConfig, SetValue, Condition,
                    When, Once);
  }
  bool operator<(const SiteInstance &Other) const {
    return key() < Other.key();
  }
};

/// Calls `Found` for ways to the site with what is known there: no term has a
/// parameter left. Of ways that differ in nothing that a plan says one is
/// enough. False: there are more ways than are followed.
bool followSite(const FragmentSite &S, ProgramIndex &Program,
                const ResolveOptions &Options,
                const std::function<void(const SiteInstance &)> &Found);

} // namespace kplan

#endif // KPLAN_PLAN_SITEFOLLOWER_H
