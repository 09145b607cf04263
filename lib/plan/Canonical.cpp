//===- Canonical.cpp - One order for everything in a plan -----------------===//

#include "plan/Canonical.h"

#include "plan/AttributeRules.h"

#include <tuple>

namespace kplan {

/// Sorts by place first, then by everything else.
template <typename T> static void sortByPlace(std::vector<T> &Sites) {
  std::sort(Sites.begin(), Sites.end(), [](const T &A, const T &B) {
    if (auto Order = std::tie(A.At, A.Kind) <=> std::tie(B.At, B.Kind);
        Order != 0)
      return Order < 0;
    return A < B;
  });
  Sites.erase(std::unique(Sites.begin(), Sites.end()), Sites.end());
}

static void canonicalise(Conflict &C) {
  std::sort(C.Values.begin(), C.Values.end(), lessValue);
  C.Values.erase(std::unique(C.Values.begin(), C.Values.end()), C.Values.end());
  sortUnique(C.CacheConfigs);
}

/// What came with which minor version: docs/plan-format.md.
static unsigned minorOf(const std::vector<CompiledImage> &Compiled) {
  return std::any_of(Compiled.begin(), Compiled.end(),
                     [](const CompiledImage &C) {
                       return !C.Options.empty() || !C.Sources.empty();
                     });
}

static unsigned smallestMinor(const Plan &P) {
  unsigned Minor = 0;
  for (const Image &I : P.Images)
    Minor = std::max(Minor, I.UseCompiled ? 1 : minorOf(I.Compiled));
  for (const Module &M : P.Modules)
    Minor = std::max(Minor, M.Compiled.empty() ? 0U : 1U);
  return Minor;
}

void canonicalise(Plan &P) {
  P.Minor = smallestMinor(P);
  for (Producer &Made : P.Producers)
    sortUnique(Made.Arch);
  sortUnique(P.Producers);
  for (Kernel &K : P.Kernels) {
    sortUnique(K.Uses);
    sortByPlace(K.Sites);
  }
  sortUnique(P.Kernels);
  for (Image &I : P.Images) {
    sortUnique(I.Globals);
    sortUnique(I.Compiled);
  }
  sortUnique(P.Images);
  sortUnique(P.Globals);
  for (Module &M : P.Modules)
    sortUnique(M.Compiled);
  sortUnique(P.Modules);
  sortByPlace(P.Unresolved);
  for (Conflict &C : P.Conflicts)
    canonicalise(C);
  sortUnique(P.Conflicts);
  sortByPlace(P.Templates);
  sortUnique(P.Stalls);
}

} // namespace kplan
