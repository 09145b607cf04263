//===- TimelineTest.cpp ---------------------------------------------------===//

#include "report/Timeline.h"
#include "trace/Recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::report;

namespace {

Timeline timeline(const std::string &Lines) {
  auto Recordings = trace::parseRecordings(
      "process version=2 id=12 program=/bin/app at=1000 date=5000\n"
      "driver version=580 loading=lazy\n" +
          Lines,
      "test");
  EXPECT_TRUE(Recordings);
  auto T = timelineOf(*Recordings);
  EXPECT_TRUE(T);
  return T ? std::move(*T) : Timeline();
}

const Call &onlyCall(const Timeline &T) {
  return T.Processes.at(0).Calls.at(0);
}

TEST(Timeline, CountsFromTheFirstMoment) {
  Timeline T = timeline("call at=1500 ns=70 thread=3 api=cuInit\n"
                        "call at=800 ns=10 thread=4 api=cuInit\n");
  EXPECT_EQ(T.Processes[0].Calls[0].Begin, 0u);
  EXPECT_EQ(T.Processes[0].Calls[1].Begin, 700u);
  EXPECT_EQ(T.Processes[0].Begin, 200u);
  EXPECT_EQ(T.Duration, 770u);
  EXPECT_EQ(T.Date, 4800u);
}

TEST(Timeline, NamesWhatAHandleStoodForThen) {
  Timeline T = timeline(
      "load handle=1 by=library image=xxh3:aa kind=ptx\n"
      "kernel handle=5 library=1 symbol=_Z3onev\n"
      "call at=1000 ns=1 thread=3 api=cuLaunchKernel handle=5\n"
      "unload by=library handle=1\n"
      "call at=1010 ns=1 thread=3 api=cuLibraryUnload owner=1\n"
      "load handle=1 by=library image=xxh3:bb kind=ptx file=/x/libb.so size=9\n"
      "call at=1020 ns=1 thread=3 api=cuLibraryLoadData owner=1\n"
      "kernel handle=5 library=1 symbol=_Z3twov\n"
      "call at=1030 ns=1 thread=3 api=cuLaunchKernel handle=5\n"
      "call at=1040 ns=1 thread=3 api=cuLibraryGetGlobal owner=1 symbol=g\n");
  std::vector<std::string> Subjects;
  for (const Call &C : T.Processes[0].Calls)
    Subjects.push_back(T.Words[C.Subject]);
  EXPECT_THAT(Subjects,
              testing::ElementsAre("_Z3onev", "xxh3:aa", "xxh3:bb in libb.so",
                                   "_Z3twov", "g"));
}

TEST(Timeline, LoadingThatOnlyUnpacksIsNoStall) {
  EXPECT_FALSE(onlyCall(timeline("call at=1000 ns=9000000 thread=3 "
                                 "api=cuLibraryLoadData in_flight=2 stall=1\n"))
                   .Stall);
  EXPECT_TRUE(onlyCall(timeline("call at=1000 ns=9000000 thread=3 "
                                "api=cuModuleLoadData in_flight=2 stall=1\n"))
                  .Stall);
}

TEST(Timeline, AnEscapeIsTheCallAroundIt) {
  Timeline T = timeline(
      "call at=1000 ns=50 thread=3 api=cuFuncLoad\n"
      "escape kind=touch api=cuFuncLoad symbol=k thread=3 at=1110 ns=20\n"
      "call at=1105 ns=90 thread=4 api=cuFuncLoad\n"
      "call at=1100 ns=40 thread=3 api=cuFuncLoad\n"
      "escape kind=touch symbol=late\n");
  std::vector<bool> Escaped;
  for (const Call &C : T.Processes[0].Calls)
    Escaped.push_back(C.Escape);
  EXPECT_THAT(Escaped, testing::ElementsAre(false, true, false));
  EXPECT_FALSE(T.Processes[0].Escapes[1].Begin);
}

TEST(Timeline, KnowsTheLastLaunchOnAStream) {
  Timeline T =
      timeline("call at=1000 ns=1 thread=3 api=cuLaunchKernel stream=2\n"
               "call at=1010 ns=1 thread=3 api=cuLaunchKernel stream=1\n"
               "call at=1020 ns=1 thread=3 api=cuLaunchKernel stream=2\n");
  const Process &P = T.Processes[0];
  EXPECT_EQ(P.lastLaunchOn(2, 20), &P.Calls[0]);
  EXPECT_EQ(P.lastLaunchOn(2, 21), &P.Calls[2]);
  EXPECT_EQ(P.lastLaunchOn(3, 21), nullptr);
}

TEST(Timeline, SaysWhatIsSimulated) {
  const std::string Call = "call at=1000 ns=1 thread=3 api=cuInit\n";
  EXPECT_TRUE(
      timeline("device name=kplan%20stand-in%20driver\n" + Call).isSimulated());
  EXPECT_FALSE(timeline("device name=NVIDIA%20H200\n" + Call).isSimulated());
}

TEST(Timeline, NeedsTimes) {
  auto Recordings = trace::parseRecordings(
      "process version=2 id=1 program=a at=5\nuse handle=1\n", "test");
  ASSERT_TRUE(Recordings);
  auto T = timelineOf(*Recordings);
  ASSERT_FALSE(T);
  EXPECT_EQ(T.errors()[0].Message, "holds no call with a time");
}

} // namespace
