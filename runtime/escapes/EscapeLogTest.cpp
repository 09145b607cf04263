//===- EscapeLogTest.cpp - The escapes of a process -----------------------===//

#include "escapes/EscapeLog.h"

#include <gtest/gtest.h>

using namespace kplan::runtime;

namespace {

Escape escape(const char *Api, std::string Symbol, double HostMs = 1) {
  Escape E;
  E.Api = Api;
  E.Symbol = std::move(Symbol);
  E.HostMs = HostMs;
  return E;
}

TEST(EscapeLog, CountsTheSameOnceMore) {
  EscapeLog Log;
  EXPECT_NE(Log.add(escape("cuMemFree", "", 1)), nullptr);
  EXPECT_EQ(Log.add(escape("cuMemFree", "", 5)), nullptr);
  EXPECT_EQ(Log.add(escape("cuMemFree", "", 2)), nullptr);
  ASSERT_EQ(Log.entries().size(), 1U);
  EXPECT_EQ(Log.entries()[0].Count, 3U);
  EXPECT_EQ(Log.entries()[0].HostMs, 5);
  EXPECT_EQ(Log.total(), 3U);
}

TEST(EscapeLog, KeepsApartWhatDiffers) {
  EscapeLog Log;
  Log.add(escape("cuMemFree", ""));
  Escape Other = escape("cuMemFree", "");
  Other.Device = 1;
  EXPECT_NE(Log.add(Other), nullptr);
  Other.Image = "xxh3:1";
  EXPECT_NE(Log.add(Other), nullptr);
  Other.Kind = EscapeKind::Free;
  EXPECT_NE(Log.add(Other), nullptr);
  EXPECT_NE(Log.add(escape("cuMemFreeHost", "")), nullptr);
  EXPECT_NE(Log.add(escape("cuMemFree", "k")), nullptr);
  EXPECT_EQ(Log.entries().size(), 6U);
}

TEST(EscapeLog, CountsWhatItDoesNotKeep) {
  EscapeLog Log(2);
  Log.add(escape("a", "1"));
  Log.add(escape("a", "2"));
  EXPECT_EQ(Log.add(escape("a", "3")), nullptr);
  Log.add(escape("a", "1"));
  EXPECT_EQ(Log.entries().size(), 2U);
  EXPECT_EQ(Log.total(), 4U);
  EXPECT_EQ(Log.dropped(), 1U);
}

TEST(EscapeLog, EntriesStayWhereTheyAre) {
  EscapeLog Log;
  const Escape *First = Log.add(escape("a", "a symbol longer than SSO keeps"));
  const char *Symbol = First->Symbol.c_str();
  for (int I = 0; I < 1000; ++I)
    Log.add(escape("a", std::to_string(I)));
  EXPECT_EQ(&Log.entries()[0], First);
  EXPECT_EQ(Log.entries()[0].Symbol.c_str(), Symbol);
}

} // namespace
