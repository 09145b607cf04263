//===- Compare.cpp - What changed between two scans -----------------------===//
//
// Part of kplan. A plan is taken apart into facts: a subject, perhaps a place,
// and what is said about it, as YAML. Facts are then compared as text.
//
//===----------------------------------------------------------------------===//

#include "plan/Compare.h"

#include "plan/Names.h"
#include "plan/PlanWriter.h"
#include "plan/YamlWriter.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace kplan {

namespace {

struct Fact {
  std::string Group;   ///< What it is sorted under: kernels with their sites.
  std::string Subject; ///< "launch of k(int*)"
  SourcePosition At;   ///< No file: not at a place.
  std::string Detail;
  auto operator<=>(const Fact &) const = default;

  std::string text() const {
    return At.File.empty() ? Subject : Subject + " at " + formatPosition(At);
  }
};

std::string trimmed(std::string Text) {
  while (!Text.empty() && Text.back() == '\n')
    Text.pop_back();
  return Text;
}

/// What `Fill` writes into a map, on one line.
template <typename F> std::string flowMap(F Fill) {
  YamlWriter W;
  W.beginMap(YamlWriter::Style::Flow);
  Fill(W);
  W.endMap();
  return trimmed(W.take());
}

void word(YamlWriter &W, std::string_view Key, std::string_view Text) {
  if (Text.empty())
    return;
  W.key(Key);
  W.word(Text);
}

std::string kernelDetail(const Kernel &K) {
  return flowMap([&](YamlWriter &W) {
    for (const auto &[Attribute, Value] : K.Attributes) {
      W.key(nameOf(Attribute));
      writeValue(W, Value);
    }
    if (K.Cache)
      word(W, "cache_config", nameOf(*K.Cache));
    if (!K.Uses.empty()) {
      W.key("uses");
      W.beginSequence();
      for (Use U : K.Uses)
        W.word(nameOf(U));
      W.endSequence();
    }
  });
}

std::string siteDetail(Site S) {
  S.At = {}; // Kind and place are part of the fact's subject.
  YamlWriter W;
  writeSite(W, S);
  std::string Text = trimmed(W.take());
  std::string Kind = "{kind: " + std::string(nameOf(S.Kind));
  if (!Text.starts_with(Kind))
    return Text;
  Text.erase(1, Kind.size() - 1);
  if (std::string_view(Text).substr(1).starts_with(", "))
    Text.erase(1, 2);
  return Text;
}

void addKernel(std::vector<Fact> &Facts, const Kernel &K) {
  if (!K.Key.Image.empty())
    return;
  const std::string &Name = K.Name.empty() ? K.Key.Symbol : K.Name;
  std::string Tu = K.Key.File.empty() ? "" : " of " + K.Key.File;
  std::string Group = "0 " + K.Key.Symbol + Tu;
  Facts.push_back({Group, " kernel " + Name + Tu, {}, kernelDetail(K)});
  for (const Site &S : K.Sites) {
    std::string Subject = std::string(nameOf(S.Kind)) + " of ";
    Facts.push_back({Group, Subject + Name + Tu, S.At, siteDetail(S)});
  }
}

std::vector<Fact> factsOf(const Plan &P) {
  std::vector<Fact> Facts;
  for (const Kernel &K : P.Kernels)
    addKernel(Facts, K);
  for (const Global &G : P.Globals)
    Facts.push_back({"1", "global " + G.Symbol, G.At, {}});
  for (const UnresolvedSite &U : P.Unresolved)
    Facts.push_back({"2", "unresolved " + std::string(nameOf(U.Kind)), U.At,
                     flowMap([&](YamlWriter &W) {
                       word(W, "why", U.Why);
                       word(W, "text", U.Text);
                     })});
  for (const Conflict &C : P.Conflicts) {
    bool OfCache = !C.CacheConfigs.empty();
    Facts.push_back({"3",
                     "conflict over " +
                         (OfCache ? std::string("cache_config")
                                  : std::string(nameOf(C.Attribute))) +
                         " of " + C.Symbol +
                         (C.File.empty() ? "" : " of " + C.File),
                     {},
                     flowMap([&](YamlWriter &W) {
                       W.key("values");
                       W.beginSequence();
                       for (const Value &V : C.Values)
                         writeValue(W, V);
                       for (CacheConfig Cache : C.CacheConfigs)
                         W.word(nameOf(Cache));
                       W.endSequence();
                     })});
  }
  for (const TemplateSite &T : P.Templates)
    Facts.push_back({"4", "template's " + std::string(nameOf(T.Kind)), T.At,
                     flowMap([&](YamlWriter &W) {
                       word(W, "kernel", T.KernelText);
                       if (T.SetAttribute)
                         word(W, "attribute", nameOf(*T.SetAttribute));
                       if (T.SetCacheConfig)
                         word(W, "cache_config", nameOf(*T.SetCacheConfig));
                       word(W, "value", T.ValueText);
                     })});
  std::sort(Facts.begin(), Facts.end());
  Facts.erase(std::unique(Facts.begin(), Facts.end()), Facts.end());
  return Facts;
}

struct FoundDifference {
  Fact Place; ///< What it is sorted by.
  PlanDifference Difference;
};

/// Takes a pair out of both lists, which are sorted, for each two facts about
/// one subject that `Equal` holds of, and notes what `Make` makes of them.
template <typename E, typename M>
void pairUp(std::vector<Fact> &Gone, std::vector<Fact> &Added,
            std::vector<FoundDifference> &Found, E Equal, M Make) {
  auto BySubject = [](const Fact &A, const Fact &B) {
    return std::tie(A.Group, A.Subject) < std::tie(B.Group, B.Subject);
  };
  std::vector<bool> Paired(Added.size());
  std::erase_if(Gone, [&](const Fact &Old) {
    auto [Begin, End] =
        std::equal_range(Added.begin(), Added.end(), Old, BySubject);
    for (auto New = Begin; New != End; ++New) {
      size_t Index = New - Added.begin();
      if (Paired[Index] || !Equal(Old, *New))
        continue;
      Paired[Index] = true;
      Found.push_back({*New, Make(Old, *New)});
      return true;
    }
    return false;
  });
  size_t Index = 0;
  std::erase_if(Added, [&](const Fact &) { return Paired[Index++]; });
}

std::string said(const Fact &F) {
  return F.Detail.empty() ? std::string("{}") : F.Detail;
}

} // namespace

