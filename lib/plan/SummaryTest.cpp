//===- SummaryTest.cpp ----------------------------------------------------===//

#include "plan/Summary.h"

#include <gtest/gtest.h>

using namespace kplan;

TEST(Summary, EmptyPlan) {
  EXPECT_EQ(formatSummary(summarise({})),
            "0 kernels, 0 set, 0 launch and 0 query sites");
}

TEST(Summary, Counts) {
  Plan P;
  P.Kernels.resize(3);
  P.Kernels[0].Attributes[Attribute::RequiredClusterWidth] = int64_t(1);
  P.Kernels[1].Cache = CacheConfig::PreferL1;
  Site S;
  S.At = {"a.cu", 1, 1};
  // One place that launches two kernels is one site.
  P.Kernels[0].Sites = {S};
  P.Kernels[1].Sites = {S};
  S.Kind = SiteKind::DeviceLaunch;
  P.Kernels[2].Sites = {S};
  P.Globals.resize(1);
  P.Globals[0].Symbol = "g";
  P.Images.resize(1);
  P.Images[0].Id = "xxh3:0";
  P.Images[0].Globals = {"g", "h"};
  EXPECT_EQ(formatSummary(summarise(P)),
            "3 kernels (2 with attributes), 0 set, 1 launch and 0 query sites, "
            "1 launch in device code, 1 image, 3 globals");
}

TEST(Summary, NamesTheCommonestReasons) {
  Plan P;
  for (const char *Why : {"d", "b", "b", "a", "c", "c", "c"})
    P.Unresolved.push_back({SiteKind::Set, {"a.cu", 1, 1}, Why, "", {}});
  PlanSummary S = summarise(P);
  ASSERT_EQ(S.Reasons.size(), 4u);
  EXPECT_EQ(S.Reasons[0].Why, "c");
  EXPECT_EQ(S.Reasons[0].Count, 3u);
  EXPECT_TRUE(formatSummary(S).ends_with(", 7 unresolved (c: 3, b: 2, a: 1, "
                                         "...)"))
      << formatSummary(S);
  P.Unresolved.resize(1);
  EXPECT_TRUE(formatSummary(summarise(P)).ends_with(", 1 unresolved (d)"));
}
