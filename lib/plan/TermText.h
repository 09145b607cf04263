//===- TermText.h - Terms for people
//----------------------------------------===//
//
// Part of kplan. What an operand is, in words: "parameter 2 * 1024".
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_TERMTEXT_H
#define KPLAN_PLAN_TERMTEXT_H

#include "plan/Fragment.h"

#include <functional>
#include <string>

namespace kplan {

/// A function's name for people; of what belongs to one TU as well.
std::string describeFunction(const FunctionId &Id);

/// On one line and shortened. A parameter of `Within` is "parameter 1", that of
/// another function "parameter 1 of f(int)"; `KernelName` names a Kernel term.
std::string
describeTerm(const Term &T, const FunctionId &Within,
             const std::function<std::string(const Term &)> &KernelName);

} // namespace kplan

#endif // KPLAN_PLAN_TERMTEXT_H
