#include "probe/Report.h"

#include "probe/Rows.h"

#include <gtest/gtest.h>

#include <set>

using namespace kplan::probe;

static Measurement run(const char *Verdict, double HostMs, double DoneMs) {
  Measurement M;
  M.Row = "touch.launch";
  M.Verdict = Verdict;
  M.HostMs = HostMs;
  M.DoneMs = DoneMs;
  M.Runs = M.Agree = 1;
  return M;
}

TEST(ProbeReport, MostRunsDecideAndTheirMedianCounts) {
  Measurement M = combine({run("ok", 1, 2), run("host stall", 150, 151),
                           run("host stall", 160, 161)});
  EXPECT_EQ(M.Verdict, "host stall");
  EXPECT_EQ(M.Runs, 3U);
  EXPECT_EQ(M.Agree, 2U);
  EXPECT_EQ(M.HostMs, 155);
  EXPECT_EQ(M.DoneMs, 156);
}

TEST(ProbeReport, ReadsWhatItWrote) {
  Report R;
  R.On = {"Some \"GPU\"", "sm_90", "580.1", "13.0", 132, 2, true};
  R.Beside = {150, 64, true};
  R.Rows = {run("device stall", 0.25, 150.5), run("timed out", 0, 0)};
  R.Rows[1].Row = "graph.launch";
  R.Rows[1].Note = "no end within 30 s";
  auto Read = readReport(reportJson(R), "r.json");
  ASSERT_TRUE(Read);
  EXPECT_EQ(reportJson(*Read), reportJson(R));
  EXPECT_EQ(Read->On.Gpu, "Some \"GPU\"");
  EXPECT_EQ(Read->Rows[0].DoneMs, 150.5);
}

TEST(ProbeReport, RefusesOtherJson) {
  auto Read = readReport("{\"kplan\": 1}", "plan.json");
  ASSERT_FALSE(Read);
  EXPECT_EQ(Read.errors()[0].File, "plan.json");
}

TEST(ProbeReport, OnlyWhatBothMeasuredCanDiffer) {
  Report Here, There;
  Here.Rows = {run("ok", 1, 1)};
  There.Rows = {run("timed out", 0, 0)};
  EXPECT_TRUE(compare(Here, There).empty());
  There.Rows = {run("host stall", 150, 150)};
  auto D = compare(Here, There);
  ASSERT_EQ(D.size(), 1U);
  EXPECT_EQ(D[0].Here, "ok");
  EXPECT_EQ(D[0].There, "host stall");
}

TEST(ProbeRows, HaveNamesOfTheirOwn) {
  std::set<std::string> Names;
  for (const Row &R : allRows()) {
    EXPECT_TRUE(Names.insert(R.Name).second) << R.Name;
    EXPECT_NE(std::string(R.Name).find('.'), std::string::npos) << R.Name;
  }
}
