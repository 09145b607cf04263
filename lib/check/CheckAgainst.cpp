//===- CheckAgainst.cpp - A plan against another --------------------------===//

#include "check/Check.h"
#include "check/Finding.h"
#include "plan/AttributeRules.h"
#include "plan/Names.h"

#include <algorithm>
#include <set>

namespace kplan::check {

namespace {

/// All that a plan says of one symbol, whatever the image.
struct Said {
  std::vector<const Kernel *> Kernels;
};
using SaidIndex = std::map<std::string, Said>;

SaidIndex indexOf(const Plan &P) {
  SaidIndex Index;
  for (const Kernel &K : P.Kernels)
    Index[K.Key.Symbol].Kernels.push_back(&K);
  return Index;
}

/// The kernels that one entry is about: those of its symbol, those that its
/// pattern matches, and those whose pattern matches its symbol.
std::vector<const Kernel *>
matching(const SaidIndex &Index, const std::vector<const Kernel *> &Patterns,
         const Kernel &K) {
  std::vector<const Kernel *> Out;
  forEachMatch(Index, K.Key.Symbol, [&](const Said &S) {
    Out.insert(Out.end(), S.Kernels.begin(), S.Kernels.end());
  });
  // The same pattern, or a symbol that a pattern of the plan stands for.
  if (isPattern(K.Key.Symbol)) {
    if (auto Same = Index.find(K.Key.Symbol); Same != Index.end())
      Out.insert(Out.end(), Same->second.Kernels.begin(),
                 Same->second.Kernels.end());
  } else {
    for (const Kernel *Pattern : Patterns)
      if (matchesPattern(Pattern->Key.Symbol, K.Key.Symbol))
        Out.push_back(Pattern);
  }
  return Out;
}

/// Whether a value is as good as another: the same, or a larger limit.
bool covers(Attribute A, const Value &Mine, const Value &Theirs) {
  auto Both = combine(A, Mine, Theirs);
  return Both && *Both == Mine;
}

} // namespace

void checkAgainst(const Subject &Of, const Subject &Other, Findings &Out) {
  const SaidIndex Index = indexOf(Of.Plan);
  std::vector<const Kernel *> Patterns;
  for (const Kernel &K : Of.Plan.Kernels)
    if (isPattern(K.Key.Symbol))
      Patterns.push_back(&K);
  std::set<std::pair<std::string, std::optional<Attribute>>> Conflicts;
  for (const Conflict &C : Of.Plan.Conflicts)
    Conflicts.emplace(C.Symbol, C.CacheConfigs.empty()
                                    ? std::optional(C.Attribute)
                                    : std::nullopt);

  const std::string InOther = " of " + Other.Path;
  std::set<std::string> Lacking; // once, however many images have it
  for (const Kernel &K : Other.Plan.Kernels) {
    std::vector<const Kernel *> Mine = matching(Index, Patterns, K);
    if (Mine.empty()) {
      if (Lacking.insert(describe(K)).second)
        add(Out, Of, "lacks " + describe(K) + InOther);
      continue;
    }
    auto Anyone = [&](auto Says) {
      return std::any_of(Mine.begin(), Mine.end(), Says);
    };
    for (const auto &[A, V] : K.Attributes) {
      if (Conflicts.contains({Mine.front()->Key.Symbol, A}))
        continue;
      bool Covered = Anyone([&, &A = A, &V = V](const Kernel *M) {
        auto It = M->Attributes.find(A);
        return It != M->Attributes.end() && covers(A, It->second, V);
      });
      std::string What = std::string(nameOf(A)) + ": " + describeValue(V) +
                         " of " + describe(K) + InOther;
      if (!Covered && Lacking.insert(What).second)
        add(Out, Of, "lacks " + What);
    }
    if (K.Cache && !Conflicts.contains({Mine.front()->Key.Symbol, {}}) &&
        !Anyone([&](const Kernel *M) { return M->Cache == K.Cache; })) {
      std::string What = "cache_config: " + std::string(nameOf(*K.Cache)) +
                         " of " + describe(K) + InOther;
      if (Lacking.insert(What).second)
        add(Out, Of, "lacks " + What);
    }
  }

  std::set<std::string> Globals;
  auto Collect = [](const Plan &P, std::set<std::string> &To) {
    for (const Global &G : P.Globals)
      To.insert(G.Symbol);
    for (const Image &I : P.Images)
      To.insert(I.Globals.begin(), I.Globals.end());
  };
  Collect(Of.Plan, Globals);
  std::set<std::string> Theirs;
  Collect(Other.Plan, Theirs);
  for (const std::string &Symbol : Theirs)
    if (!Globals.contains(Symbol))
      add(Out, Of, "lacks global " + Symbol + InOther);
}

} // namespace kplan::check
