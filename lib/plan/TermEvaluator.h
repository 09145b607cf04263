//===- TermEvaluator.h - What a term stands for ---------------------------===//
//
// Part of kplan. Knows all fragments' summaries and rewrites terms until only
// constants, kernels, functions, unknowns and parameters are left. Parameters
// stay: who follows them to callers decides how (Resolve.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_TERMEVALUATOR_H
#define KPLAN_PLAN_TERMEVALUATOR_H

#include "plan/Fragment.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace kplan {

/// Why a parameter is unknown that a call does not pass.
inline constexpr const char *NotPassed = "the argument is not passed";

/// Replaces the parameters of `Function` by the arguments of a call of it.
Term substitute(const Term &T, const FunctionId &Function,
                const std::map<unsigned, Term> &Arguments);

/// A function that has a parameter in the term; empty: there is none.
const FunctionId *findParameter(const Term &T);

class TermEvaluator {
public:
  /// What the fragments say of one function, together.
  struct Function {
    bool DeviceOnly = true;
    bool AddressTaken = false;
    std::set<Term> Returns;
    std::map<unsigned, std::set<Term>> Outs;
  };

  std::map<FunctionId, Function> Functions;
  std::map<StorageId, std::set<Term>> Stores;
  /// The kernel that a symbol named at run time means; a Kernel term.
  std::function<Term(const std::string &Symbol)> KernelBySymbol;
  /// Rewriting steps for one term; beyond them parts of it become unknown.
  unsigned MaxSteps = 20000;
  /// No result has a part that is larger.
  size_t MaxNodes = 1000;

  Term evaluate(const Term &T);

private:
  unsigned Steps = 0;
  std::set<std::string> Active; ///< Storages and functions being expanded.

  Term expand(const Term &T);
  Term expandOnce(const Term &T);
  Term expandAll(const std::set<Term> &Terms, const std::string &Key);
  Term expandCall(const Term &T);
};

} // namespace kplan

#endif // KPLAN_PLAN_TERMEVALUATOR_H
