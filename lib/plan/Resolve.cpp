//===- Resolve.cpp - Fragments to a plan ----------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/Resolve.h"

#include "plan/PlanBuilder.h"
#include "plan/ProgramIndex.h"
#include "plan/SiteFollower.h"

#include <utility>

namespace kplan {

Plan resolveFragments(std::vector<Fragment> Fragments,
                      const ResolveOptions &Options) {
  ProgramIndex Program(std::move(Fragments), Options.MaxContexts);
  PlanBuilder Builder(Program);
  for (const FragmentSite *S : Program.liveSites()) {
    const bool All =
        followSite(*S, Program, Options,
                   [&](const SiteInstance &I) { Builder.add(*S, I); });
    if (!All)
      Builder.addUnresolved(*S, "more callers than are followed");
  }
  return Builder.build();
}

} // namespace kplan
