//===- MergeTest.cpp ------------------------------------------------------===//

#include "plan/Merge.h"

#include "plan/PlanGenerator.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"

#include <gtest/gtest.h>

#include <set>

using namespace kplan;

static Plan plan(const std::string &Text) {
  auto P = readPlan("kplan: 1\n" + Text, "p.yaml");
  EXPECT_TRUE(P) << (P ? "" : format(P.errors()[0]));
  return P ? *P : Plan();
}

/// What merging plans of these texts gives, behind its first line.
static std::string merged(const std::vector<std::string> &Texts) {
  std::vector<Plan> Plans;
  Plans.reserve(Texts.size());
  for (const std::string &Text : Texts)
    Plans.push_back(plan(Text));
  std::string Out = writePlan(mergePlans(Plans));
  return Out.substr(Out.find('\n') + 1);
}

static std::string kernel(const std::string &Attributes,
                          const std::string &More = "") {
  return "kernels: [{symbol: k" + More + ", attributes: {" + Attributes +
         "}}]\n";
}

TEST(Merge, NothingGivesAnEmptyPlan) { EXPECT_EQ(merged({}), ""); }

TEST(Merge, SharedMemoryTakesTheLargest) {
  EXPECT_EQ(merged({kernel("max_dynamic_shared_size_bytes: 100"),
                    kernel("max_dynamic_shared_size_bytes: 200"),
                    kernel("max_dynamic_shared_size_bytes: {at_most: 150}")}),
            "kernels:\n- symbol: k\n  linkage: external\n  attributes:\n"
            "    max_dynamic_shared_size_bytes: 200\n");
}

TEST(Merge, OtherAttributesConflict) {
  EXPECT_EQ(merged({kernel("preferred_shared_memory_carveout: 50"),
                    kernel("preferred_shared_memory_carveout: 100")}),
            "kernels:\n- symbol: k\n  linkage: external\n"
            "conflicts:\n- {symbol: k, attribute: "
            "preferred_shared_memory_carveout, values: [50, 100]}\n");
}

TEST(Merge, CacheConfigsConflict) {
  EXPECT_EQ(merged({"kernels: [{symbol: k, cache_config: prefer_l1}]\n",
                    "kernels: [{symbol: k, cache_config: prefer_shared}]\n"}),
            "kernels:\n- symbol: k\n  linkage: external\n"
            "conflicts:\n- {symbol: k, cache_configs: [prefer_shared, "
            "prefer_l1]}\n");
}

TEST(Merge, ConflictsStayConflicts) {
  std::string Conflict = "conflicts: [{symbol: k, attribute: "
                         "preferred_shared_memory_carveout, values: [50, "
                         "100]}]\n";
  EXPECT_EQ(merged({Conflict, kernel("preferred_shared_memory_carveout: 50")}),
            "kernels:\n- symbol: k\n  linkage: external\n"
            "conflicts:\n- {symbol: k, attribute: "
            "preferred_shared_memory_carveout, values: [50, 100]}\n");
  EXPECT_EQ(merged({kernel("preferred_shared_memory_carveout: 70"), Conflict}),
            "kernels:\n- symbol: k\n  linkage: external\n"
            "conflicts:\n- {symbol: k, attribute: "
            "preferred_shared_memory_carveout, values: [50, 70, 100]}\n");
}

TEST(Merge, AConflictIsOfOneFileAndAllImages) {
  std::string A = ", linkage: internal, file: a.cu";
  std::string B = ", linkage: internal, file: b.cu";
  std::string Image = ", image: \"xxh3:00000000000000000000000000000000\"";
  EXPECT_EQ(merged({kernel("required_cluster_width: 1", A),
                    kernel("required_cluster_width: 2", A),
                    kernel("required_cluster_width: 4", A + Image),
                    kernel("required_cluster_width: 8", B)}),
            "kernels:\n"
            "- symbol: k\n  linkage: internal\n  file: a.cu\n"
            "- symbol: k\n  linkage: internal\n  file: a.cu\n  image: "
            "xxh3:00000000000000000000000000000000\n"
            "- symbol: k\n  linkage: internal\n  file: b.cu\n  attributes:\n"
            "    required_cluster_width: 8\n"
            "conflicts:\n- {symbol: k, file: a.cu, attribute: "
            "required_cluster_width, values: [1, 2, 4]}\n");
}

TEST(Merge, ScannedAndTracedStayTwo) {
  std::string Image = ", image: \"xxh3:00000000000000000000000000000000\"";
  Plan P = mergePlans({plan(kernel("required_cluster_width: 1")),
                       plan(kernel("required_cluster_width: 2", Image))});
  EXPECT_EQ(P.Kernels.size(), 2u);
  EXPECT_TRUE(P.Conflicts.empty());
}

TEST(Merge, JoinsTheRestOfAKernel) {
  EXPECT_EQ(
      merged({"kernels: [{symbol: k, name: k(), local_bytes: 5, uses: [cdp], "
              "sites: [{kind: launch, at: \"a:1:1\"}], x-a: 1}]\n",
              "kernels: [{symbol: k, local_bytes: 7, uses: [printf, cdp], "
              "sites: [{kind: launch, at: \"a:1:1\"}, {kind: query, at: "
              "\"a:1:1\"}], x-b: 2}]\n"}),
      "kernels:\n- symbol: k\n  name: k()\n  linkage: external\n"
      "  local_bytes: 7\n  uses: [printf, cdp]\n  sites:\n"
      "  - {kind: launch, at: \"a:1:1\"}\n"
      "  - {kind: query, at: \"a:1:1\"}\n"
      "  x-a: 1\n  x-b: 2\n");
}

