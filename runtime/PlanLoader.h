//===- PlanLoader.h - The plan that is primed -----------------------------===//
//
// Part of kplan. From a path to what is executed of a plan: read securely, then
// strictly. A compiled plan is taken as it is; a YAML plan is compiled once and
// kept by its content (PlanCache.h).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PLANLOADER_H
#define KPLAN_RUNTIME_PLANLOADER_H

#include "PlanCache.h"
#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>

namespace kplan::runtime {

/// The same plan whichever way it was read.
Result<Plan> loadPlan(const std::string &Path, const PlanCache &Cache);

/// With the cache of KPLAN_CACHE.
Result<Plan> loadPlan(const std::string &Path);

/// The folder that a plan's store is in; empty: the working folder.
std::string folderOf(const std::string &PlanPath);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PLANLOADER_H
