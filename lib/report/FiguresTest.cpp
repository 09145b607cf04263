//===- FiguresTest.cpp ----------------------------------------------------===//

#include "report/Figures.h"
#include "trace/Recording.h"

#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::report;

namespace {

Timeline timeline(const std::string &Lines) {
  auto Recordings = trace::parseRecordings(
      "process version=2 id=12 program=/bin/app at=1000\n" + Lines, "test");
  auto T = timelineOf(*Recordings);
  EXPECT_TRUE(T);
  return T ? std::move(*T) : Timeline();
}

TEST(Figures, AddUp) {
  Figures F = figuresOf(timeline(
      "call at=1000 ns=2000000 thread=3 api=a in_flight=1 first=1 stall=1\n"
      "call at=1000 ns=3000000 thread=4 api=a stall=1 behind=1\n"
      "call at=1000 ns=4000000 thread=5 api=a\n"
      "prime at=1000 ns=70 thread=3 libraries=2 functions=3\n"
      "prime at=2000 ns=30 thread=3 libraries=1\n"
      "seal at=3000\nseal at=4000 unseal=1\nescape kind=load api=a\n"));
  EXPECT_EQ(F.Calls, 3u);
  EXPECT_EQ(F.Firsts, 1u);
  EXPECT_EQ(F.Stalls, 2u);
  EXPECT_EQ(F.Stalled, 5000000u);
  EXPECT_EQ(F.Longest, 3000000u);
  EXPECT_EQ(F.Primings, 2u);
  EXPECT_EQ(F.Priming, 100u);
  EXPECT_EQ(F.Libraries, 3u);
  EXPECT_EQ(F.Seals, 1u);
  EXPECT_EQ(F.Escapes, 1u);
}

TEST(Figures, CompareWhatWaitedInEither) {
  Timeline Before = timeline(
      "call at=1000 ns=9000000 thread=3 api=a symbol=x in_flight=1 stall=1\n"
      "call at=1000 ns=10 thread=3 api=a symbol=x\n"
      "call at=1000 ns=20000000 thread=3 api=a symbol=quiet\n");
  Timeline After = timeline(
      "call at=1000 ns=20 thread=3 api=a symbol=x\n"
      "call at=1000 ns=9500000 thread=3 api=b symbol=y in_flight=1 stall=1\n");
  auto Rows = compareWaits(Before, &After);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0].Subject, "y");
  EXPECT_EQ(Rows[0].Before.Count, 0u);
  EXPECT_EQ(Rows[1].Subject, "x");
  EXPECT_EQ(Rows[1].Before.Count, 2u);
  EXPECT_EQ(Rows[1].Before.Stalls, 1u);
  EXPECT_EQ(Rows[1].Before.Longest, 9000000u);
  EXPECT_EQ(Rows[1].After.Longest, 20u);
  EXPECT_EQ(compareWaits(Before, nullptr).size(), 1u);
}

TEST(Figures, AreReadable) {
  EXPECT_EQ(formatTime(0), "0 ns");
  EXPECT_EQ(formatTime(999), "999 ns");
  EXPECT_EQ(formatTime(1000), "1.00 µs");
  EXPECT_EQ(formatTime(19804662), "19.8 ms");
  EXPECT_EQ(formatTime(999499), "999 µs");
  EXPECT_EQ(formatTime(999500), "1.00 ms");
  EXPECT_EQ(formatTime(39063000000), "39.1 s");
  EXPECT_EQ(formatBytes(830472192), "830 MB");
  EXPECT_EQ(formatBytes(999), "999 bytes");
  EXPECT_EQ(formatDate(1796108585360366267), "2026-12-01 07:03:05 UTC");
  EXPECT_EQ(formatDate(0), "");
}

} // namespace
