//===- TermEvaluator.cpp - What a term stands for -------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/TermEvaluator.h"

namespace kplan {

using Kind = Term::Kind;

/// Puts a term together again after its operands changed, so that operations
/// fold and alternatives flatten.
static Term rebuild(const Term &T, std::vector<Term> Operands) {
  if (T.K == Kind::Any)
    return Term::any(std::move(Operands));
  if (T.K == Kind::Operation)
    return Term::operation(T.Name, std::move(Operands));
  Term Copy;
  Copy.K = T.K;
  Copy.Number = T.Number;
  Copy.Name = T.Name;
  Copy.Text = T.Text;
  Copy.Operands = std::move(Operands);
  return Copy;
}

Term substitute(const Term &T, const FunctionId &Function,
                const std::map<unsigned, Term> &Arguments) {
  if (T.K == Kind::Parameter) {
    if (T.Name != Function)
      return T;
    auto It = Arguments.find(static_cast<unsigned>(T.Number));
    return It != Arguments.end() ? It->second : Term::unknown(NotPassed);
  }
  if (T.Operands.empty())
    return T;
  std::vector<Term> Operands;
  Operands.reserve(T.Operands.size());
  for (const Term &O : T.Operands)
    Operands.push_back(substitute(O, Function, Arguments));
  return rebuild(T, std::move(Operands));
}

const FunctionId *findParameter(const Term &T) {
  if (T.K == Kind::Parameter)
    return &T.Name;
  for (const Term &O : T.Operands)
    if (const FunctionId *Found = findParameter(O))
      return Found;
  return nullptr;
}

Term TermEvaluator::evaluate(const Term &T) {
  Steps = 0;
  Active.clear();
  return expand(T);
}

Term TermEvaluator::expandAll(const std::set<Term> &Terms,
                              const std::string &Key) {
  // What refers to itself adds nothing to what it is.
  if (!Active.insert(Key).second)
    return Term::any({});
  std::vector<Term> Expanded;
  Expanded.reserve(Terms.size());
  for (const Term &T : Terms)
    Expanded.push_back(expand(T));
  Active.erase(Key);
  return Term::any(std::move(Expanded));
}

Term TermEvaluator::expandCall(const Term &T) {
  const bool IsOut = T.K == Kind::Out;
  auto It = Functions.find(T.Name);
  const std::set<Term> *Results = nullptr;
  if (It != Functions.end()) {
    if (!IsOut) {
      Results = &It->second.Returns;
    } else if (auto O = It->second.Outs.find(static_cast<unsigned>(T.Number));
               O != It->second.Outs.end()) {
      Results = &O->second;
    }
  }
  if (!Results || Results->empty())
    return Term::unknown(IsOut ? "written by a function that is not in the scan"
                               : "returned by a function that is not in the "
                                 "scan",
                         T.Text);
  std::map<unsigned, Term> Arguments;
  for (unsigned I = 0; I < T.Operands.size(); ++I)
    Arguments.emplace(I, expand(T.Operands[I]));
  const std::string Key =
      (IsOut ? "out " + std::to_string(T.Number) + ' ' : "return ") + T.Name;
  if (!Active.insert(Key).second)
    return Term::any({});
  std::vector<Term> Expanded;
  for (const Term &R : *Results)
    Expanded.push_back(expand(substitute(R, T.Name, Arguments)));
  Active.erase(Key);
  return Term::any(std::move(Expanded));
}

Term TermEvaluator::expand(const Term &T) {
  constexpr const char *TooMany = "too many possibilities";
  if (++Steps > MaxSteps)
    return Term::unknown(TooMany);
  Term Expanded = expandOnce(T);
  return Expanded.hasMoreNodesThan(MaxNodes) ? Term::unknown(TooMany)
                                             : std::move(Expanded);
}

Term TermEvaluator::expandOnce(const Term &T) {
  switch (T.K) {
  case Kind::Unknown:
  case Kind::Integer:
  case Kind::Text:
  case Kind::Max:
  case Kind::AtMost:
  case Kind::Kernel:
  case Kind::Function:
  case Kind::Parameter:
    return T;
  case Kind::Storage: {
    auto It = Stores.find(T.Name);
    if (It == Stores.end())
      return Term::unknown("nothing in the scan stores a value there", T.Text);
    return expandAll(It->second, "storage " + T.Name);
  }
  case Kind::Return:
  case Kind::Out:
    return expandCall(T);
  case Kind::Any:
  case Kind::Operation:
  case Kind::Call:
  case Kind::Named:
    break;
  }
  std::vector<Term> Operands;
  Operands.reserve(T.Operands.size());
  for (const Term &O : T.Operands)
    Operands.push_back(expand(O));
  if (T.K == Kind::Any || T.K == Kind::Operation)
    return rebuild(T, std::move(Operands));

  const Term Head = std::move(Operands.front());
  auto EachAlternative = [&Head](auto Do) {
    if (Head.K != Kind::Any)
      return Do(Head);
    std::vector<Term> Results;
    Results.reserve(Head.Operands.size());
    for (const Term &A : Head.Operands)
      Results.push_back(Do(A));
    return Term::any(std::move(Results));
  };
  if (T.K == Kind::Named)
    return EachAlternative([&](const Term &A) {
      if (A.K == Kind::Text)
        return KernelBySymbol(A.Name);
      return findParameter(A)
                 ? Term::named(A)
                 : Term::unknown("kernel name is built at run time", A.Text);
    });
  Operands.erase(Operands.begin());
  return EachAlternative([&](const Term &A) {
    if (A.K == Kind::Function)
      return expand(Term::returned(A.Name, Operands));
    return findParameter(A)
               ? Term::call(A, Operands)
               : Term::unknown("returned by a function that is not known",
                               A.Text);
  });
}

} // namespace kplan
