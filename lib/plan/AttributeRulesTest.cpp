//===- AttributeRulesTest.cpp ---------------------------------------------===//

#include "plan/AttributeRules.h"

#include "plan/Attributes.h"

#include <gtest/gtest.h>

#include <array>

using namespace kplan;

static constexpr auto Values = std::to_array<Value>(
    {int64_t(-1), int64_t(0), int64_t(100), int64_t(200), AtMostValue{0},
     AtMostValue{100}, AtMostValue{200}, MaxValue()});

static constexpr auto Shared = Attribute::MaxDynamicSharedSizeBytes;
static constexpr auto Carveout = Attribute::PreferredSharedMemoryCarveout;

TEST(AttributeRules, SharedMemoryTakesTheLargest) {
  EXPECT_EQ(combine(Shared, int64_t(100), int64_t(200)), Value(int64_t(200)));
  EXPECT_EQ(combine(Shared, int64_t(1) << 40, MaxValue()), Value(MaxValue()));
  EXPECT_EQ(combine(Shared, int64_t(100), AtMostValue{200}),
            Value(AtMostValue{200}));
  EXPECT_EQ(combine(Shared, int64_t(200), AtMostValue{100}),
            Value(int64_t(200)));
  EXPECT_EQ(combine(Shared, int64_t(100), AtMostValue{100}),
            Value(int64_t(100)));
  EXPECT_EQ(combine(Shared, AtMostValue{100}, MaxValue()), Value(MaxValue()));
}

TEST(AttributeRules, OtherAttributesTakeOneValueAlone) {
  for (const AttributeInfo &Info : AttributeTable) {
    if (Info.Id == Shared)
      continue;
    EXPECT_EQ(combine(Info.Id, int64_t(1), int64_t(1)), Value(int64_t(1)));
    EXPECT_EQ(combine(Info.Id, int64_t(1), int64_t(2)), std::nullopt);
    EXPECT_EQ(combine(Info.Id, int64_t(1), AtMostValue{1}), std::nullopt);
  }
}

TEST(AttributeRules, OrderIsTotal) {
  for (const Value &A : Values)
    for (const Value &B : Values) {
      EXPECT_EQ(lessValue(A, B) + lessValue(B, A) + (A == B), 1)
          << describeValue(A) << ' ' << describeValue(B);
      for (const Value &C : Values)
        if (lessValue(A, B) && lessValue(B, C)) {
          EXPECT_TRUE(lessValue(A, C));
        }
    }
}

TEST(AttributeRules, CombiningIsAssociativeAndCommutative) {
  for (Attribute Of : {Shared, Carveout})
    for (const Value &A : Values)
      for (const Value &B : Values) {
        EXPECT_EQ(combine(Of, A, A), A);
        EXPECT_EQ(combine(Of, A, B), combine(Of, B, A));
        for (const Value &C : Values) {
          auto AB = combine(Of, A, B), BC = combine(Of, B, C);
          EXPECT_EQ(AB ? combine(Of, *AB, C) : AB,
                    BC ? combine(Of, A, *BC) : BC);
        }
      }
}

TEST(AttributeRules, DescribesValues) {
  EXPECT_EQ(describeValue(int64_t(-1)), "-1");
  EXPECT_EQ(describeValue(MaxValue()), "max");
  EXPECT_EQ(describeValue(AtMostValue{7}), "at most 7");
}
