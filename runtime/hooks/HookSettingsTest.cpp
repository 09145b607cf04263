//===- HookSettingsTest.cpp -----------------------------------------------===//

#include "hooks/HookSettings.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace kplan::runtime::hooks;

namespace {

TEST(HookSettingsTest, ReadsPurposes) {
  std::string_view Wrong;
  Purposes P = parsePurposes("load,set", Wrong);
  EXPECT_TRUE(P.contains(Purpose::Load));
  EXPECT_TRUE(P.contains(Purpose::Set));
  EXPECT_FALSE(P.contains(Purpose::Launch));
  EXPECT_EQ(Wrong, "");
}

TEST(HookSettingsTest, AllIsWhatCanBeObserved) {
  std::string_view Wrong;
  Purposes P = parsePurposes("all", Wrong);
  EXPECT_TRUE(P.contains(Purpose::Launch));
  EXPECT_TRUE(P.contains(Purpose::Limit));
  EXPECT_FALSE(P.contains(Purpose::Lookup));
  EXPECT_FALSE(P.contains(Purpose::Opaque));
}

TEST(HookSettingsTest, NamesTheFirstWordThatIsNoPurpose) {
  std::string_view Wrong;
  Purposes P = parsePurposes("load,loads,lunch,touch", Wrong);
  EXPECT_TRUE(P.contains(Purpose::Touch));
  EXPECT_EQ(Wrong, "loads");
  Wrong = {};
  parsePurposes("lookup", Wrong);
  EXPECT_EQ(Wrong, "lookup");
}

TEST(HookSettingsTest, NothingIsNothing) {
  std::string_view Wrong;
  EXPECT_TRUE(parsePurposes("", Wrong).empty());
  EXPECT_EQ(Wrong, "");
}

TEST(HookSettingsTest, ReadsTheEnvironment) {
  setenv("KPLAN_DISABLE", "0", 1);
  setenv("KPLAN_VERBOSE", "1", 1);
  setenv("KPLAN_CALLS", "graph", 1);
  HookSettings S = readHookSettings();
  EXPECT_FALSE(S.Disabled);
  EXPECT_TRUE(S.Verbose);
  EXPECT_TRUE(S.Calls.contains(Purpose::Graph));
  setenv("KPLAN_DISABLE", "1", 1);
  EXPECT_TRUE(readHookSettings().Disabled);
  unsetenv("KPLAN_DISABLE");
  unsetenv("KPLAN_VERBOSE");
  unsetenv("KPLAN_CALLS");
  S = readHookSettings();
  EXPECT_FALSE(S.Disabled || S.Verbose);
  EXPECT_TRUE(S.Calls.empty());
}

} // namespace
