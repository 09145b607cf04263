//===- Resolve.cpp - Fragments to a plan ----------------------------------===//
//
// Part of kplan. A site is followed as one unit: kernel, attribute, value and
// condition go together from a function to each of its callers, so that the
// value that one caller passes is never given to the kernel of another.
//
//===----------------------------------------------------------------------===//

#include "plan/Resolve.h"

#include "plan/AttributeRules.h"
#include "plan/Attributes.h"
#include "plan/Names.h"
#include "plan/TermEvaluator.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace kplan {
namespace {

using Kind = Term::Kind;

std::string demangle(const std::string &Symbol) {
  int Status = 0;
  std::unique_ptr<char, void (*)(void *)> Text(
      abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status),
      std::free);
  return Status == 0 && Text ? Text.get() : Symbol;
}

/// A site on its way to the code that knows its kernel.
struct Instance {
  Term Kernel;
  std::optional<Term> SetAttribute, SetCacheConfig, SetValue, Condition;
  std::string When;
  bool Once = false;
  unsigned Depth = 0;

  template <typename F> void eachTerm(F Do) {
    Do(Kernel);
    for (auto *T : {&SetAttribute, &SetCacheConfig, &SetValue, &Condition})
      if (*T)
        Do(**T);
  }
  auto key() const {
    return std::tie(Kernel, SetAttribute, SetCacheConfig, SetValue, Condition,
                    When, Once);
  }
  bool operator<(const Instance &Other) const { return key() < Other.key(); }
};

class Resolver {
public:
  Resolver(const ResolveOptions &Options, std::vector<Diagnostic> &Diagnostics)
      : Options(Options), Diagnostics(Diagnostics) {}
  Plan resolve(std::vector<Fragment> Fragments);

private:
  struct KernelEntry {
    std::string Name;
    std::set<Use> Uses;
    std::set<Site> Sites;
  };

  const ResolveOptions &Options;
  std::vector<Diagnostic> &Diagnostics;
  Plan P;
  std::map<KernelKey, size_t> KernelIds;
  std::deque<std::pair<KernelKey, KernelEntry>> Kernels;
  TermEvaluator Evaluator;
  std::map<FunctionId, std::vector<const FragmentCall *>> Callers;
  std::set<std::tuple<SiteKind, SourcePosition, std::string, std::string>>
      Unresolved;

  size_t internKernel(const KernelKey &Key);
  void adopt(Fragment &F, size_t Ordinal);
  void linkCalls(const std::vector<Fragment> &Fragments);
  bool isDead(const FunctionId &Id) const;
  void follow(const FragmentSite &S);
  void finish(const FragmentSite &S, const Instance &I);
  void unresolved(const FragmentSite &S, std::string Why,
                  const std::string &Text = {});
  std::vector<Site> sitesOf(const FragmentSite &S, const Instance &I,
                            std::string &Why) const;
  void buildKernels();
  void warnOfCacheConfigs(const Kernel &K);
  void joinGuards(std::set<Site> &Sites);
};

size_t Resolver::internKernel(const KernelKey &Key) {
  auto [It, New] = KernelIds.try_emplace(Key, Kernels.size());
  if (New)
    Kernels.push_back({Key, {}});
  return It->second;
}

/// Turns what is private to a fragment into what is unique among all: numbers
/// of kernels, and identities that end in `@`.
class Adoption {
public:
  Adoption(std::vector<size_t> Numbers, size_t Ordinal)
      : Numbers(std::move(Numbers)), Suffix(std::to_string(Ordinal)) {}

  void id(std::string &Id) const {
    if (Id.ends_with('@'))
      Id += Suffix;
  }
  void term(Term &T) const {
    rename(T);
    // Alternatives are sorted by what has just changed.
    T = substitute(T, {}, {});
  }
  void term(std::optional<Term> &T) const {
    if (T)
      term(*T);
  }

private:
  std::vector<size_t> Numbers;
  std::string Suffix;

  void rename(Term &T) const {
    if (T.K == Kind::Kernel)
      T.Number = static_cast<int64_t>(Numbers[T.Number]);
    else if (T.K != Kind::Unknown && T.K != Kind::Text)
      id(T.Name);
    for (Term &O : T.Operands)
      rename(O);
  }
};

