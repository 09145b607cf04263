//===- EventTest.cpp ------------------------------------------------------===//

#include "trace/Event.h"
#include "trace/Recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::trace;
using testing::HasSubstr;

namespace {

TEST(Event, IsOneLine) {
  KernelEvent E;
  E.Handle = 5;
  E.Symbol = "_Z1kPf";
  EXPECT_EQ(encode(E), "kernel handle=5 symbol=_Z1kPf\n");
}

TEST(Event, ReadsWhatItWrites) {
  LoadEvent E;
  E.Handle = ~0ULL;
  E.By = "module";
  E.Unknown = "a reason, with = and % and\nlines\t\x01\xff";
  E.Options = {"max_registers", "64", "a,b", ""};
  std::string Line = encode(E);
  Line.pop_back();
  EXPECT_EQ(Line.find_first_of("\n\t\x01\xff"), Line.npos);
  auto Read = decode(Line);
  ASSERT_TRUE(Read);
  auto &Load = std::get<LoadEvent>(*Read);
  EXPECT_EQ(Load.Handle, E.Handle);
  EXPECT_EQ(Load.Unknown, E.Unknown);
  EXPECT_EQ(Load.Options, E.Options);
}

TEST(Event, KeepsNegativeValues) {
  SetEvent E;
  E.Value = -1;
  std::string Line = encode(E);
  Line.pop_back();
  EXPECT_EQ(std::get<SetEvent>(*decode(Line)).Value, -1);
}

TEST(Event, RefusesWhatItDoesNotWrite) {
  for (const char *Line :
       {"", "nothing", "kernel handle", "kernel handle=", "kernel handle=5x",
        "kernel handle=-5", "kernel handle=99999999999999999999",
        "kernel handle=5 handle=5", "kernel unknown=5", "kernel handle=5  ",
        "kernel symbol=a%", "kernel symbol=a%4", "kernel symbol=%zz",
        "kernel symbol=%00", "kernel symbol=a=b", " kernel handle=5",
        "KERNEL handle=5"})
    EXPECT_FALSE(decode(Line)) << Line;
}

TEST(Event, TakesAnyBytes) {
  // Not to crash is the whole test; ASan looks on.
  unsigned Seed = 7;
  const std::string Valid =
      "load handle=5 by=library options=max_registers,64 unknown=%20x";
  for (int Round = 0; Round < 20000; ++Round) {
    std::string Line = Valid;
    for (int I = 0; I < 4; ++I) {
      Seed = Seed * 1103515245 + 12345;
      Line[(Seed >> 8) % Line.size()] = static_cast<char>(Seed >> 24);
    }
    if (auto E = decode(Line)) {
      std::string Again = encode(*E);
      Again.pop_back();
      EXPECT_TRUE(decode(Again)) << Again;
    }
  }
}

constexpr std::string_view FirstLine =
    "process version=2 id=12 program=/bin/app\n";

std::string after(std::string_view Lines) {
  return std::string(FirstLine).append(Lines);
}

std::string whyNot(const std::string &Text) {
  auto Events = parseRecording(Text, "p.recording");
  return Events ? "" : format(Events.errors()[0]);
}

TEST(Recording, IsReadInOrder) {
  auto Events = parseRecording(after("use handle=1\nuse handle=2\n"), "p");
  ASSERT_TRUE(Events);
  ASSERT_EQ(Events->size(), 3u);
  EXPECT_EQ(std::get<UseEvent>((*Events)[2]).Handle, 2u);
}

TEST(Recording, MayEndAnywhere) {
  const std::string Text = after("kernel handle=1 symbol=_Z1kv\n");
  for (size_t N = 0; N < Text.size(); ++N) {
    auto Events = parseRecording(Text.substr(0, N), "p");
    ASSERT_TRUE(Events) << N;
    EXPECT_EQ(Events->size(), N < FirstLine.size() ? 0u : 1u) << N;
  }
}

TEST(Recording, NamesTheBadLine) {
  EXPECT_EQ(whyNot(after("use handle=1\nuse hand=1\n")),
            "p.recording:3: error: is no line of a recording\n");
}

TEST(Recording, BeginsWithItsProcess) {
  EXPECT_THAT(whyNot("use handle=1\n"), HasSubstr("does not begin"));
  EXPECT_THAT(whyNot(after(FirstLine)), HasSubstr("more than one process"));
  EXPECT_THAT(whyNot(std::string("\0\0\0\n", 4)), HasSubstr("no line"));
}

TEST(Recording, OfSeveralProcessesAreOneFile) {
  std::string First = after("use handle=1\nuse hand");
  auto All = parseRecordings(
      std::string(wholeLines(First)) + after("use handle=2\n"), "p");
  ASSERT_TRUE(All);
  ASSERT_EQ(All->size(), 2u);
  EXPECT_EQ(All->at(0).size(), 2u);
  EXPECT_EQ(std::get<UseEvent>(All->at(1).back()).Handle, 2u);
}

TEST(Recording, RefusesAnotherVersion) {
  EXPECT_THAT(whyNot("process version=1\n"),
              HasSubstr("of version 1; this kplan reads version 2"));
  EXPECT_THAT(whyNot("process\n"), HasSubstr("of version 0"));
}

} // namespace
