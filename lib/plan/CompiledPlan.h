//===- CompiledPlan.h - The form of a plan that the runtime executes ------===//
//
// Part of kplan. plan.kplan: a FlatBuffer (CompiledPlan.fbs) with what is
// executed of a plan; sites, source text, stalls and `x-` keys are for people
// and stay in the YAML.
//
// Reading trusts nothing: the buffer is verified before anything in it is
// looked at, then checked for what the schema cannot say (known enumerators,
// keys sorted and unique, paths inside the store), and takes time and memory in
// proportion to the size of the file. It makes a Plan, which copies: 100,000
// kernels take tens of milliseconds, and no pointer into a file that someone
// may truncate is kept.
//
// A reader refuses another version, and a higher minor version than its own,
// by name. A writer writes the smallest minor version that the plan needs.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_COMPILEDPLAN_H
#define KPLAN_PLAN_COMPILEDPLAN_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>
#include <string_view>

namespace kplan {

inline constexpr unsigned CompiledVersion = 1;
inline constexpr unsigned CompiledMinor = 0;

/// What is executed of a plan, in canonical order: attributes and cache configs
/// that are in conflict are gone from the kernels, and so is everything else
/// that priming does not look at. The compiled plan of `P` reads back as this.
Plan executedPart(Plan P);

/// The bytes of the compiled plan; the same plan gives the same bytes. An error
/// where it holds what its reader refuses, or is too large for the format.
/// \param Source content id of the plan's text ("xxh3:…"); empty: not known.
Result<std::string> compilePlan(const Plan &P, std::string_view Source = {});

/// Whether bytes claim to be a compiled plan.
bool isCompiledPlan(std::string_view Bytes);

struct CompiledPlan {
  kplan::Plan Plan;
  std::string Source; ///< As given to compilePlan().
};

/// \param FileName stands in the errors and is not opened.
Result<CompiledPlan> readCompiledPlan(std::string_view Bytes,
                                      std::string_view FileName);

} // namespace kplan

#endif // KPLAN_PLAN_COMPILEDPLAN_H