void Resolver::adopt(Fragment &F, size_t Ordinal) {
  std::vector<size_t> Numbers;
  for (const FragmentKernel &K : F.Kernels) {
    const size_t Id = internKernel(K.Key);
    Numbers.push_back(Id);
    KernelEntry &E = Kernels[Id].second;
    E.Uses.insert(K.Uses.begin(), K.Uses.end());
    // Two TUs may spell a name differently; take the same one in any order.
    if (!K.Name.empty() && (E.Name.empty() || K.Name < E.Name))
      E.Name = K.Name;
  }
  const Adoption Adopt(std::move(Numbers), Ordinal);
  for (FragmentFunction &Fn : F.Functions) {
    Adopt.id(Fn.Id);
    auto &Known = Evaluator.Functions[Fn.Id];
    Known.DeviceOnly &= Fn.DeviceOnly;
    Known.AddressTaken |= Fn.AddressTaken;
    for (Term &T : Fn.Returns) {
      Adopt.term(T);
      Known.Returns.insert(T);
    }
    for (auto &Out : Fn.Outs)
      for (Term &T : Out.Values) {
        Adopt.term(T);
        Known.Outs[Out.Index].insert(T);
      }
  }
  for (FragmentStore &S : F.Stores) {
    Adopt.id(S.Into);
    Adopt.term(S.What);
    Evaluator.Stores[S.Into].insert(S.What);
  }
  for (FragmentCall &C : F.Calls) {
    Adopt.id(C.Caller);
    Adopt.term(C.Callee);
    for (Term &T : C.Arguments)
      Adopt.term(T);
    Adopt.term(C.Condition);
  }
  for (FragmentSite &S : F.Sites) {
    Adopt.id(S.In);
    Adopt.term(S.Kernel);
    Adopt.term(S.SetAttribute);
    Adopt.term(S.SetCacheConfig);
    Adopt.term(S.SetValue);
    Adopt.term(S.Condition);
  }
}

bool Resolver::isDead(const FunctionId &Id) const {
  auto It = Evaluator.Functions.find(Id);
  return It != Evaluator.Functions.end() && It->second.DeviceOnly;
}

void Resolver::linkCalls(const std::vector<Fragment> &Fragments) {
  // Host code of one TU may call what only device code calls in another.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Fragment &F : Fragments)
      for (const FragmentCall &C : F.Calls)
        if (C.Callee.K == Kind::Function && !isDead(C.Caller) &&
            isDead(C.Callee.Name)) {
          Evaluator.Functions[C.Callee.Name].DeviceOnly = false;
          Changed = true;
        }
  }
  std::vector<const FragmentCall *> Indirect;
  for (const Fragment &F : Fragments)
    for (const FragmentCall &C : F.Calls) {
      if (isDead(C.Caller))
        continue;
      if (C.Callee.K == Kind::Function)
        Callers[C.Callee.Name].push_back(&C);
      else
        Indirect.push_back(&C);
    }
  // A callee that is a parameter is followed to the callers found so far.
  for (const FragmentCall *C : Indirect) {
    std::set<Term> Seen;
    std::vector<Term> Work{Evaluator.evaluate(C->Callee)};
    while (!Work.empty() && Seen.size() < Options.MaxContexts) {
      Term T = std::move(Work.back());
      Work.pop_back();
      if (!Seen.insert(T).second)
        continue;
      if (T.K == Kind::Function) {
        Callers[T.Name].push_back(C);
      } else if (T.K == Kind::Any) {
        Work.insert(Work.end(), T.Operands.begin(), T.Operands.end());
      } else if (const FunctionId *Of = findParameter(T)) {
        for (const FragmentCall *Caller : Callers[*Of])
          Work.push_back(
              Evaluator.evaluate(substitute(T, *Of, Caller->Arguments)));
      }
    }
  }
}

void Resolver::unresolved(const FragmentSite &S, std::string Why,
                          const std::string &Text) {
  Unresolved.insert(
      {S.Kind, S.At, std::move(Why), S.Text.empty() ? Text : S.Text});
}

/// Says why an argument is not known, where it would only say that it is not.
Term explain(Term T, const char *Why) {
  if (T.K == Kind::Unknown && T.Name == NotPassed)
    T.Name = Why;
  for (Term &O : T.Operands)
    O = explain(std::move(O), Why);
  return T;
}

