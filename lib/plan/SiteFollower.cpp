//===- SiteFollower.cpp - From a site to the code that knows its kernel ---===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/SiteFollower.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
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
  Next.eachTerm([&](Term &T) { T = substitute(T, Function, Arguments); });
  return Next;
}

/// As if called with arguments that nobody knows.
static SiteInstance givenUp(const SiteInstance &I, const FunctionId &Function,
                            const char *Why) {
  SiteInstance Next = substituted(I, Function, {});
  Next.Condition.reset();
  Next.eachTerm([&](Term &T) { T = explain(std::move(T), Why); });
  Next.Way.push_back({Function, nullptr, Why});
  return Next;
}

/// The kernel is known, and too many ways lead to the rest.
static SiteInstance withoutValue(SiteInstance I) {
  I.Condition.reset();
  I.When.clear();
  I.Once = false;
  for (auto *T : {&I.SetAttribute, &I.SetCacheConfig, &I.SetValue})
    if (*T && findParameter(**T))
      **T = Term::unknown("more callers than are followed");
  return I;
}

static SiteInstance atCaller(const SiteInstance &I, const FunctionId &Function,
                             const FragmentCall &C) {
  SiteInstance Next = substituted(I, Function, C.Arguments);
  Next.Way.push_back({Function, &C, nullptr});
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

namespace {

/// What ways to a site have come to. Its condition is not part of that: what
/// can run, can run.
class Outcomes {
public:
  void add(const SiteInstance &I) { Ways[key(I)].push_back({I.When, I.Once}); }
  /// Whether going on can add nothing: all but the condition is known, and a
  /// way that is known to run says as much, with no more guards.
  bool cover(const SiteInstance &I) const {
    auto It = Ways.find(key(I));
    return It != Ways.end() &&
           std::any_of(It->second.begin(), It->second.end(),
                       [&I](const Guards &G) {
                         return (I.Once || !G.Once) &&
                                (G.When.empty() || G.When == I.When);
                       });
  }

private:
  using Key = std::tuple<Term, std::optional<Term>, std::optional<Term>,
                         std::optional<Term>>;
  struct Guards {
    std::string When;
    bool Once;
  };
  std::map<Key, std::vector<Guards>> Ways;

  static Key key(const SiteInstance &I) {
    return {I.Kernel, I.SetAttribute, I.SetCacheConfig, I.SetValue};
  }
};

} // namespace

bool followSite(const FragmentSite &S, ProgramIndex &Program,
                const ResolveOptions &Options,
                const std::function<void(const SiteInstance &)> &Found) {
  std::set<SiteInstance> Seen;
  Outcomes Known;
  std::map<Term, size_t> WaysOfKernel;
  std::vector<SiteInstance> Work;
  Work.push_back({S.Kernel,
                  S.SetAttribute,
                  S.SetCacheConfig,
                  S.SetValue,
                  S.Condition,
                  S.When,
                  S.Once,
                  {}});
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
    if (Known.cover(I))
      continue;
    if (!Of) {
      Found(I);
      I.Condition.reset();
      Known.add(I);
      continue;
    }
    const FunctionId Function = *Of;
    const auto &Callers = Program.callers(Function);
    if (!findParameter(I.Kernel)) {
      size_t &Ways = WaysOfKernel[I.Kernel];
      const bool WereFew = Ways <= Options.MaxValueContexts;
      Ways += std::max<size_t>(1, Callers.size());
      if (Ways > Options.MaxValueContexts) {
        if (WereFew)
          Work.push_back(withoutValue(std::move(I)));
        continue;
      }
    }
    if (I.Way.size() >= Options.MaxDepth) {
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
