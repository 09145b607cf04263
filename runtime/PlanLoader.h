//===- PlanLoader.h - The plan that is primed -----------------------------===//
//
// Part of kplan. From a path to a plan: read securely, then strictly.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PLANLOADER_H
#define KPLAN_RUNTIME_PLANLOADER_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>

namespace kplan::runtime {

Result<Plan> loadPlan(const std::string &Path);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PLANLOADER_H
