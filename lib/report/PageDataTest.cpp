//===- PageDataTest.cpp ---------------------------------------------------===//

#include "report/PageData.h"
#include "trace/Recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::report;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string data(const std::string &Text) {
  auto Recordings = trace::parseRecordings(Text, "test");
  auto T = timelineOf(*Recordings);
  EXPECT_TRUE(T);
  return T ? pageData(*T, "one") : "";
}

TEST(PageData, HasAColumnForEachField) {
  std::string Json = data(
      "process version=2 id=1 program=a at=100\n"
      "stream number=1\nstream number=2\n"
      "call at=100 ns=5 thread=7 api=f purpose=launch stream=2 first=1\n"
      "call at=130 ns=9 thread=8 api=f purpose=launch in_flight=1,2 stall=1\n");
  EXPECT_THAT(Json, HasSubstr("\"begin\":[0,30],\"ns\":[5,9]"));
  EXPECT_THAT(Json, HasSubstr("\"thread\":[0,1],\"stream\":[2,0]"));
  EXPECT_THAT(Json, HasSubstr("\"flags\":[1,2]"));
  EXPECT_THAT(Json, HasSubstr("\"extra\":{\"1\":{\"inFlight\":[1,2]}}"));
}

TEST(PageData, NumbersStreamsAndThreadsOfAllProcesses) {
  std::string Json = data("process version=2 id=1 program=a at=100\n"
                          "stream number=1\n"
                          "call at=200 ns=5 thread=7 api=f stream=1\n"
                          "process version=2 id=2 program=a at=90\n"
                          "stream number=1\n"
                          "call at=110 ns=5 thread=8 api=f stream=1\n");
  EXPECT_THAT(Json, HasSubstr("\"thread\":[0,1],\"stream\":[1,2]"));
  EXPECT_THAT(Json,
              HasSubstr("[{\"name\":\"8\",\"process\":\"a (2)\"},{\"name\""
                        ":\"7\",\"process\":\"a (1)\"}]"));
}

TEST(PageData, EndsNoElement) {
  std::string Json = data("process version=2 id=1 program=a at=100\n"
                          "call at=100 ns=5 thread=7 api=f "
                          "symbol=</script><!--\n");
  EXPECT_THAT(Json, Not(HasSubstr("<")));
  EXPECT_THAT(Json, HasSubstr("\\u003c/script>\\u003c!--"));
}

} // namespace
