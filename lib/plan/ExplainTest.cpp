//===- ExplainTest.cpp ----------------------------------------------------===//
//
// What the scanner's own tests (test/scan/explain*) do not reach: limits, and
// what does not depend on clang. Words are checked there.
//
//===----------------------------------------------------------------------===//

#include "plan/Explain.h"
#include "plan/FragmentGenerator.h"
#include "plan/TermText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace kplan;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

namespace {

Explanation explain(const std::string &Kernel,
                    const std::vector<Fragment> &Fragments) {
  return explainKernel(Kernel, Fragments, resolveFragments(Fragments));
}

std::string describe(const Term &T) {
  return describeTerm(T, "f", [](const Term &K) {
    return "kernel " + std::to_string(K.Number);
  });
}

Fragment withKernels(unsigned Count) {
  Fragment F;
  F.File = "a.cu";
  F.Producer.Tool = "kplan-scan";
  F.Producer.Version = "0.1.0";
  for (unsigned I = 0; I < Count; ++I) {
    FragmentKernel &K = F.Kernels.emplace_back();
    K.Key.Symbol = "gemm_" + std::to_string(I);
    K.Name = K.Key.Symbol + "()";
  }
  return F;
}

TEST(Explain, OfManyKernelsTheFirstAreShownAndTheRestCounted) {
  const Explanation E = explain("gemm", {withKernels(23)});
  EXPECT_TRUE(E.Known);
  EXPECT_THAT(E.Text, EndsWith("\n3 more kernels of 'gemm'; a longer part of "
                               "the name chooses\n"));
}

TEST(Explain, AWholeNameMeansThatKernelAlone) {
  const Explanation E = explain("gemm_1()", {withKernels(23)});
  EXPECT_THAT(E.Text, HasSubstr("symbol: gemm_1\n"));
  EXPECT_THAT(E.Text, Not(HasSubstr("symbol: gemm_10\n")));
}

TEST(Explain, OfManyWaysTheFirstAreShownAndTheRestCounted) {
  Fragment F = withKernels(1);
  FragmentSite S;
  S.Kind = SiteKind::Set;
  S.At = {"a.cu", 1, 1};
  S.In = "wrap";
  S.Kernel = Term::kernel(0);
  S.SetAttribute = Term::integer(8);
  S.SetValue = Term::parameter("wrap", 0);
  F.Sites.push_back(S);
  for (int I = 0; I < 12; ++I) {
    FragmentCall C;
    C.Caller = "caller" + std::to_string(I);
    C.Callee = Term::function("wrap");
    C.Arguments.emplace(0, Term::integer(1000 + I));
    F.Calls.push_back(C);
  }
  EXPECT_THAT(explain("gemm", {F}).Text,
              EndsWith("    and 2 more ways to the kernel\n"));
}

TEST(Explain, AnyProgramInAnyOrder) {
  for (uint32_t Seed = 0; Seed < 40; ++Seed) {
    std::vector<Fragment> Fragments;
    for (uint32_t I = 0; I < 1 + Seed % 5; ++I)
      Fragments.push_back(test::generateFragment(Seed * 16 + I));
    const Explanation E = explain("k", Fragments);
    std::shuffle(Fragments.begin(), Fragments.end(), std::mt19937(Seed));
    EXPECT_EQ(explain("k", Fragments).Text, E.Text) << "seed " << Seed;
  }
}

TEST(TermText, LongOnesAreShortened) {
  std::vector<Term> Alternatives;
  for (int I = 0; I < 12; ++I)
    Alternatives.push_back(Term::integer(I));
  EXPECT_EQ(describe(Term::any(Alternatives)),
            "one of: 0; 1; 2; 3; 4; 5; 6; 7; and 4 more");
  const std::string Long = describe(Term::text(std::string(999, 'x')));
  EXPECT_LT(Long.size(), 410u);
  EXPECT_THAT(Long, EndsWith(" ..."));
}

TEST(TermText, ParametersAreCountedFromOneAndSayWhose) {
  EXPECT_EQ(describe(Term::parameter("f", 0)), "parameter 1");
  EXPECT_EQ(describe(Term::parameter("_Z1gi", 1)), "parameter 2 of g(int)");
  EXPECT_EQ(describe(Term::operation(
                "min", {Term::parameter("f", 0), Term::integer(4)})),
            "min(parameter 1, 4)");
}

TEST(TermText, WhatIsPrivateToAUnitHasItsPlainName) {
  EXPECT_EQ(describeFunction("_ZL5allowPKvm#1@3"),
            "allow(void const*, unsigned long)");
  EXPECT_EQ(describe(Term::storage("number rows@2")), "what is stored in rows");
  EXPECT_EQ(describeFunction(""), "a static initialiser");
}

} // namespace
