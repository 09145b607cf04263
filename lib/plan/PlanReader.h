//===- PlanReader.h - Text to plans ---------------------------------------===//
//
// Part of kplan. Strict: what the reader does not know is an error with a
// place, never ignored. docs/plan-format.md lists the rules.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PLANREADER_H
#define KPLAN_PLAN_PLANREADER_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"
#include "plan/YamlTree.h"

#include <optional>
#include <string>
#include <string_view>

namespace kplan {

/// The plan, or every error in it (at most `Limits.MaxErrors`). `FileName`
/// stands in the errors and is not opened. Lists keep the order of the text.
Result<Plan> readPlan(std::string_view Text, std::string_view FileName,
                      const YamlLimits &Limits = {});

/// Reads a regular file, following links.
Result<Plan> readPlanFile(const std::string &Path,
                          const YamlLimits &Limits = {});

/// "file:line:col"; none where it is not formed like that.
std::optional<SourcePosition> parsePosition(std::string_view Text);

/// Whether a path stays below the folder that it is relative to, by its text
/// alone: no `..`, not absolute, no empty or `.` part.
bool staysInside(std::string_view Path);

} // namespace kplan

#endif // KPLAN_PLAN_PLANREADER_H
