//===- EitherPlan.h - Plans in YAML and compiled plans --------------------===//
//
// Part of kplan. What only looks at a plan takes it in either form.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_EITHERPLAN_H
#define KPLAN_TOOLS_KPLAN_EITHERPLAN_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace kplan::tool {

/// Of a file; each reader has a limit of its own below this.
inline constexpr size_t LargestPlan = size_t(1) << 30;

/// \param Path stands in the errors. What is no plan but made by kplan is
/// named, with the command that takes it.
Result<Plan> readEitherPlan(std::string_view Bytes, const std::string &Path);

/// For commands that write a plan: compiled ones are refused.
Result<Plan> readYamlPlan(std::string_view Bytes, const std::string &Path);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_EITHERPLAN_H