void Resolver::follow(const FragmentSite &S) {
  if (isDead(S.In))
    return;
  Instance Start{S.Kernel,    S.SetAttribute, S.SetCacheConfig, S.SetValue,
                 S.Condition, S.When,         S.Once,           0};
  std::set<Instance> Seen;
  std::vector<Instance> Work{std::move(Start)};
  while (!Work.empty()) {
    Instance I = std::move(Work.back());
    Work.pop_back();
    I.eachTerm([&](Term &T) { T = Evaluator.evaluate(T); });
    if (I.Condition && I.Condition->K == Kind::Integer) {
      if (I.Condition->Number == 0)
        continue; // Never runs when called this way.
      I.Condition.reset();
    }
    if (Seen.size() >= Options.MaxContexts)
      return unresolved(S, "more callers than are followed");
    if (!Seen.insert(I).second)
      continue;

    const FunctionId *Of = nullptr;
    I.eachTerm([&](const Term &T) {
      if (!Of)
        Of = findParameter(T);
    });
    if (!Of) {
      finish(S, I);
      continue;
    }
    const FunctionId Function = *Of;
    auto Substituted = [&](const std::vector<Term> &Arguments) {
      Instance Next = I;
      ++Next.Depth;
      Next.eachTerm([&](Term &T) { T = substitute(T, Function, Arguments); });
      return Next;
    };
    auto Known = Evaluator.Functions.find(Function);
    auto It = Callers.find(Function);
    const bool HasCallers = It != Callers.end() && !It->second.empty();
    auto GiveUp = [&](const char *Why) {
      // As if called with arguments that nobody knows.
      Instance Next = Substituted({});
      Next.Condition.reset();
      Next.eachTerm([&](Term &T) { T = explain(T, Why); });
      Work.push_back(std::move(Next));
    };
    if (I.Depth >= Options.MaxDepth) {
      GiveUp("calls are nested deeper than is followed");
      continue;
    }
    if (!HasCallers) {
      GiveUp("no caller of the function is in the scan");
      continue;
    }
    if (Known != Evaluator.Functions.end() && Known->second.AddressTaken)
      GiveUp("the function may be called through a pointer");
    for (const FragmentCall *C : It->second) {
      Instance Next = Substituted(C->Arguments);
      if (C->Condition)
        Next.Condition =
            Next.Condition
                ? Term::operation("&&", {*Next.Condition, *C->Condition})
                : *C->Condition;
      if (Next.When.empty())
        Next.When = C->When;
      Next.Once |= C->Once;
      Work.push_back(std::move(Next));
    }
  }
}

/// The alternatives of a term; itself where there is only one.
std::vector<Term> alternatives(const Term &T) {
  return T.K == Kind::Any ? T.Operands : std::vector<Term>{T};
}

const char *whyNot(const Term &T) {
  return T.K == Kind::Unknown && !T.Name.empty() ? T.Name.c_str()
                                                 : "it is not a constant";
}

/// The one value that dynamic shared memory needs to be allowed.
Value sharedMemoryValue(const Term &T) {
  std::optional<Value> Largest;
  for (const Term &A : alternatives(T)) {
    Value V = A.K == Kind::Integer  ? Value(A.Number)
              : A.K == Kind::AtMost ? Value(AtMostValue{A.Number})
                                    : Value(MaxValue());
    Largest = Largest
                  ? combine(Attribute::MaxDynamicSharedSizeBytes, *Largest, V)
                  : V;
  }
  return Largest.value_or(MaxValue());
}

/// What the instance says of any kernel: more than one site where there are
/// several attributes or values. Empty, and why: not known.
std::vector<Site> Resolver::sitesOf(const FragmentSite &S, const Instance &I,
                                    std::string &Why) const {
  Site Base;
  Base.Kind = S.Kind;
  Base.At = S.At;
  if (S.Kind != SiteKind::Set) {
    Base.Shared = S.Shared;
    Base.Cooperative = S.Cooperative;
    Base.Cluster = S.Cluster;
    return {Base};
  }
  Base.When = I.When;
  Base.Once = I.Once;
  std::vector<Site> Sites;
  if (I.SetCacheConfig) {
    for (const Term &T : alternatives(*I.SetCacheConfig)) {
      if (T.K != Kind::Integer || T.Number < 0 || T.Number > 3) {
        Why = std::string("the cache config is not known: ") + whyNot(T);
        return {};
      }
      Sites.push_back(Base);
      Sites.back().SetCacheConfig = static_cast<CacheConfig>(T.Number);
    }
    return Sites;
  }
  if (!I.SetAttribute || !I.SetValue) {
    Why = "the attribute is not known";
    return {};
  }
  for (const Term &A : alternatives(*I.SetAttribute)) {
    const AttributeInfo *Info =
        A.K == Kind::Integer && A.Number >= 0
            ? findAttribute(static_cast<unsigned>(A.Number))
            : nullptr;
    if (!Info || !Info->Settable) {
      Why = Info ? "this attribute cannot be set"
                 : std::string("the attribute is not known: ") + whyNot(A);
      return {};
    }
    Base.SetAttribute = Info->Id;
    if (Info->Id == Attribute::MaxDynamicSharedSizeBytes) {
      Sites.push_back(Base);
      Sites.back().SetValue = sharedMemoryValue(*I.SetValue);
      continue;
    }
    for (const Term &V : alternatives(*I.SetValue)) {
      if (V.K != Kind::Integer) {
        Why = "the value of " + std::string(Info->PlanName) +
              " is not known: " + whyNot(V);
        return {};
      }
      Sites.push_back(Base);
      Sites.back().SetValue = V.Number;
    }
  }
  if (Sites.empty())
    Why = "the value is not known";
  return Sites;
}

