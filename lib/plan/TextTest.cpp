//===- TextTest.cpp -------------------------------------------------------===//

#include "plan/Text.h"

#include <gtest/gtest.h>

using namespace kplan;

TEST(Utf8Length, AcceptsWhatIsWellFormed) {
  EXPECT_EQ(utf8Length("a", 0), 1u);
  EXPECT_EQ(utf8Length("\xC3\xA9", 0), 2u);
  EXPECT_EQ(utf8Length("\xE2\x82\xAC", 0), 3u);
  EXPECT_EQ(utf8Length("\xF0\x9F\x98\x80", 0), 4u);
}

TEST(Utf8Length, RefusesWhatIsNot) {
  for (std::string_view Bad :
       {"\x80", "\xC3", "\xC3x", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80",
        "\xE2\x82", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF", ""})
    EXPECT_EQ(utf8Length(Bad, 0), 0u) << testing::PrintToString(Bad);
}

TEST(FindNonText, AcceptsText) {
  EXPECT_FALSE(findNonText("a\tb\r\n\xC3\xA9\n"));
  EXPECT_FALSE(findNonText(""));
}

TEST(FindNonText, FindsTheFirstByte) {
  EXPECT_EQ(findNonText(std::string_view("ab\0c", 4)), 2u);
  EXPECT_EQ(findNonText("a\x1b"), 1u);
  EXPECT_EQ(findNonText("a\x7f"), 1u);
  EXPECT_EQ(findNonText("a\rb"), 1u);
  EXPECT_EQ(findNonText("\xC3\xA9\xFF"), 2u);
}

TEST(QuoteForMessage, ShortensAndEscapes) {
  EXPECT_EQ(quoteForMessage("a\nb\x01"), "'a\\nb\\x01'");
  EXPECT_EQ(quoteForMessage("\xFF"), "'\\xff'");
  EXPECT_EQ(quoteForMessage(std::string(100, 'x')),
            "'" + std::string(60, 'x') + "...'");
}

TEST(JoinAlternatives, ReadsLikeASentence) {
  EXPECT_EQ(joinAlternatives({}), "");
  EXPECT_EQ(joinAlternatives({"a"}), "a");
  EXPECT_EQ(joinAlternatives({"a", "b"}), "a or b");
  EXPECT_EQ(joinAlternatives({"a", "b", "c"}), "a, b or c");
}

TEST(JsonString, Escapes) {
  EXPECT_EQ(jsonString("a\"b\\c\n\x01"), R"("a\"b\\c\n\u0001")");
}

TEST(JsonString, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(jsonString("\xff"), "\"\xEF\xBF\xBD\"");
}

TEST(Nearest, FindsMisspellings) {
  std::vector<std::string_view> Keys = {"kernels", "images", "at", "kind"};
  EXPECT_EQ(nearest("kernel", Keys), "kernels");
  EXPECT_EQ(nearest("kernesl", Keys), "kernels");
  EXPECT_EQ(nearest("knid", Keys), "");
  EXPECT_EQ(nearest("kin", Keys), "kind");
}

TEST(Nearest, LeavesOthersAlone) {
  EXPECT_EQ(nearest("colour", {"kernels", "images"}), "");
  EXPECT_EQ(nearest("zz", {"at"}), "");
  EXPECT_EQ(nearest(std::string(1000, 'k'), {"kernels"}), "");
}
