//===- Merge.cpp - Several plans to one -----------------------------------===//
//
// All plans are put into one pile, and whatever has the same identity is then
// joined. Nothing here depends on which plan an entry came from, which is what
// makes merging associative and commutative.
//
//===----------------------------------------------------------------------===//

#include "plan/Merge.h"

#include "plan/AttributeRules.h"
#include "plan/Canonical.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kplan {

namespace {

/// What a conflict is about.
struct ConflictSubject {
  std::string Symbol;
  std::string File;
  std::optional<Attribute> Of; ///< None: the cache config.
  auto operator<=>(const ConflictSubject &) const = default;
};

using ConflictMap = std::map<ConflictSubject, Conflict>;

ConflictSubject subject(const Kernel &K, std::optional<Attribute> Of) {
  return {K.Key.Symbol, K.Key.File, Of};
}

} // namespace

template <typename T>
static void append(std::vector<T> &To, std::vector<T> &From) {
  To.insert(To.end(), std::make_move_iterator(From.begin()),
            std::make_move_iterator(From.end()));
}

static void joinExtensions(Extensions &To, const Extensions &From) {
  for (const auto &[Key, Text] : From) {
    std::string &Mine = To[Key];
    Mine = std::max(Mine, Text);
  }
}

/// Of two names the one that is there; of two that are, the first in order.
static void joinName(std::string &To, const std::string &From) {
  if (To.empty() || (!From.empty() && From < To))
    To = From;
}

/// Folds neighbours that are the same thing into the first of them.
template <typename T, typename Sameness, typename Joining>
static void foldNeighbours(std::vector<T> &List, Sameness Same, Joining Join) {
  std::vector<T> Joined;
  Joined.reserve(List.size());
  for (T &Item : List)
    if (!Joined.empty() && Same(Joined.back(), Item))
      Join(Joined.back(), Item);
    else
      Joined.push_back(std::move(Item));
  List = std::move(Joined);
}

/// Joins what has the same identity. `Join(Into, From)` must be commutative and
/// associative.
template <typename T, typename Identity, typename Joining>
static void joinEqual(std::vector<T> &List, Identity Of, Joining Join) {
  std::sort(List.begin(), List.end(),
            [&](const T &A, const T &B) { return Of(A) < Of(B); });
  foldNeighbours(
      List, [&](const T &A, const T &B) { return Of(A) == Of(B); }, Join);
}

/// Joins what differs in its `x-` keys at most. They are the last member, so
/// sorting brings such entries together.
template <typename T> static void joinRepetitions(std::vector<T> &List) {
  sortUnique(List);
  auto WithoutExtra = [](T Item) {
    Item.Extra.clear();
    return Item;
  };
  foldNeighbours(
      List,
      [&](const T &A, const T &B) {
        return WithoutExtra(A) == WithoutExtra(B);
      },
      [](T &Into, const T &From) { joinExtensions(Into.Extra, From.Extra); });
}

// Conflicts.

static void joinConflict(Conflict &To, Conflict &From) {
  append(To.Values, From.Values);
  append(To.CacheConfigs, From.CacheConfigs);
  joinExtensions(To.Extra, From.Extra);
}

static Conflict &conflictAbout(ConflictMap &Conflicts,
                               const ConflictSubject &Subject) {
  Conflict &C = Conflicts[Subject];
  C.Symbol = Subject.Symbol;
  C.File = Subject.File;
  if (Subject.Of)
    C.Attribute = *Subject.Of;
  return C;
}

static ConflictMap collectConflicts(std::vector<Conflict> &List) {
  ConflictMap Conflicts;
  for (Conflict &C : List) {
    ConflictSubject Subject{C.Symbol, C.File, std::nullopt};
    if (C.CacheConfigs.empty())
      Subject.Of = C.Attribute;
    joinConflict(conflictAbout(Conflicts, Subject), C);
  }
  return Conflicts;
}

/// Takes what is in conflict away from the kernels, all images of them.
static void liftConflicts(std::vector<Kernel> &Kernels,
                          ConflictMap &Conflicts) {
  if (Conflicts.empty())
    return;
  for (Kernel &K : Kernels) {
    for (auto It = K.Attributes.begin(); It != K.Attributes.end();) {
      auto Found = Conflicts.find(subject(K, It->first));
      if (Found == Conflicts.end()) {
        ++It;
        continue;
      }
      Found->second.Values.push_back(It->second);
      It = K.Attributes.erase(It);
    }
    auto Found = Conflicts.find(subject(K, std::nullopt));
    if (K.Cache && Found != Conflicts.end())
      Found->second.CacheConfigs.push_back(*std::exchange(K.Cache, {}));
  }
}

// Kernels.

static void joinKernel(Kernel &To, Kernel &From, ConflictMap &Conflicts) {
  joinName(To.Name, From.Name);
  for (const auto &[Of, Mine] : From.Attributes) {
    auto [Theirs, New] = To.Attributes.emplace(Of, Mine);
    if (New)
      continue;
    if (auto Both = combine(Of, Theirs->second, Mine)) {
      Theirs->second = *Both;
      continue;
    }
    Conflict &C = conflictAbout(Conflicts, subject(To, Of));
    C.Values.push_back(Mine);
  }
  if (!To.Cache)
    To.Cache = From.Cache;
  else if (From.Cache && *From.Cache != *To.Cache)
    conflictAbout(Conflicts, subject(To, std::nullopt))
        .CacheConfigs.push_back(*From.Cache);
  if (From.LocalBytes)
    To.LocalBytes = std::max(To.LocalBytes.value_or(0), *From.LocalBytes);
  append(To.Uses, From.Uses);
  append(To.Sites, From.Sites);
  joinExtensions(To.Extra, From.Extra);
}

