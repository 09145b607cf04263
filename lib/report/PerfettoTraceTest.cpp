//===- PerfettoTraceTest.cpp ----------------------------------------------===//

#include "report/PerfettoTrace.h"
#include "trace/Recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::report;
using testing::HasSubstr;

namespace {

Timeline timeline(const std::string &Lines) {
  auto Recordings = trace::parseRecordings(
      "process version=2 id=12 program=/bin/app at=1000\nstream number=1\n" +
          Lines,
      "test");
  auto T = timelineOf(*Recordings);
  EXPECT_TRUE(T);
  return T ? std::move(*T) : Timeline();
}

TEST(PerfettoTrace, HasTracksOfThreadsAndStreams) {
  Timeline T = timeline("thread number=3 name=main\n"
                        "call at=2500 ns=1042 thread=3 api=cuLaunchKernel "
                        "purpose=launch stream=1 stall=1 in_flight=1\n");
  std::string Json = perfettoTrace({{"", &T}});
  EXPECT_THAT(Json,
              HasSubstr("{\"ph\":\"M\",\"pid\":12,\"tid\":3,\"name\":"
                        "\"thread_name\",\"args\":{\"name\":\"main (3)\"}"));
  EXPECT_THAT(
      Json,
      HasSubstr(
          "{\"ph\":\"X\",\"pid\":12,\"tid\":3,\"name\":\"cuLaunchKernel\","
          "\"ts\":1.500,\"cat\":\"launch,stall\",\"dur\":1.042,\"args\":{"
          "\"ns\":1042,\"stall\":true,\"in_flight\":\"stream 1\"}}"));
  EXPECT_THAT(Json, HasSubstr("\"tid\":1000000001,\"name\":\"thread_name\""));
}

TEST(PerfettoTrace, SpansOfOneTrackNeverCross) {
  Timeline T = timeline("call at=1000 ns=100 thread=3 api=a stream=1\n"
                        "call at=1050 ns=100 thread=4 api=b stream=1\n");
  std::string Json = perfettoTrace({{"", &T}});
  EXPECT_THAT(Json, HasSubstr("{\"ph\":\"i\",\"pid\":12,\"tid\":1000000001,"
                              "\"name\":\"b\""));
}

TEST(PerfettoTrace, TellsProcessesOfTwoRecordingsApart) {
  Timeline T = timeline("call at=1000 ns=100 thread=3 api=a\n");
  std::string Json = perfettoTrace({{"before", &T}, {"after", &T}});
  EXPECT_THAT(Json, HasSubstr("\"pid\":12,\"tid\":0,\"name\":\"process_name\","
                              "\"args\":{\"name\":\"app (12), before\"}"));
  EXPECT_THAT(Json, HasSubstr("\"pid\":13,\"tid\":0,\"name\":\"process_name\","
                              "\"args\":{\"name\":\"app (12), after\"}"));
}

} // namespace
