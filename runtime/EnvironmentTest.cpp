//===- EnvironmentTest.cpp - The KPLAN_* variables -----------------------===//

#include "Environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

using namespace kplan::runtime;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class EnvironmentTest : public testing::Test {
protected:
  EnvironmentTest() { clear(); }
  ~EnvironmentTest() override { clear(); }
  static void clear() {
    for (const char *Name :
         {"KPLAN_DISABLE", "KPLAN_VERBOSE", "KPLAN_PLAN", "KPLAN_ON_ESCAPE",
          "KPLAN_SEAL_AFTER", "KPLAN_REPORT", "KPLAN_SOCKET", "KPLAN_CACHE"})
      ::unsetenv(Name);
  }
};

TEST_F(EnvironmentTest, NothingSetIsTheDefault) {
  Environment E = readEnvironment();
  EXPECT_FALSE(E.Disabled);
  EXPECT_FALSE(E.Verbose);
  EXPECT_EQ(E.Plan, "");
  EXPECT_EQ(E.OnEscape, EscapeAction::Count);
  EXPECT_TRUE(E.Complaints.empty());
}

TEST_F(EnvironmentTest, ZeroAndEmptyAreOff) {
  ::setenv("KPLAN_DISABLE", "0", 1);
  ::setenv("KPLAN_VERBOSE", "", 1);
  EXPECT_FALSE(readEnvironment().Disabled);
  EXPECT_FALSE(readEnvironment().Verbose);
  ::setenv("KPLAN_DISABLE", "1", 1);
  ::setenv("KPLAN_VERBOSE", "yes", 1);
  EXPECT_TRUE(readEnvironment().Disabled);
  EXPECT_TRUE(readEnvironment().Verbose);
}

TEST_F(EnvironmentTest, OnEscapeIsStrict) {
  ::setenv("KPLAN_ON_ESCAPE", "warn", 1);
  EXPECT_EQ(readEnvironment().OnEscape, EscapeAction::Warn);
  EXPECT_TRUE(readEnvironment().Complaints.empty());
  ::setenv("KPLAN_ON_ESCAPE", "count", 1);
  EXPECT_EQ(readEnvironment().OnEscape, EscapeAction::Count);
  EXPECT_TRUE(readEnvironment().Complaints.empty());
  ::setenv("KPLAN_ON_ESCAPE", "abort", 1);
  EXPECT_EQ(readEnvironment().OnEscape, EscapeAction::Abort);
  EXPECT_TRUE(readEnvironment().Complaints.empty());
  ::setenv("KPLAN_ON_ESCAPE", "shout", 1);
  EXPECT_THAT(readEnvironment().Complaints, ElementsAre(HasSubstr("shout")));
}

TEST_F(EnvironmentTest, SealAfterIsANumberOfSeconds) {
  EXPECT_EQ(readEnvironment().SealAfter, std::nullopt);
  for (auto [Text, Seconds] :
       {std::pair{"0", 0.0}, {"2.5", 2.5}, {"1e3", 1e3}}) {
    ::setenv("KPLAN_SEAL_AFTER", Text, 1);
    EXPECT_EQ(readEnvironment().SealAfter, Seconds);
    EXPECT_TRUE(readEnvironment().Complaints.empty());
  }
  for (const char *Text : {"soon", "-1", "3s", "nan", "inf", "1e30", " 1"}) {
    ::setenv("KPLAN_SEAL_AFTER", Text, 1);
    EXPECT_EQ(readEnvironment().SealAfter, std::nullopt) << Text;
    EXPECT_THAT(readEnvironment().Complaints, ElementsAre(HasSubstr(Text)));
  }
}

TEST_F(EnvironmentTest, ReportAndSocket) {
  ::setenv("KPLAN_REPORT", "r.json", 1);
  ::setenv("KPLAN_SOCKET", "1", 1);
  EXPECT_EQ(readEnvironment().Report, "r.json");
  EXPECT_TRUE(readEnvironment().Socket);
}

TEST_F(EnvironmentTest, CacheIsAFolderOrOff) {
  ::setenv("HOME", "/home/user", 1);
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(readEnvironment().CacheFolder, "/home/user/.cache/kplan");
  ::setenv("XDG_CACHE_HOME", "/var/cache/user", 1);
  EXPECT_EQ(readEnvironment().CacheFolder, "/var/cache/user/kplan");
  ::setenv("XDG_CACHE_HOME", "not/absolute", 1);
  EXPECT_EQ(readEnvironment().CacheFolder, "/home/user/.cache/kplan");
  ::setenv("HOME", "", 1);
  EXPECT_EQ(readEnvironment().CacheFolder, "");
  ::setenv("KPLAN_CACHE", "/somewhere", 1);
  EXPECT_EQ(readEnvironment().CacheFolder, "/somewhere");
  ::setenv("KPLAN_CACHE", "off", 1);
  EXPECT_EQ(readEnvironment().CacheFolder, "");
}

} // namespace
