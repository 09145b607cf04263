//===- TableTest.cpp ------------------------------------------------------===//

#include "Table.h"

#include <gtest/gtest.h>

using namespace kplan::tool;

TEST(Table, AlignsColumns) {
  Table T({"A", "LONG HEADER", "C"});
  T.addRow({"wide cell", "b", "c"});
  EXPECT_EQ(T.text(), "A          LONG HEADER  C\n"
                      "wide cell  b            c\n");
}

TEST(Table, HasNoTrailingSpaces) {
  Table T({"A", "B"});
  T.addRow({"wide", ""});
  T.addRow({"", "b"});
  T.addRow({"x"});
  EXPECT_EQ(T.text(), "A     B\nwide\n      b\nx\n");
}

TEST(Table, CountsCodePoints) {
  Table T({"\xC3\xA9\xC3\xA9", "B"});
  T.addRow({"abc", "c"});
  EXPECT_EQ(T.text(), "\xC3\xA9\xC3\xA9   B\nabc  c\n");
}

TEST(Table, LetsNoControlThrough) {
  Table T({"a\x1b[31m", "b\nc"});
  EXPECT_EQ(T.text(), "a [31m  b c\n");
}

TEST(Shorten, KeepsWhatFits) { EXPECT_EQ(shorten("abcde", 5), "abcde"); }
TEST(Shorten, EndsWithDots) { EXPECT_EQ(shorten("abcdef", 5), "ab..."); }
TEST(Shorten, CutsBetweenCodePoints) {
  EXPECT_EQ(shorten("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 5),
            "\xC3\xA9\xC3\xA9...");
}
TEST(Shorten, ZeroIsNoLimit) {
  EXPECT_EQ(shorten(std::string(500, 'x'), 0).size(), 500u);
}
TEST(Shorten, MakesOneLine) { EXPECT_EQ(shorten("a\nb\tc", 0), "a b c"); }