std::vector<PlanDifference> comparePlans(const Plan &Before, const Plan &Now) {
  std::vector<Fact> Old = factsOf(Before), New = factsOf(Now);
  std::vector<Fact> Gone, Added;
  std::set_difference(Old.begin(), Old.end(), New.begin(), New.end(),
                      std::back_inserter(Gone));
  std::set_difference(New.begin(), New.end(), Old.begin(), Old.end(),
                      std::back_inserter(Added));

  std::vector<FoundDifference> Found;
  pairUp(
      Gone, Added, Found,
      [](const Fact &A, const Fact &B) { return A.At == B.At; },
      [](const Fact &A, const Fact &B) {
        return PlanDifference{PlanDifference::Changed,
                              B.text() + ": " + said(B) + ", was " + said(A)};
      });
  pairUp(
      Gone, Added, Found,
      [](const Fact &A, const Fact &B) {
        return A.At.File == B.At.File && !A.At.File.empty() &&
               A.Detail == B.Detail;
      },
      [](const Fact &A, const Fact &B) {
        return PlanDifference{PlanDifference::Moved,
                              B.text() + ", was at " + formatPosition(A.At)};
      });
  for (const Fact &F : Gone)
    Found.push_back({F, {PlanDifference::Gone, F.text()}});
  for (const Fact &F : Added) {
    std::string Detail =
        F.Detail.empty() || F.Detail == "{}" ? std::string() : ": " + F.Detail;
    Found.push_back({F, {PlanDifference::New, F.text() + Detail}});
  }

  std::sort(Found.begin(), Found.end(),
            [](const FoundDifference &A, const FoundDifference &B) {
              return std::tie(A.Place, A.Difference) <
                     std::tie(B.Place, B.Difference);
            });
  std::vector<PlanDifference> Differences;
  for (FoundDifference &F : Found) {
    // A kernel's own fact sorts first for the space it begins with.
    size_t Start = F.Difference.Text.find_first_not_of(' ');
    F.Difference.Text.erase(0, Start);
    Differences.push_back(std::move(F.Difference));
  }
  return Differences;
}

std::string formatDifference(const PlanDifference &D) {
  static constexpr const char *Words[] = {"new", "gone", "changed", "moved"};
  return std::string(Words[D.K]) + ": " + D.Text;
}

} // namespace kplan
