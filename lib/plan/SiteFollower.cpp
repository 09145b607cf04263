//===- SiteFollower.cpp - From a site to the code that knows its kernel ---===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/SiteFollower.h"

#include <set>
#include <vector>

namespace kplan {

using Kind = Term::Kind;

/// Says why an argument is not known, where it would only say that it is not.
static Term explain(Term T, const char *Why) {
  if (T.K == Kind::Unknown && T.Name == NotPassed)
    T.Name = Why;
  for (Term &O : T.Operands)
    O = explain(std::move(O), Why);
  return T;
}

static SiteInstance substituted(const SiteInstance &I,
                                const FunctionId &Function,
                                const std::map<unsigned, Term> &Arguments) {
  SiteInstance Next = I;
  ++Next.Depth;
  Next.eachTerm([&](Term &T) { T = substitute(T, Function, Arguments); });
  return Next;
}

/// As if called with arguments that nobody knows.
static SiteInstance givenUp(const SiteInstance &I, const FunctionId &Function,
                            const char *Why) {
  SiteInstance Next = substituted(I, Function, {});
  Next.Condition.reset();
  Next.eachTerm([&](Term &T) { T = explain(std::move(T), Why); });
  return Next;
}

static SiteInstance atCaller(const SiteInstance &I, const FunctionId &Function,
                             const FragmentCall &C) {
  SiteInstance Next = substituted(I, Function, C.Arguments);
  if (C.Condition)
    Next.Condition =
        Next.Condition
            ? Term::operation("&&", {std::move(*Next.Condition), *C.Condition})
            : *C.Condition;
  if (Next.When.empty())
    Next.When = C.When;
  Next.Once |= C.Once;
  return Next;
}

bool followSite(const FragmentSite &S, ProgramIndex &Program,
                const ResolveOptions &Options,
                const std::function<void(const SiteInstance &)> &Known) {
  std::set<SiteInstance> Seen;
  std::vector<SiteInstance> Work;
  Work.push_back({S.Kernel, S.SetAttribute, S.SetCacheConfig, S.SetValue,
                  S.Condition, S.When, S.Once, 0});
  while (!Work.empty()) {
    SiteInstance I = std::move(Work.back());
    Work.pop_back();
    I.eachTerm([&](Term &T) { T = Program.evaluate(T); });
    if (I.Condition && I.Condition->K == Kind::Integer) {
      if (I.Condition->Number == 0)
        continue; // Never runs when called this way.
      I.Condition.reset();
    }
    if (Seen.size() >= Options.MaxContexts)
      return false;
    if (!Seen.insert(I).second)
      continue;

    const FunctionId *Of = nullptr;
    I.eachTerm([&](const Term &T) {
      if (!Of)
        Of = findParameter(T);
    });
    if (!Of) {
      Known(I);
      continue;
    }
    const FunctionId Function = *Of;
    const auto &Callers = Program.callers(Function);
    if (I.Depth >= Options.MaxDepth) {
      Work.push_back(
          givenUp(I, Function, "calls are nested deeper than is followed"));
      continue;
    }
    if (Callers.empty()) {
      Work.push_back(
          givenUp(I, Function, "no caller of the function is in the scan"));
      continue;
    }
    if (Program.isAddressTaken(Function))
      Work.push_back(
          givenUp(I, Function, "the function may be called through a pointer"));
    for (const FragmentCall *C : Callers)
      Work.push_back(atCaller(I, Function, *C));
  }
  return true;
}

} // namespace kplan
