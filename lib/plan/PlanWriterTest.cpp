//===- PlanWriterTest.cpp -------------------------------------------------===//

#include "plan/PlanWriter.h"

#include "plan/Canonical.h"
#include "plan/PlanGenerator.h"
#include "plan/PlanReader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace kplan;

TEST(PlanWriter, EmptyPlan) { EXPECT_EQ(writePlan({}), "kplan: 1\n"); }

TEST(PlanWriter, WritesTheSmallestMinorVersion) {
  Plan P;
  P.Minor = 1;
  P.Modules = {{"m", {"a.ptx"}, {}, {}, {}}};
  EXPECT_EQ(writePlan(P), "kplan: 1\nmodules:\n- {name: m, inputs: [a.ptx]}\n");
  P.Modules[0].Compiled = {{"sm_90", "m.cubin", "0", "", {}, {}, {}}};
  EXPECT_TRUE(writePlan(P).starts_with("kplan: 1\nminor: 1\n"));
}

TEST(PlanWriter, SourceTextIsAlwaysQuoted) {
  Plan P;
  Kernel K;
  K.Key.Symbol = "k";
  Site Launch;
  Launch.At = {"a.cu", 1, 2};
  Launch.Shared = "smem";
  K.Sites = {Launch};
  P.Kernels = {K};
  EXPECT_EQ(writePlan(P), "kplan: 1\n"
                          "kernels:\n"
                          "- symbol: k\n"
                          "  linkage: external\n"
                          "  sites:\n"
                          "  - {kind: launch, at: \"a.cu:1:2\", shared: "
                          "\"smem\"}\n");
}

/// Positions are in order of their numbers, not of their text.
TEST(PlanWriter, OrdersSitesByPositionThenKind) {
  Plan P;
  P.Kernels.resize(1);
  P.Kernels[0].Key.Symbol = "k";
  for (auto [Kind, Line] : {std::pair{SiteKind::Query, 10u},
                            {SiteKind::Launch, 9u},
                            {SiteKind::Launch, 10u}}) {
    Site S;
    S.Kind = Kind;
    S.At = {"a.cu", Line, 1};
    P.Kernels[0].Sites.push_back(S);
  }
  canonicalise(P);
  const auto &Sites = P.Kernels[0].Sites;
  EXPECT_EQ(Sites[0].At.Line, 9u);
  EXPECT_EQ(Sites[1].Kind, SiteKind::Launch);
  EXPECT_EQ(Sites[2].Kind, SiteKind::Query);
}

TEST(PlanWriter, BytesThatAreNotUtf8BecomeReplacements) {
  Plan P;
  P.Unresolved.push_back(
      {SiteKind::Set, {"a.cu", 1, 1}, "w\xFF", "\xE9t\xE9", {}});
  auto Read = readPlan(writePlan(P), "p.yaml");
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->Unresolved[0].Why, "w\xEF\xBF\xBD");
  EXPECT_EQ(writePlan(*Read), writePlan(P));
}

static constexpr uint32_t Seeds = 400;

TEST(PlanWriterProperty, ReadingGivesBackTheCanonicalPlan) {
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    Plan P = test::generatePlan(Seed);
    std::string Text = writePlan(P);
    auto Read = readPlan(Text, "p.yaml");
    ASSERT_TRUE(Read) << "seed " << Seed << '\n'
                      << format(Read.errors()[0]) << Text;
    canonicalise(P);
    EXPECT_EQ(*Read, P) << "seed " << Seed << '\n' << Text;
    EXPECT_EQ(writePlan(*Read), Text) << "seed " << Seed;
  }
}

TEST(PlanWriterProperty, OrderOfListsDoesNotMatter) {
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    Plan P = test::generatePlan(Seed);
    std::string Text = writePlan(P);
    std::mt19937 Random(Seed);
    auto Shuffle = [&](auto &List) {
      for (size_t I = List.size(); I > 1; --I)
        std::swap(List[I - 1], List[Random() % I]);
    };
    for (Producer &Made : P.Producers)
      Shuffle(Made.Arch);
    for (Kernel &K : P.Kernels)
      Shuffle(K.Sites);
    for (Image &I : P.Images) {
      Shuffle(I.Globals);
      Shuffle(I.Compiled);
    }
    for (Conflict &C : P.Conflicts)
      Shuffle(C.Values);
    Shuffle(P.Producers);
    Shuffle(P.Kernels);
    Shuffle(P.Images);
    Shuffle(P.Globals);
    Shuffle(P.Modules);
    Shuffle(P.Unresolved);
    Shuffle(P.Conflicts);
    Shuffle(P.Templates);
    Shuffle(P.Stalls);
    EXPECT_EQ(writePlan(P), Text) << "seed " << Seed;
  }
}
