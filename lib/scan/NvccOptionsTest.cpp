//===- NvccOptionsTest.cpp ------------------------------------------------===//

#include "scan/NvccOptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using namespace kplan::scan;
using testing::ElementsAre;

namespace {

NvccArgument parseOne(const std::vector<std::string> &Arguments) {
  std::vector<NvccArgument> Parsed = parseNvccArguments(Arguments);
  EXPECT_EQ(Parsed.size(), 1u) << Arguments[0];
  return Parsed.empty() ? NvccArgument() : Parsed[0];
}

void expectAccepted(const std::vector<std::string> &Arguments, const char *Long,
                    const std::vector<std::string> &Values) {
  NvccArgument Argument = parseOne(Arguments);
  ASSERT_EQ(Argument.K, NvccArgument::Option) << Arguments[0];
  EXPECT_EQ(Argument.Which->Long, Long);
  EXPECT_EQ(Argument.Values, Values) << Arguments[0];
}

TEST(NvccOptions, NoSpellingTwice) {
  std::set<std::string> Seen;
  for (const NvccOption &Option : nvccOptions()) {
    EXPECT_FALSE(Option.Long.empty() && Option.Short.empty());
    for (auto [Dashes, Name] :
         {std::pair("--", Option.Long), std::pair("-", Option.Short)}) {
      std::string Spelling = Dashes + std::string(Name);
      EXPECT_TRUE(Name.empty() || Seen.insert(Spelling).second) << Spelling;
    }
  }
}

TEST(NvccOptions, EachSpellingIsFoundAsItself) {
  for (const NvccOption &Option : nvccOptions())
    for (auto [Dashes, Name] :
         {std::pair("--", Option.Long), std::pair("-", Option.Short)}) {
      if (Name.empty())
        continue;
      std::vector<std::string> Arguments = {Dashes + std::string(Name)};
      if (Option.Arity != NvccArity::Flag)
        Arguments.push_back("true");
      NvccArgument Argument = parseOne(Arguments);
      EXPECT_EQ(Argument.K, NvccArgument::Option) << Arguments[0];
      EXPECT_EQ(Argument.Which, &Option) << Arguments[0];
    }
}

TEST(NvccOptions, Separators) {
  expectAccepted({"-arch=sm_90"}, "gpu-architecture", {"sm_90"});
  expectAccepted({"-arch", "sm_90"}, "gpu-architecture", {"sm_90"});
  expectAccepted({"--gpu-architecture=sm_90"}, "gpu-architecture", {"sm_90"});
  expectAccepted({"--gpu-architecture", "sm_90"}, "gpu-architecture",
                 {"sm_90"});
  expectAccepted({"-gencode", "arch=compute_90,code=sm_90"}, "generate-code",
                 {"arch=compute_90", "code=sm_90"});
  expectAccepted({"--generate-code=arch=compute_90,code=[compute_90,sm_90]"},
                 "generate-code",
                 {"arch=compute_90", "code=[compute_90", "sm_90]"});
  expectAccepted({"-std=c++17"}, "std", {"c++17"});
  expectAccepted({"--std", "c++17"}, "std", {"c++17"});
}

TEST(NvccOptions, JoinedValues) {
  expectAccepted({"-t4"}, "threads", {"4"});
  expectAccepted({"-t=4"}, "threads", {"4"});
  expectAccepted({"-O3"}, "optimize", {"3"});
  expectAccepted({"-O=3"}, "optimize", {"3"});
  expectAccepted({"-DFOO"}, "define-macro", {"FOO"});
  expectAccepted({"-D=FOO"}, "define-macro", {"FOO"});
  expectAccepted({"-D", "FOO"}, "define-macro", {"FOO"});
  expectAccepted({"-I=/x"}, "include-path", {"/x"});
  expectAccepted({"-lfoo"}, "library", {"foo"});
}

TEST(NvccOptions, ListsAreSplitAtCommas) {
  expectAccepted({"-DFOO=1,BAR=2"}, "define-macro", {"FOO=1", "BAR=2"});
  expectAccepted({"-I/a,/b"}, "include-path", {"/a", "/b"});
  expectAccepted({"-isystem", "/a,/b"}, "system-include", {"/a", "/b"});
  expectAccepted({"-diag-suppress=177,20"}, "diag-suppress", {"177", "20"});
}

TEST(NvccOptions, AValueMayLookLikeAnOption) {
  expectAccepted({"-Xptxas", "-v"}, "ptxas-options", {"-v"});
  expectAccepted({"-Xcompiler", "-fPIC,-g"}, "compiler-options",
                 {"-fPIC", "-g"});
}

TEST(NvccOptions, WhatLooksLikeAJoinedValueButIsAnOption) {
  expectAccepted({"-lineinfo"}, "generate-line-info", {});
  expectAccepted({"-link"}, "link", {});
  expectAccepted({"-Ofc=max"}, "Ofast-compile", {"max"});
  expectAccepted({"-time", "x"}, "time", {"x"});
}

TEST(NvccOptions, WhatNvccDoesNotKnow) {
  for (const char *Argument :
       {"-archsm_90", "-xcu", "--arch=sm_90", "--lineinfo", "-Xcompiler-fPIC",
        "-generate-code=x", "--threads4", "-ofoo.o", "-rdctrue", "-MTx",
        "-isystem/x", "-g2", "-m32", "-Wall", "-fPIC", "--use-fast-math"})
    EXPECT_EQ(parseOne({Argument}).K, NvccArgument::Unknown) << Argument;
}

TEST(NvccOptions, WhatNvccRefuses) {
  EXPECT_EQ(parseOne({"-lineinfo=true"}).Problem, "no argument expected");
  EXPECT_EQ(parseOne({"-rdc=yes"}).Problem, "expected true or false");
  EXPECT_EQ(parseOne({"-arch"}).Problem, "expected an argument");
  for (const char *Argument : {"-lineinfo=true", "-rdc=yes", "-arch"})
    EXPECT_EQ(parseOne({Argument}).K, NvccArgument::Refused) << Argument;
}

TEST(NvccOptions, Inputs) {
  std::vector<NvccArgument> Parsed = parseNvccArguments({"a.cu", "-", ""});
  ASSERT_EQ(Parsed.size(), 3u);
  for (const NvccArgument &Argument : Parsed)
    EXPECT_EQ(Argument.K, NvccArgument::Input);
  EXPECT_THAT(Parsed[0].Values, ElementsAre("a.cu"));
}

} // namespace