TEST(Merge, JoinsImages) {
  std::string Id = "id: \"xxh3:00000000000000000000000000000000\", kind: "
                   "cubin, loader: library";
  EXPECT_EQ(merged({"images: [{" + Id +
                        ", copies: 2, origin: {store: a}, globals: [b]}]\n",
                    "images: [{" + Id +
                        ", origin: {file: z, size: 1}, globals: [a, b]}]\n",
                    "images: [{" + Id + ", options: {max_registers: 3}}]\n"}),
            "images:\n"
            "- id: xxh3:00000000000000000000000000000000\n  kind: cubin\n"
            "  loader: library\n  options: {}\n  copies: 2\n"
            "  origin: {file: z, offset: 0x0, size: 1}\n  globals: [a, b]\n"
            "- id: xxh3:00000000000000000000000000000000\n  kind: cubin\n"
            "  loader: library\n  options: {max_registers: 3}\n  copies: 1\n");
}

TEST(Merge, LimitsTakeTheLargest) {
  EXPECT_EQ(merged({"limits: {stack_size: 5, printf_fifo_size: 1}\n",
                    "limits: {stack_size: 3}\n"}),
            "limits: {printf_fifo_size: 1, stack_size: 5}\n");
}

TEST(Merge, ATemplateThatIsInstantiatedElsewhereIsNotListed) {
  std::string Template =
      "templates: [{kind: set, at: \"a:1:1\", kernel: \"k<T>\"}, {kind: "
      "launch, at: \"a:1:1\", kernel: \"k<T>\"}]\n";
  std::string Site = "kernels: [{symbol: k, sites: [{kind: set, at: \"a:1:1\", "
                     "cache_config: prefer_l1}]}]\n";
  Plan P = mergePlans({plan(Template), plan(Site)});
  ASSERT_EQ(P.Templates.size(), 1u);
  EXPECT_EQ(P.Templates[0].Kind, SiteKind::Launch);
}

static constexpr uint32_t Rounds = 400;

static std::string text(const Plan &P) { return writePlan(P); }

TEST(MergeProperty, Commutative) {
  for (uint32_t I = 0; I < Rounds; ++I) {
    Plan A = test::generatePlan(2 * I), B = test::generatePlan(2 * I + 1);
    EXPECT_EQ(text(mergePlans({A, B})), text(mergePlans({B, A})))
        << "seed " << 2 * I;
  }
}

TEST(MergeProperty, Associative) {
  for (uint32_t I = 0; I < Rounds; ++I) {
    Plan A = test::generatePlan(3 * I), B = test::generatePlan(3 * I + 1),
         C = test::generatePlan(3 * I + 2);
    std::string All = text(mergePlans({A, B, C}));
    EXPECT_EQ(text(mergePlans({mergePlans({A, B}), C})), All)
        << "seed " << 3 * I;
    EXPECT_EQ(text(mergePlans({A, mergePlans({B, C})})), All)
        << "seed " << 3 * I;
  }
}

TEST(MergeProperty, Idempotent) {
  for (uint32_t I = 0; I < Rounds; ++I) {
    Plan A = mergePlans({test::generatePlan(I)});
    EXPECT_EQ(text(mergePlans({A})), text(A)) << "seed " << I;
    EXPECT_EQ(text(mergePlans({A, A})), text(A)) << "seed " << I;
    Plan B = test::generatePlan(I + 1);
    EXPECT_EQ(text(mergePlans({A, B, A, B})), text(mergePlans({A, B})))
        << "seed " << I;
  }
}

/// A merged plan is one that the reader accepts.
TEST(MergeProperty, ResultsAreReadable) {
  for (uint32_t I = 0; I < Rounds; ++I) {
    Plan P = mergePlans({test::generatePlan(I), test::generatePlan(I + 1)});
    auto Read = readPlan(text(P), "p.yaml");
    ASSERT_TRUE(Read) << "seed " << I << '\n' << format(Read.errors()[0]);
    EXPECT_EQ(*Read, P) << "seed " << I;
  }
}

/// No site of an input is lost, wherever it ends up.
TEST(MergeProperty, NothingVanishes) {
  for (uint32_t I = 0; I < Rounds; ++I) {
    std::vector<Plan> Inputs = {test::generatePlan(I),
                                test::generatePlan(I + 1)};
    Plan P = mergePlans(Inputs);
    std::set<std::pair<SourcePosition, SiteKind>> Found;
    auto Collect = [](const Plan &P, auto &Out) {
      for (const Kernel &K : P.Kernels)
        for (const Site &S : K.Sites)
          Out.emplace(S.At, S.Kind);
      for (const auto &U : P.Unresolved)
        Out.emplace(U.At, U.Kind);
      for (const auto &T : P.Templates)
        Out.emplace(T.At, T.Kind);
    };
    Collect(P, Found);
    std::set<std::pair<SourcePosition, SiteKind>> Expected;
    for (const Plan &Input : Inputs)
      Collect(Input, Expected);
    EXPECT_EQ(Found, Expected) << "seed " << I;
  }
}

/// Plans that come one after the other make the same as all at once.
TEST(MergeProperty, OneByOne) {
  EXPECT_EQ(text(PlanMerger().take()), text(mergePlans({})));
  for (uint32_t I = 0; I < Rounds; ++I) {
    std::vector<Plan> All;
    PlanMerger Merger;
    for (uint32_t Each = 0; Each < 5; ++Each) {
      All.push_back(test::generatePlan(5 * I + Each));
      Merger.add(All.back());
    }
    EXPECT_EQ(text(Merger.take()), text(mergePlans(All))) << "seed " << 5 * I;
  }
}
