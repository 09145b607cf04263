//===- Sarif.h - Diagnostics for other tools ------------------------------===//
//
// Part of kplan. SARIF 2.1.0 (OASIS), as code hosts and editors read it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_SARIF_H
#define KPLAN_PLAN_SARIF_H

#include "plan/Diagnostic.h"

#include <string>
#include <vector>

namespace kplan {

/// One run of `Tool` with a result for each diagnostic. Files below `Root` are
/// written relative to it, as `%SRCROOT%`.
std::string writeSarif(const std::vector<Diagnostic> &Diagnostics,
                       const std::string &Tool, const std::string &Version,
                       const std::string &Root);

} // namespace kplan

#endif // KPLAN_PLAN_SARIF_H