void Resolver::finish(const FragmentSite &S, const Instance &I) {
  const std::vector<Term> Candidates = alternatives(I.Kernel);
  if (Candidates.empty())
    return unresolved(S, "the kernel is never given a value");
  std::string WhyNoValue;
  const std::vector<Site> Found = sitesOf(S, I, WhyNoValue);
  if (Found.empty())
    return unresolved(S, WhyNoValue);
  for (const Term &K : Candidates) {
    if (K.K == Kind::Kernel)
      Kernels[K.Number].second.Sites.insert(Found.begin(), Found.end());
    else if (K.K == Kind::Function)
      unresolved(S, "the function is not a kernel in this scan");
    else
      unresolved(S, K.K == Kind::Unknown && !K.Name.empty()
                        ? K.Name
                        : "the kernel is not known");
  }
}

/// One place, one kernel, one value: one site, whatever the ways to it.
void Resolver::joinGuards(std::set<Site> &Sites) {
  std::map<Site, std::pair<std::set<std::string>, bool>> Joined;
  for (const Site &S : Sites) {
    Site Bare = S;
    Bare.When.clear();
    if (S.Once)
      Bare.Once = false;
    auto [It, New] = Joined.try_emplace(std::move(Bare));
    It->second.first.insert(S.When);
    const bool Once = S.Once.value_or(false);
    It->second.second = New ? Once : (It->second.second && Once);
  }
  Sites.clear();
  for (const auto &[Bare, Guards] : Joined) {
    Site S = Bare;
    const auto &[Whens, Once] = Guards;
    if (S.Once)
      S.Once = Once;
    // Where one way has no guard, the whole has none.
    if (!Whens.contains("")) {
      for (const std::string &W : Whens)
        S.When +=
            Whens.size() == 1 ? W : (S.When.empty() ? "(" : " || (") + W + ")";
    }
    Sites.insert(std::move(S));
  }
}

void Resolver::warnOfCacheConfigs(const Kernel &K) {
  for (const Site &S : K.Sites) {
    if (!S.SetCacheConfig)
      continue;
    Diagnostic D;
    D.Level = Severity::Warning;
    D.File = S.At.File;
    D.Line = S.At.Line;
    D.Column = S.At.Column;
    D.Message = "the cache config of " + K.Name +
                " is set to several values; none is planned";
    D.Option = "kplan-conflict";
    Diagnostics.push_back(std::move(D));
    return;
  }
}

void Resolver::buildKernels() {
  for (auto &[Key, Entry] : Kernels) {
    if (Entry.Sites.empty())
      continue;
    joinGuards(Entry.Sites);
    Kernel K;
    K.Key = Key;
    K.Name = Entry.Name.empty() ? demangle(Key.Symbol) : Entry.Name;
    K.Uses.assign(Entry.Uses.begin(), Entry.Uses.end());
    K.Sites.assign(Entry.Sites.begin(), Entry.Sites.end());
    std::map<Attribute, std::set<Value>> Values;
    std::set<CacheConfig> Configs;
    for (const Site &S : K.Sites) {
      if (S.SetAttribute && S.SetValue)
        Values[*S.SetAttribute].insert(*S.SetValue);
      if (S.SetCacheConfig)
        Configs.insert(*S.SetCacheConfig);
    }
    for (const auto &[A, Set] : Values) {
      std::optional<Value> All = *Set.begin();
      for (const Value &V : Set)
        All = All ? combine(A, *All, V) : All;
      if (All) {
        K.Attributes[A] = *All;
        continue;
      }
      Conflict C;
      C.Symbol = Key.Symbol;
      C.Attribute = A;
      C.Values.assign(Set.begin(), Set.end());
      P.Conflicts.push_back(std::move(C));
    }
    if (Configs.size() == 1)
      K.Cache = *Configs.begin();
    else if (Configs.size() > 1)
      warnOfCacheConfigs(K);
    P.Kernels.push_back(std::move(K));
  }
  std::sort(P.Kernels.begin(), P.Kernels.end(),
            [](const Kernel &A, const Kernel &B) { return A.Key < B.Key; });
  std::sort(P.Conflicts.begin(), P.Conflicts.end(),
            [](const Conflict &A, const Conflict &B) {
              return std::tie(A.Symbol, A.Attribute, A.Values) <
                     std::tie(B.Symbol, B.Attribute, B.Values);
            });
}

