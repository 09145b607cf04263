//===- Warnings.h - What is suspicious about a plan -----------------------===//
//
// Part of kplan. Looks for what source does with kernels that works by luck.
// Everything is found in the plan: no clang is needed, and a merged plan shows
// what no TU alone does.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_WARNINGS_H
#define KPLAN_PLAN_WARNINGS_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kplan {

struct WarningInfo {
  std::string_view Name; ///< "kplan-conflict"
  bool OnByDefault;
  std::string_view Summary;
};

/// All of Warnings.def, in its order.
const std::vector<WarningInfo> &allWarnings();

/// Which warnings are wanted, by the flags of a command line.
class WarningChoice {
public:
  WarningChoice();
  /// A flag without its `-W`: "kplan-conflict", "no-kplan-conflict", and
  /// "kplan" or "no-kplan" for all. The last one counts. Says what is wrong.
  std::optional<Diagnostic> apply(std::string_view Flag);
  /// Whether a diagnostic is to be shown. What belongs to no warning is.
  bool shows(const Diagnostic &D) const;

private:
  std::set<std::string_view> Off;
};

/// All of them, by place; files are spelled as in the plan.
std::vector<Diagnostic> findProblems(const Plan &P);

} // namespace kplan

#endif // KPLAN_PLAN_WARNINGS_H
