//===- CommandLineTest.cpp ------------------------------------------------===//

#include "scan/CommandLine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;

namespace {

using Words = std::vector<std::string>;

TEST(QuoteForShell, PlainWordsStayPlain) {
  EXPECT_EQ(quoteForShell("-I/a/b-c_d.e=1"), "-I/a/b-c_d.e=1");
}

TEST(QuoteForShell, WhatItQuotesTheShellReadsBack) {
  for (const char *Word : {"", "a b", "it's", "$HOME", "a\"b", "x;y", "(1)",
                           "back\\slash", "new\nline", "~", "*"})
    EXPECT_THAT(splitShell(quoteForShell(Word)), ElementsAre(Words{Word}))
        << Word;
}

TEST(SplitShell, Quotes) {
  EXPECT_THAT(splitShell(R"(g++ "-DA=\"x y\"" -DB='a"b' c\ d "")"),
              ElementsAre(Words{"g++", "-DA=\"x y\"", "-DB=a\"b", "c d", ""}));
}

TEST(SplitShell, ABackslashInDoubleQuotesEscapesFewCharacters) {
  EXPECT_THAT(splitShell(R"("a\nb" "c\\d" "e\$f")"),
              ElementsAre(Words{"a\\nb", "c\\d", "e$f"}));
}

TEST(SplitShell, Commands) {
  EXPECT_THAT(splitShell("cd /x && g++ a.c;true | cat"),
              ElementsAre(Words{"cd", "/x"}, Words{"g++", "a.c"}, Words{"true"},
                          Words{"cat"}));
  EXPECT_THAT(splitShell("a 'b && c'"), ElementsAre(Words{"a", "b && c"}));
}

TEST(SplitShell, RedirectionsAreNoArguments) {
  EXPECT_THAT(splitShell("g++ a.c >log 2>&1 -c"),
              ElementsAre(Words{"g++", "a.c", "-c"}));
  EXPECT_THAT(splitShell("g++ a.c 2> log"), ElementsAre(Words{"g++", "a.c"}));
}

TEST(SplitShell, AnEmptyLineIsOneEmptyCommand) {
  EXPECT_THAT(splitShell("  "), ElementsAre(Words{}));
}

TEST(SplitShell, UnclosedQuotesEndWithTheLine) {
  EXPECT_THAT(splitShell("a 'b"), ElementsAre(Words{"a", "b"}));
  EXPECT_THAT(splitShell("a \"b"), ElementsAre(Words{"a", "b"}));
  EXPECT_THAT(splitShell("a\\"), ElementsAre(Words{"a"}));
}

TEST(SplitResponseFile, LikeGcc) {
  EXPECT_THAT(splitResponseFile("-I\"a b\" -DX='\"y\"'\n-c\\ d \"\""),
              ElementsAre("-Ia b", "-DX=\"y\"", "-c d", ""));
}

// The next three say what nvcc 13.0 does; see NvccOracleTest.cpp.
TEST(SplitNvccOptionsFile, QuotesVanishAlsoEscapedOnes) {
  EXPECT_THAT(splitNvccOptionsFile("-DA=\"x y\" -DB=\\\"q\\\" -DC=a\\ b"),
              ElementsAre("-DA=x y", "-DB=q", "-DC=a b"));
}

TEST(SplitNvccOptionsFile, ASingleQuoteIsACharacter) {
  EXPECT_THAT(splitNvccOptionsFile("'-DF=z z'"), ElementsAre("'-DF=z", "z'"));
}

TEST(SplitNvccEnvironment, QuotesGroupAndStay) {
  EXPECT_THAT(splitNvccEnvironment(" -DA  -DB=\"q r\" "),
              ElementsAre("-DA", "-DB=\"q r\""));
}

TEST(SplitNvccList, Commas) {
  EXPECT_THAT(splitNvccList("FOO=1,BAR=2"), ElementsAre("FOO=1", "BAR=2"));
  EXPECT_THAT(splitNvccList("FOO(x,y)=x"), ElementsAre("FOO(x", "y)=x"));
  EXPECT_THAT(splitNvccList("FOO=\"1,2\""), ElementsAre("FOO=\"1,2\""));
  EXPECT_THAT(splitNvccList("FOO=1\\,2"), ElementsAre("FOO=1,2"));
  EXPECT_THAT(splitNvccList("FOO=\\\"a,b\\\""), ElementsAre("FOO=\"a", "b\""));
  EXPECT_THAT(splitNvccList("FOO=,BAR"), ElementsAre("FOO=", "BAR"));
}

} // namespace