static void joinKernels(Plan &P) {
  ConflictMap Conflicts = collectConflicts(P.Conflicts);
  joinEqual(
      P.Kernels, [](const Kernel &K) -> const KernelKey & { return K.Key; },
      [&](Kernel &To, Kernel &From) { joinKernel(To, From, Conflicts); });
  for (Kernel &K : P.Kernels)
    joinRepetitions(K.Sites);
  liftConflicts(P.Kernels, Conflicts);
  P.Conflicts.clear();
  for (auto &[Subject, C] : Conflicts)
    P.Conflicts.push_back(std::move(C));
}

// Images and everything else.

/// A file's range goes before an entry of a store, and that before nothing.
static bool betterOrigin(const Origin &A, const Origin &B) {
  auto Rank = [](const Origin &O) {
    return std::holds_alternative<FileOrigin>(O)    ? 0
           : std::holds_alternative<StoreOrigin>(O) ? 1
                                                    : 2;
  };
  return Rank(A) != Rank(B) ? Rank(A) < Rank(B) : A < B;
}

static void joinImages(std::vector<Image> &Images) {
  joinEqual(
      Images,
      [](const Image &I) { return std::tie(I.Id, I.LoadedBy, I.Options); },
      [](Image &To, Image &From) {
        To.Kind = std::min(To.Kind, From.Kind);
        To.Copies = std::max(To.Copies, From.Copies);
        if (betterOrigin(From.Origin, To.Origin))
          To.Origin = std::move(From.Origin);
        append(To.Globals, From.Globals);
        To.UseCompiled |= From.UseCompiled;
        append(To.Compiled, From.Compiled);
        joinExtensions(To.Extra, From.Extra);
      });
  for (Image &I : Images)
    joinRepetitions(I.Compiled);
}

static void joinModules(std::vector<Module> &Modules) {
  joinEqual(
      Modules,
      [](const Module &M) { return std::tie(M.Name, M.Inputs, M.Options); },
      [](Module &To, Module &From) {
        append(To.Compiled, From.Compiled);
        joinExtensions(To.Extra, From.Extra);
      });
  for (Module &M : Modules)
    joinRepetitions(M.Compiled);
}

/// Drops templates' sites for which there is an instantiation after all.
static void dropInstantiated(Plan &P) {
  if (P.Templates.empty())
    return;
  std::set<std::pair<SourcePosition, SiteKind>> Instantiated;
  for (const Kernel &K : P.Kernels)
    for (const Site &S : K.Sites)
      Instantiated.emplace(S.At, S.Kind);
  for (const UnresolvedSite &U : P.Unresolved)
    Instantiated.emplace(U.At, U.Kind);
  std::erase_if(P.Templates, [&](const TemplateSite &T) {
    return Instantiated.contains({T.At, T.Kind});
  });
}

Plan mergePlans(std::vector<Plan> Plans) {
  Plan Out;
  for (Plan &P : Plans) {
    canonicalise(P);
    append(Out.Producers, P.Producers);
    append(Out.Kernels, P.Kernels);
    append(Out.Images, P.Images);
    append(Out.Globals, P.Globals);
    append(Out.Modules, P.Modules);
    for (const auto &[Name, Size] : P.Limits) {
      uint64_t &Mine = Out.Limits[Name];
      Mine = std::max(Mine, Size);
    }
    append(Out.Unresolved, P.Unresolved);
    append(Out.Conflicts, P.Conflicts);
    append(Out.Templates, P.Templates);
    append(Out.Stalls, P.Stalls);
    joinExtensions(Out.Extra, P.Extra);
  }
  joinKernels(Out);
  joinImages(Out.Images);
  joinRepetitions(Out.Producers);
  joinRepetitions(Out.Globals);
  joinModules(Out.Modules);
  joinRepetitions(Out.Unresolved);
  joinRepetitions(Out.Templates);
  joinRepetitions(Out.Stalls);
  dropInstantiated(Out);
  canonicalise(Out);
  return Out;
}

// One after the other.

/// What costs memory.
static size_t entriesOf(const Plan &P) {
  return P.Kernels.size() + P.Images.size() + P.Unresolved.size() +
         P.Templates.size() + P.Stalls.size();
}

// Joining goes through all that is merged, so that it is done when a few times
// as much waits: plans that say the same stay small, and others are gone
// through hardly more often than when all are joined at once.
void PlanMerger::add(Plan P) {
  constexpr size_t Few = 50000;
  WaitingEntries += entriesOf(P);
  Waiting.push_back(std::move(P));
  if (WaitingEntries >= Few + 3 * entriesOf(Merged))
    join();
}

void PlanMerger::join() {
  Waiting.push_back(std::move(Merged));
  Merged = mergePlans(std::exchange(Waiting, {}));
  WaitingEntries = 0;
}

Plan PlanMerger::take() {
  join();
  return std::exchange(Merged, {});
}

} // namespace kplan