auto templateKey(const TemplateSite &T) {
  return std::tie(T.At, T.Kind, T.KernelText, T.SetAttribute, T.SetCacheConfig,
                  T.ValueText);
}

auto producerKey(const Producer &A) {
  return std::tie(A.Tool, A.Version, A.Clang, A.Cuda, A.Arch);
}

Plan Resolver::resolve(std::vector<Fragment> Fragments) {
  // The same for every order of the input, and for one that comes twice.
  std::map<std::pair<std::string, std::string>, Fragment> Ordered;
  for (Fragment &F : Fragments) {
    std::string Text = writeFragment(F);
    std::string File = F.File;
    Ordered.try_emplace({std::move(File), std::move(Text)}, std::move(F));
  }
  Fragments.clear();
  for (auto &Entry : Ordered)
    Fragments.push_back(std::move(Entry.second));

  for (size_t I = 0; I < Fragments.size(); ++I)
    adopt(Fragments[I], I);
  Evaluator.KernelBySymbol = [this](const std::string &Symbol) {
    return Term::kernel(internKernel({Symbol, Linkage::External, {}, {}}));
  };
  linkCalls(Fragments);

  std::set<SourcePosition> Live;
  for (const Fragment &F : Fragments) {
    Live.insert(F.Instantiated.begin(), F.Instantiated.end());
    for (const FragmentSite &S : F.Sites) {
      Live.insert(S.At);
      follow(S);
    }
  }
  buildKernels();

  std::set<std::tuple<SourcePosition, std::string, std::string>> Globals;
  for (const Fragment &F : Fragments) {
    for (const Global &G : F.Globals)
      if (Globals.insert({G.At, G.Symbol, G.File}).second)
        P.Globals.push_back(G);
    for (const TemplateSite &T : F.Templates)
      if (!Live.contains(T.At))
        P.Templates.push_back(T);
    P.Producers.push_back(F.Producer);
  }
  std::sort(P.Globals.begin(), P.Globals.end(),
            [](const Global &A, const Global &B) {
              return std::tie(A.Symbol, A.File, A.At) <
                     std::tie(B.Symbol, B.File, B.At);
            });
  auto SortUnique = [](auto &List, auto Key) {
    std::sort(List.begin(), List.end(),
              [&](const auto &A, const auto &B) { return Key(A) < Key(B); });
    List.erase(std::unique(List.begin(), List.end(),
                           [&](const auto &A, const auto &B) {
                             return Key(A) == Key(B);
                           }),
               List.end());
  };
  SortUnique(P.Templates, templateKey);
  SortUnique(P.Producers, producerKey);
  for (const auto &[K, At, Why, Text] : Unresolved) {
    UnresolvedSite U;
    U.Kind = K;
    U.At = At;
    U.Why = Why;
    U.Text = Text;
    P.Unresolved.push_back(std::move(U));
  }
  std::sort(P.Unresolved.begin(), P.Unresolved.end(),
            [](const UnresolvedSite &A, const UnresolvedSite &B) {
              return std::tie(A.At, A.Kind, A.Why, A.Text) <
                     std::tie(B.At, B.Kind, B.Why, B.Text);
            });
  return std::move(P);
}

} // namespace

Result<Plan> resolveFragments(std::vector<Fragment> Fragments,
                              const ResolveOptions &Options,
                              std::vector<Diagnostic> &Diagnostics) {
  return Resolver(Options, Diagnostics).resolve(std::move(Fragments));
}

} // namespace kplan
