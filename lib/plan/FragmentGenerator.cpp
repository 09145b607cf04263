//===- FragmentGenerator.cpp - Fragments for property tests ---------------===//
//
// Part of kplan's tests.
//
//===----------------------------------------------------------------------===//

#include "plan/FragmentGenerator.h"

#include <random>
#include <string>

namespace kplan::test {
namespace {

class Generator {
public:
  explicit Generator(uint32_t Seed) : Random(Seed) {}
  Fragment run();

private:
  std::mt19937 Random; // The same numbers on every machine, unlike
                       // std::uniform_int_distribution.
  Fragment F;

  unsigned below(unsigned End) { return Random() % End; }
  bool oneIn(unsigned N) { return below(N) == 0; }
  std::string oneOf(std::initializer_list<const char *> Words) {
    return Words.begin()[below(Words.size())];
  }
  FunctionId function() {
    return oneOf({"f", "g", "h", "wrap", "_Z4pickv", "local#1@", "other#2@"});
  }
  StorageId storage() { return oneOf({"table", "number size", "member#3@"}); }
  std::string text() {
    return oneOf({"", "x > 1", "a \"quoted\" text", "tab\tand \\", "k<T>"});
  }
  SourcePosition position() {
    return {oneOf({"a.cu", "b.cuh", "odd:name.cu"}), 1 + below(30),
            1 + below(3)};
  }
  Term term(unsigned Depth);
  Term number();
  std::optional<Term> maybeCondition();
  void addKernels();
  void addSummaries();
  void addSites();
};

Term Generator::number() {
  switch (below(5)) {
  case 0:
    return Term::parameter(function(), below(3));
  case 1:
    return Term::storage("number size");
  case 2:
    return Term::max();
  default:
    return Term::integer(int64_t(below(8)) * 16384);
  }
}

Term Generator::term(unsigned Depth) {
  auto Some = [&] {
    std::vector<Term> Terms;
    for (unsigned N = below(3); N > 0; --N)
      Terms.push_back(term(Depth + 1));
    return Terms;
  };
  const unsigned Choice = Depth > 2 ? below(8) : below(15);
  switch (Choice) {
  case 0:
    return Term::unknown(oneOf({"why", "computed"}), text());
  case 1:
    return Term::integer(int64_t(below(200)) - 100);
  case 2:
    return Term::text(oneOf({"k1", "drv", "made up"}));
  case 3:
    return Term::function(function());
  case 4:
    return Term::storage(storage());
  case 5:
    return Term::parameter(function(), below(3));
  case 6:
  case 7:
  case 8:
    return Term::kernel(below(F.Kernels.size()));
  case 9:
    return Term::any(Some());
  case 10:
    return Term::returned(function(), Some());
  case 11:
    return Term::out(function(), below(2), Some());
  case 12:
    return Term::call(term(Depth + 1), Some());
  case 13:
    return Term::named(term(Depth + 1));
  default:
    return Term::operation(oneOf({"+", "*", "min", "<"}), {number(), number()});
  }
}

std::optional<Term> Generator::maybeCondition() {
  if (!oneIn(4))
    return std::nullopt;
  return Term::operation(">", {number(), Term::integer(16384)});
}

void Generator::addKernels() {
  for (unsigned N = 1 + below(3); N > 0; --N) {
    FragmentKernel &K = F.Kernels.emplace_back();
    K.Key.Symbol = oneOf({"k1", "k2", "k3", "_Z4gemmIfEvPT_"});
    if (oneIn(4)) {
      K.Key.Link = Linkage::Internal;
      K.Key.File = F.File;
    }
    K.Name = oneOf({"", "a name", "another"});
    if (oneIn(3))
      K.Uses = {Use::Printf};
    if (oneIn(2))
      K.At = {F.File, 1 + below(9), 1 + below(9)};
  }
}

void Generator::addSummaries() {
  for (unsigned N = below(4); N > 0; --N) {
    FragmentFunction &Fn = F.Functions.emplace_back();
    Fn.Id = function();
    Fn.DeviceOnly = oneIn(4);
    Fn.AddressTaken = oneIn(4);
    for (unsigned M = below(3); M > 0; --M)
      Fn.Returns.push_back(term(0));
    if (oneIn(3))
      Fn.Outs.push_back({below(2), {term(0)}});
  }
  for (unsigned N = below(6); N > 0; --N) {
    FragmentCall &C = F.Calls.emplace_back();
    C.Caller = oneIn(3) ? FunctionId() : function();
    C.Callee = oneIn(5) ? term(1) : Term::function(function());
    for (unsigned I = 0; I < 3; ++I)
      if (!oneIn(3))
        C.Arguments.emplace(I, term(1));
    C.When = text();
    C.Once = oneIn(3);
    C.Condition = maybeCondition();
  }
  for (unsigned N = below(4); N > 0; --N)
    F.Stores.push_back({storage(), term(1)});
}

void Generator::addSites() {
  for (unsigned N = below(6); N > 0; --N) {
    FragmentSite &S = F.Sites.emplace_back();
    S.Kind = oneIn(2) ? SiteKind::Set : static_cast<SiteKind>(below(4));
    S.At = position();
    S.In = oneIn(3) ? FunctionId() : function();
    S.Kernel = oneIn(2) ? Term::kernel(below(F.Kernels.size())) : term(0);
    S.Condition = maybeCondition();
    S.Text = text();
    if (S.Kind == SiteKind::Query)
      continue;
    if (S.Kind != SiteKind::Set) {
      S.Shared = text();
      if (oneIn(2))
        S.Cooperative = oneIn(2);
      if (oneIn(4))
        S.Cluster = {2, 1, 1};
      continue;
    }
    S.When = text();
    S.Once = oneIn(2);
    if (oneIn(5)) {
      S.SetCacheConfig = Term::integer(below(5));
    } else {
      S.SetAttribute = oneIn(5) ? number() : Term::integer(oneIn(3) ? 8 : 9);
      S.SetValue = number();
    }
  }
}

Fragment Generator::run() {
  F.File = oneOf({"a.cu", "b.cu", "sub/c.cu"});
  F.Producer.Tool = "kplan-scan";
  F.Producer.Version = "0.1.0";
  F.Producer.Cuda = oneOf({"12.9", "13.0"});
  F.Producer.Arch = {"sm_90"};
  addKernels();
  addSummaries();
  addSites();
  if (oneIn(3)) {
    Global &G = F.Globals.emplace_back();
    G.Symbol = oneOf({"v", "w"});
    G.File = oneOf({"", "a.cu"});
    G.At = position();
  }
  if (oneIn(2)) {
    TemplateSite &T = F.Templates.emplace_back();
    T.Kind = SiteKind::Set;
    T.At = position();
    T.KernelText = text();
    T.SetAttribute = Attribute::MaxDynamicSharedSizeBytes;
    T.ValueText = text();
  }
  if (oneIn(2))
    F.Instantiated.push_back(position());
  return std::move(F);
}

} // namespace

Fragment generateFragment(uint32_t Seed) { return Generator(Seed).run(); }

} // namespace kplan::test
