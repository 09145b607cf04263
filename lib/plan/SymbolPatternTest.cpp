//===- SymbolPatternTest.cpp - Kernels whose names hold a hash -----------===//

#include "plan/SymbolPattern.h"

#include <gtest/gtest.h>

#include <string>

using namespace kplan;

namespace {

TEST(SymbolPattern, LeavesOpenOnlyTheHash) {
  const char *Pattern = "_ZN*_GLOBAL__N__*_4_m_cu_*4anonILi3EEEvPi";
  EXPECT_TRUE(matchesPattern(
      Pattern, "_ZN34_GLOBAL__N__1925b8fe_4_m_cu_09e5aec94anonILi3EEEvPi"));
  EXPECT_TRUE(matchesPattern(
      Pattern, "_ZN34_GLOBAL__N__1925b8fe_4_m_cu_cname24anonILi3EEEvPi"));
  EXPECT_FALSE(matchesPattern(
      Pattern, "_ZN34_GLOBAL__N__1925b8fe_4_n_cu_09e5aec94anonILi3EEEvPi"));
  EXPECT_FALSE(matchesPattern(
      Pattern, "_ZN34_GLOBAL__N__1925b8fe_4_m_cu_09e5aec94anonILi4EEEvPi"));
}

TEST(SymbolPattern, WithoutStarIsEquality) {
  EXPECT_TRUE(matchesPattern("_Z1kv", "_Z1kv"));
  EXPECT_FALSE(matchesPattern("_Z1kv", "_Z1kvv"));
  EXPECT_FALSE(matchesPattern("_Z1kvv", "_Z1kv"));
  EXPECT_FALSE(matchesPattern("", "_Z1kv"));
}

TEST(SymbolPattern, GoesBackForALaterMatch) {
  EXPECT_TRUE(matchesPattern("*ab", "abab"));
  EXPECT_TRUE(matchesPattern("a*b*c", "abxbc"));
  EXPECT_FALSE(matchesPattern("a*b*c", "abxb"));
  EXPECT_TRUE(matchesPattern("*", ""));
  EXPECT_TRUE(matchesPattern("**", "x"));
}

TEST(SymbolPattern, IsNotExponential) {
  std::string Pattern, Symbol(2000, 'a');
  for (int I = 0; I < 200; ++I)
    Pattern += "*a";
  EXPECT_FALSE(matchesPattern(Pattern + "*b", Symbol));
}

} // namespace
