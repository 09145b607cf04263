//===- CompareTest.cpp ----------------------------------------------------===//

#include "plan/Compare.h"

#include <gtest/gtest.h>

using namespace kplan;

namespace {

Site launch(unsigned Line, std::string Shared = {}) {
  Site S;
  S.Kind = SiteKind::Launch;
  S.At = {"a.cu", Line, 3};
  S.Shared = std::move(Shared);
  return S;
}

Site set(unsigned Line, int64_t Bytes) {
  Site S;
  S.Kind = SiteKind::Set;
  S.At = {"a.cu", Line, 3};
  S.SetAttribute = Attribute::MaxDynamicSharedSizeBytes;
  S.SetValue = Bytes;
  return S;
}

Kernel kernel(std::string Symbol, std::vector<Site> Sites) {
  Kernel K;
  K.Key.Symbol = Symbol;
  K.Name = Symbol + "()";
  K.Sites = std::move(Sites);
  return K;
}

Plan plan(std::vector<Kernel> Kernels) {
  Plan P;
  P.Kernels = std::move(Kernels);
  return P;
}

using Lines = std::vector<std::string>;

Lines compare(const Plan &Before, const Plan &Now) {
  Lines Out;
  for (const PlanDifference &D : comparePlans(Before, Now))
    Out.push_back(formatDifference(D));
  return Out;
}

TEST(Compare, TheSameSaysNothing) {
  Plan P = plan({kernel("j", {launch(1)}), kernel("k", {set(2, 7)})});
  Plan Q = plan({P.Kernels[1], P.Kernels[0]});
  Q.Producers.push_back({});
  EXPECT_EQ(compare(P, Q), Lines{});
}

TEST(Compare, NewAndGoneKernelsComeWithTheirSites) {
  Plan P = plan({kernel("j", {launch(1)})});
  Plan Q = plan({kernel("k", {launch(1, "n * 4")})});
  EXPECT_EQ(compare(P, Q),
            (Lines{"gone: kernel j()", "gone: launch of j() at a.cu:1:3",
                   "new: kernel k()",
                   "new: launch of k() at a.cu:1:3: {shared: \"n * 4\"}"}));
}

TEST(Compare, AChangedValueShowsBothValues) {
  Kernel Before = kernel("k", {set(2, 7)}), Now = kernel("k", {set(2, 8)});
  Before.Attributes[Attribute::MaxDynamicSharedSizeBytes] = 7;
  Now.Attributes[Attribute::MaxDynamicSharedSizeBytes] = 8;
  EXPECT_EQ(compare(plan({Before}), plan({Now})),
            (Lines{"changed: kernel k(): {max_dynamic_shared_size_bytes: 8}, "
                   "was {max_dynamic_shared_size_bytes: 7}",
                   "changed: set of k() at a.cu:2:3: {attribute: "
                   "max_dynamic_shared_size_bytes, value: 8}, was {attribute: "
                   "max_dynamic_shared_size_bytes, value: 7}"}));
}

TEST(Compare, ASiteOnAnotherLineMoved) {
  EXPECT_EQ(compare(plan({kernel("k", {launch(1), launch(9)})}),
                    plan({kernel("k", {launch(3), launch(11)})})),
            (Lines{"moved: launch of k() at a.cu:3:3, was at a.cu:1:3",
                   "moved: launch of k() at a.cu:11:3, was at a.cu:9:3"}));
}

TEST(Compare, AMoveToAnotherFileIsGoneAndNew) {
  Plan Q = plan({kernel("k", {launch(1)})});
  Q.Kernels[0].Sites[0].At.File = "b.cu";
  EXPECT_EQ(compare(plan({kernel("k", {launch(1)})}), Q),
            (Lines{"gone: launch of k() at a.cu:1:3",
                   "new: launch of k() at b.cu:1:3"}));
}

TEST(Compare, WhatHasNoKernelIsComparedToo) {
  Plan P, Q;
  P.Globals.push_back({"g", "a.cu", {"a.cu", 1, 1}, {}});
  Q.Unresolved.push_back({SiteKind::Set, {"a.cu", 2, 3}, "why so", "f(x)", {}});
  Q.Templates.push_back(
      {SiteKind::Launch, {"a.cu", 4, 3}, "k<T>", {}, {}, "", {}});
  EXPECT_EQ(compare(P, Q),
            (Lines{"gone: global g at a.cu:1:1",
                   "new: unresolved set at a.cu:2:3: {why: why so, text: f(x)}",
                   "new: template's launch at a.cu:4:3: {kernel: k<T>}"}));
}

TEST(Compare, WhatOnlyATraceKnowsIsLeftOut) {
  Plan P = plan({kernel("k", {launch(1)}), kernel("traced", {})});
  P.Kernels[1].Key.Image = "xxh3:00000000000000000000000000000000";
  P.Limits["stack_size"] = 2048;
  P.Stalls.push_back({});
  EXPECT_EQ(compare(P, plan({P.Kernels[0]})), Lines{});
}

TEST(Compare, InternalKernelsOfTwoFilesAreTwo) {
  Kernel A = kernel("_Z1kv", {});
  A.Key.Link = Linkage::Internal;
  A.Key.File = "a.cu";
  Kernel B = A;
  B.Key.File = "b.cu";
  EXPECT_EQ(compare(plan({A}), plan({A, B})),
            Lines{"new: kernel _Z1kv() of b.cu"});
}

} // namespace
