//===- PlanBuilder.cpp - From what is known of sites to a plan ------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/PlanBuilder.h"

#include "plan/AttributeRules.h"
#include "plan/Attributes.h"
#include "plan/Canonical.h"
#include "plan/Demangle.h"

#include <utility>

namespace kplan {

using Kind = Term::Kind;

//===----------------------------------------------------------------------===//
// One site
//===----------------------------------------------------------------------===//

/// The alternatives of a term; itself where there is only one.
static std::vector<Term> alternatives(const Term &T) {
  return T.K == Kind::Any ? T.Operands : std::vector<Term>{T};
}

static const char *whyNot(const Term &T) {
  return T.K == Kind::Unknown && !T.Name.empty() ? T.Name.c_str()
                                                 : "it is not a constant";
}

/// The one value that dynamic shared memory needs to be allowed.
static Value sharedMemoryValue(const Term &T) {
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

/// A site for each cache config that a set may choose.
static Result<std::vector<Site>> cacheConfigSites(const Site &Base,
                                                  const Term &Config) {
  std::vector<Site> Sites;
  for (const Term &T : alternatives(Config)) {
    if (T.K != Kind::Integer || T.Number < 0 || T.Number > 3)
      return makeError(std::string("the cache config is not known: ") +
                       whyNot(T));
    Sites.push_back(Base);
    Sites.back().SetCacheConfig = static_cast<CacheConfig>(T.Number);
  }
  return Sites;
}

/// A site for each value that a set may give to attribute `A`.
static Result<std::vector<Site>> attributeSites(Site Base, const Term &A,
                                                const Term &Value) {
  const AttributeInfo *Info =
      A.K == Kind::Integer && A.Number >= 0
          ? findAttribute(static_cast<unsigned>(A.Number))
          : nullptr;
  if (!Info)
    return makeError(std::string("the attribute is not known: ") + whyNot(A));
  if (!Info->Settable)
    return makeError("this attribute cannot be set");
  Base.SetAttribute = Info->Id;
  if (Info->Id == Attribute::MaxDynamicSharedSizeBytes) {
    Base.SetValue = sharedMemoryValue(Value);
    return std::vector<Site>{std::move(Base)};
  }
  std::vector<Site> Sites;
  for (const Term &V : alternatives(Value)) {
    if (V.K != Kind::Integer)
      return makeError("the value of " + std::string(Info->PlanName) +
                       " is not known: " + whyNot(V));
    Sites.push_back(Base);
    Sites.back().SetValue = V.Number;
  }
  return Sites;
}

/// What an instance says of any kernel: more than one site where there are
/// several attributes or values. An error says what is not known.
static Result<std::vector<Site>> sitesOf(const FragmentSite &S,
                                         const SiteInstance &I) {
  Site Base;
  Base.Kind = S.Kind;
  Base.At = S.At;
  if (S.Kind != SiteKind::Set) {
    Base.Shared = S.Shared;
    Base.Cooperative = S.Cooperative;
    Base.Cluster = S.Cluster;
    return std::vector<Site>{std::move(Base)};
  }
  Base.When = I.When;
  Base.Once = I.Once;
  if (I.SetCacheConfig)
    return cacheConfigSites(Base, *I.SetCacheConfig);
  if (!I.SetAttribute || !I.SetValue)
    return makeError("the attribute is not known");
  std::vector<Site> Sites;
  for (const Term &A : alternatives(*I.SetAttribute)) {
    auto Found = attributeSites(Base, A, *I.SetValue);
    if (!Found)
      return Found;
    Sites.insert(Sites.end(), Found->begin(), Found->end());
  }
  if (Sites.empty())
    return makeError("the value is not known");
  return Sites;
}

void PlanBuilder::addUnresolved(const FragmentSite &S, std::string Why) {
  UnresolvedSite U;
  U.Kind = S.Kind;
  U.At = S.At;
  U.Why = std::move(Why);
  U.Text = S.Text;
  Unresolved.insert(std::move(U));
}

void PlanBuilder::add(const FragmentSite &S, const SiteInstance &I) {
  const std::vector<Term> Candidates = alternatives(I.Kernel);
  if (Candidates.empty())
    return addUnresolved(S, "the kernel is never given a value");
  const auto Found = sitesOf(S, I);
  if (!Found)
    return addUnresolved(S, Found.errors().front().Message);
  for (const Term &K : Candidates) {
    if (K.K == Kind::Kernel)
      SitesOfKernel[K.Number].insert(Found->begin(), Found->end());
    else if (K.K == Kind::Function)
      addUnresolved(S, "the function is not a kernel in this scan");
    else
      addUnresolved(S, K.K == Kind::Unknown && !K.Name.empty()
                           ? K.Name
                           : "the kernel is not known");
  }
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

/// One place, one kernel, one value: one site, whatever the ways to it.
static std::vector<Site> joinGuards(const std::set<Site> &Sites) {
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
  std::vector<Site> Result;
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
    Result.push_back(std::move(S));
  }
  return Result;
}

static Conflict conflictOf(const KernelKey &Key) {
  Conflict C;
  C.Symbol = Key.Symbol;
  if (Key.Link == Linkage::Internal)
    C.File = Key.File;
  return C;
}

/// What the kernel's sites come to: its attributes, or conflicts.
static void decide(Kernel &K, std::vector<Conflict> &Conflicts) {
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
    Conflict &C = Conflicts.emplace_back(conflictOf(K.Key));
    C.Attribute = A;
    C.Values.assign(Set.begin(), Set.end());
  }
  if (Configs.size() == 1)
    K.Cache = *Configs.begin();
  else if (Configs.size() > 1)
    Conflicts.emplace_back(conflictOf(K.Key))
        .CacheConfigs.assign(Configs.begin(), Configs.end());
}

Plan PlanBuilder::build() {
  Plan P;
  for (const auto &[Number, Sites] : SitesOfKernel) {
    const auto &Info = Program.kernel(Term::kernel(Number));
    Kernel &K = P.Kernels.emplace_back();
    K.Key = Info.Key;
    K.Name = Info.Name.empty() ? demangle(Info.Key.Symbol) : Info.Name;
    K.Uses.assign(Info.Uses.begin(), Info.Uses.end());
    K.Sites = joinGuards(Sites);
    decide(K, P.Conflicts);
  }
  P.Producers.assign(Program.Producers.begin(), Program.Producers.end());
  P.Globals.assign(Program.Globals.begin(), Program.Globals.end());
  P.Templates.assign(Program.Templates.begin(), Program.Templates.end());
  P.Unresolved.assign(Unresolved.begin(), Unresolved.end());
  canonicalise(P);
  return P;
}

} // namespace kplan
