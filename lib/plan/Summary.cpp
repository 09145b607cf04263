//===- Summary.cpp - What a plan holds, in numbers ------------------------===//

#include "plan/Summary.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace kplan {

PlanSummary summarise(const Plan &P) {
  PlanSummary S;
  std::set<std::pair<SiteKind, SourcePosition>> Places;
  std::set<std::pair<std::string_view, std::string_view>> Globals;
  for (const Kernel &K : P.Kernels) {
    ++S.Kernels;
    if (!K.Attributes.empty() || K.Cache)
      ++S.KernelsWithAttributes;
    for (const Site &At : K.Sites)
      Places.emplace(At.Kind, At.At);
  }
  for (const auto &[Kind, At] : Places)
    switch (Kind) {
    case SiteKind::Set:
      ++S.SetSites;
      break;
    case SiteKind::Launch:
      ++S.LaunchSites;
      break;
    case SiteKind::Query:
      ++S.QuerySites;
      break;
    case SiteKind::DeviceLaunch:
      ++S.DeviceLaunchSites;
      break;
    }
  for (const Global &G : P.Globals)
    Globals.emplace(G.Symbol, G.File);
  for (const Image &I : P.Images)
    for (const std::string &Symbol : I.Globals)
      Globals.emplace(Symbol, I.Id);
  S.Images = P.Images.size();
  S.Globals = Globals.size();
  S.Modules = P.Modules.size();
  S.Unresolved = P.Unresolved.size();
  S.Conflicts = P.Conflicts.size();
  S.Templates = P.Templates.size();
  S.Stalls = P.Stalls.size();

  std::map<std::string_view, size_t> Reasons;
  for (const UnresolvedSite &U : P.Unresolved)
    ++Reasons[U.Why];
  for (const auto &[Why, Count] : Reasons)
    S.Reasons.push_back({std::string(Why), Count});
  std::sort(S.Reasons.begin(), S.Reasons.end(),
            [](const auto &A, const auto &B) {
              return A.Count != B.Count ? A.Count > B.Count : A.Why < B.Why;
            });
  return S;
}

static std::string counted(size_t Count, std::string_view Singular,
                           std::string_view Plural) {
  return std::to_string(Count) + ' ' +
         std::string(Count == 1 ? Singular : Plural);
}

/// " (why: 3, other: 1, ...)", the commonest few.
static std::string commonest(const std::vector<PlanSummary::Reason> &Reasons) {
  constexpr size_t Shown = 3;
  std::string Out = " (";
  for (size_t I = 0; I < std::min(Shown, Reasons.size()); ++I) {
    if (I)
      Out += ", ";
    Out += Reasons[I].Why;
    if (Reasons.size() > 1)
      Out += ": " + std::to_string(Reasons[I].Count);
  }
  if (Reasons.size() > Shown)
    Out += ", ...";
  return Out + ')';
}

std::string formatSummary(const PlanSummary &S) {
  std::string Out = counted(S.Kernels, "kernel", "kernels");
  if (S.KernelsWithAttributes)
    Out += " (" + std::to_string(S.KernelsWithAttributes) + " with attributes)";
  Out += ", " + std::to_string(S.SetSites) + " set, " +
         std::to_string(S.LaunchSites) + " launch and " +
         std::to_string(S.QuerySites) + " query sites";
  auto Add = [&](size_t Count, std::string_view Singular,
                 std::string_view Plural) {
    if (Count)
      Out += ", " + counted(Count, Singular, Plural);
  };
  Add(S.DeviceLaunchSites, "launch in device code", "launches in device code");
  Add(S.Images, "image", "images");
  Add(S.Globals, "global", "globals");
  Add(S.Modules, "module", "modules");
  if (S.Unresolved)
    Out += ", " + std::to_string(S.Unresolved) + " unresolved" +
           commonest(S.Reasons);
  Add(S.Conflicts, "conflict", "conflicts");
  Add(S.Templates, "site in a template that nothing instantiates",
      "sites in templates that nothing instantiates");
  Add(S.Stalls, "traced stall", "traced stalls");
  return Out;
}

} // namespace kplan
