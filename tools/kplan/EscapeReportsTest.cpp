//===- EscapeReportsTest.cpp ----------------------------------------------===//

#include "EscapeReports.h"

#include <gtest/gtest.h>

using namespace kplan::tool;

static const char *const Report =
    "{\n  \"process\": 12,\n  \"program\": \"a \\\"b\\\"\",\n  \"seals\": 1,\n"
    "  \"summary\": \"3 escapes after the seal (3 free):\",\n  \"total\": 3,\n"
    "  \"not_listed\": 1,\n  \"limits\": [\n    \"launches\"\n  ],\n"
    "  \"escapes\": [\n    {\"kind\": \"free\", \"text\": \"free x\"}\n  "
    "]\n}\n";

TEST(EscapeReports, ReadsWhatAProcessLeft) {
  auto R = readEscapeReport(Report, "r.json");
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Process, "12");
  EXPECT_EQ(R->Program, "a \"b\"");
  EXPECT_TRUE(R->WasSealed);
  EXPECT_EQ(R->Total, 3U);
  EXPECT_EQ(R->Text, "3 escapes after the seal (3 free):\n  free x\n"
                     "  ... and 1 that are not listed\nnote: launches");
}

TEST(EscapeReports, WhatIsNoReportIsAnError) {
  auto R = readEscapeReport("{\"process\": ", "r.json");
  ASSERT_FALSE(R);
  EXPECT_EQ(R.errors().front().File, "r.json");
}

TEST(EscapeReports, ALongReportIsNoProblem) {
  std::string Json = "{\"total\": 1, \"escapes\": [";
  for (int I = 0; I < 20000; ++I)
    Json += std::string(I ? "," : "") + "\n{\"text\": \"" +
            std::string(100, 'x') + "\"}";
  EXPECT_TRUE(readEscapeReport(Json + "]}", "r.json"));
}

TEST(EscapeReports, PutsProcessesTogether) {
  ProcessEscapes One = {"1", "a", true, 0, "no escapes after the seal", "{}"};
  ProcessEscapes Two = One;
  Two.Process = "2";
  EXPECT_EQ(reportAsText({One, Two}),
            "process 1 (a): no escapes after the seal\n"
            "process 2 (a): no escapes after the seal\n");
  EXPECT_EQ(reportAsText({}), "no process called the CUDA driver\n");
  EXPECT_EQ(reportAsJson({One, Two}, {"a", "\"b"}, 3),
            "{\"kplan\": \"" KPLAN_VERSION "\",\n\"command\": [\"a\", "
            "\"\\\"b\"],\n\"exit_status\": 3,\n\"processes\": [\n{},\n{}]}\n");
}
