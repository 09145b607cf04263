//===- YamlTreeTest.cpp ---------------------------------------------------===//

#include "plan/YamlTree.h"

#include "plan/YamlWriter.h"

#include <gtest/gtest.h>

using namespace kplan;

/// The document on one line, or the errors.
static std::string parsed(std::string_view Text,
                          const YamlLimits &Limits = {}) {
  auto Tree = parseYaml(Text, "t.yaml", Limits);
  if (Tree)
    return flowText(Tree->root());
  std::string Out;
  for (const Diagnostic &D : Tree.errors())
    Out += format(D);
  return Out;
}

TEST(YamlTree, KeepsOrderAndKinds) {
  EXPECT_EQ(parsed("b: 1\na: [x, \"1\", 'two words', ~, {}]\nc:\n- - d\n"),
            "{b: 1, a: [x, \"1\", \"two words\", null, {}], c: [[d]]}");
}

TEST(YamlTree, TellsPlainFromQuoted) {
  auto Tree = parseYaml("[1, \"1\", '1', |\n  1\n]", "t.yaml");
  ASSERT_FALSE(Tree); // block scalars have no place in flow style
  Tree = parseYaml("- 1\n- \"1\"\n- '1'\n- |-\n  1\n- >-\n  1\n", "t.yaml");
  ASSERT_TRUE(Tree);
  std::vector<YamlKind> Kinds;
  for (YamlNode Item : Tree->root().items()) {
    EXPECT_EQ(Item.text(), "1");
    Kinds.push_back(Item.kind());
  }
  using enum YamlKind;
  EXPECT_EQ(Kinds, (std::vector{Plain, Quoted, Quoted, Quoted, Quoted}));
}

TEST(YamlTree, MarksEachNode) {
  auto Tree = parseYaml("a: 1\nbb:\n- {c: [x, y]}\nd:\ne: f\n", "t.yaml");
  ASSERT_TRUE(Tree);
  std::string Places;
  auto Add = [&](YamlNode N) {
    Places += std::to_string(N.mark().Line) + ':' +
              std::to_string(N.mark().Column) + ' ';
  };
  for (YamlEntry E : Tree->root().entries()) {
    Add(E.Key);
    Add(E.Value);
  }
  // A value that is left out is where its key is.
  EXPECT_EQ(Places, "1:1 1:4 2:1 3:1 4:1 4:1 5:1 5:4 ");
}

TEST(YamlTree, ViewsOfOtherKindsAreEmpty) {
  auto Tree = parseYaml("{a: 1}", "t.yaml");
  ASSERT_TRUE(Tree);
  EXPECT_EQ(Tree->root().text(), "");
  EXPECT_EQ(Tree->root().items().begin(), Tree->root().items().end());
  YamlNode Scalar = (*Tree->root().entries().begin()).Value;
  EXPECT_EQ(Scalar.size(), 0u);
  EXPECT_EQ(Scalar.entries().begin(), Scalar.entries().end());
}

TEST(YamlTree, TakesWindowsLineEndsAndAByteOrderMark) {
  EXPECT_EQ(parsed("\xEF\xBB\xBF"
                   "a: 1\r\nb: x\r\n"),
            "{a: 1, b: x}");
}

TEST(YamlTree, TakesDocumentMarkers) {
  EXPECT_EQ(parsed("# head\n---\na: 1\n...\n"), "{a: 1}");
}

struct Refused {
  const char *Text;
  const char *Error;
};

class YamlTreeRefuses : public testing::TestWithParam<Refused> {};

TEST_P(YamlTreeRefuses, WithItsPlace) {
  EXPECT_EQ(parsed(GetParam().Text), GetParam().Error);
}

INSTANTIATE_TEST_SUITE_P(
    YamlTree, YamlTreeRefuses,
    testing::Values(
        Refused{"", "t.yaml: error: the file is empty\n"},
        Refused{"# a\n\n", "t.yaml:1:1: error: the file holds nothing but "
                           "white space and comments\n"},
        Refused{"a: &x 1\n", "t.yaml:1:4: error: anchors are not allowed\n"},
        Refused{"a: *x\n", "t.yaml:1:4: error: aliases are not allowed\n"},
        Refused{"a: !!int 1\n", "t.yaml:1:4: error: tags are not allowed\n"},
        Refused{"a: ! 1\n", "t.yaml:1:4: error: tags are not allowed\n"},
        Refused{"a: !x [1]\n", "t.yaml:1:4: error: tags are not allowed\n"},
        Refused{"%YAML 1.2\n---\na: 1\n",
                "t.yaml:1:1: error: YAML directives are not allowed\n"},
        Refused{"# c\n%TAG ! x\n---\na: 1\n",
                "t.yaml:2:1: error: YAML directives are not allowed\n"},
        Refused{"a: 1\nb: 2\na: 3\n",
                "t.yaml:3:1: error: duplicate key 'a'\n"
                "t.yaml:3:1: note: it is already given at line 1\n"},
        Refused{"x: {\"a\": 1, a: 3}\n",
                "t.yaml:1:13: error: duplicate key 'a'\n"
                "t.yaml:1:13: note: it is already given at line 1\n"},
        Refused{"a: 1\n---\nb: 2\n",
                "t.yaml:2:1: error: text after the end of the document (only "
                "one is allowed)\n"},
        Refused{"{a: 1} b\n",
                "t.yaml:1:8: error: text after the end of the document (only "
                "one is allowed)\n"},
        Refused{"? [a]\n: 2\n", "t.yaml:1:3: error: a key must be a scalar, "
                                "not a list or a map\n"},
        Refused{"{a: b}: 2\n", "t.yaml:1:1: error: a key must be a scalar, not "
                               "a list or a map\n"},
        Refused{"~: 2\n", "t.yaml:1:1: error: a key is missing, or is null\n"},
        Refused{": 2\n", "t.yaml:1:1: error: a key is missing, or is null\n"},
        Refused{"a: [1, 2",
                "t.yaml:1:9: error: the file ends too early: end of "
                "sequence flow not found\n"},
        Refused{"[1, 2", "t.yaml:1:6: error: the file ends too early: end of "
                         "sequence flow not found\n"},
        Refused{"a: \"x",
                "t.yaml:1:6: error: the file ends too early: illegal EOF in "
                "scalar\n"},
        Refused{"a: 1\n b: 2\n",
                "t.yaml:2:3: error: not valid YAML: illegal map value\n"},
        Refused{"a: \"\\0\"\n",
                "t.yaml:1:4: error: a scalar holds a NUL character\n"},
        Refused{"a: \x1b\n",
                "t.yaml:1:4: error: not a text file in UTF-8: byte 0x1b\n"},
        Refused{"a: 1\nb: \xff\n",
                "t.yaml:2:4: error: not a text file in UTF-8: byte 0xff\n"}));

TEST(YamlTree, RefusesBinary) {
  EXPECT_EQ(parsed(std::string_view("\x7f"
                                    "ELF\0\0",
                                    6)),
            "t.yaml:1:1: error: not a text file in UTF-8: byte 0x7f\n");
  EXPECT_EQ(parsed(std::string_view("a\0: \0 1\0", 8)),
            "t.yaml:1:2: error: not a text file in UTF-8: byte 0x00\n");
}

TEST(YamlTree, ReportsSeveralDuplicatesAndThenStops) {
  YamlLimits Limits;
  Limits.MaxErrors = 2;
  std::string Errors = parsed("a: 1\na: 2\na: 3\na: 4\n", Limits);
  EXPECT_EQ(Errors, "t.yaml:2:1: error: duplicate key 'a'\n"
                    "t.yaml:2:1: note: it is already given at line 1\n"
                    "t.yaml:3:1: error: duplicate key 'a'\n"
                    "t.yaml:3:1: note: it is already given at line 2\n");
}

TEST(YamlTree, LimitsBytes) {
  YamlLimits Limits;
  Limits.MaxBytes = 4;
  EXPECT_EQ(parsed("a: 1", Limits), "{a: 1}");
  EXPECT_EQ(parsed("a: 12", Limits),
            "t.yaml: error: the file is larger than 4 bytes\n");
}

TEST(YamlTree, LimitsDepth) {
  YamlLimits Limits;
  Limits.MaxDepth = 3;
  EXPECT_EQ(parsed("a: [[1]]", Limits), "{a: [[1]]}");
  EXPECT_EQ(parsed("a: [[[1]]]", Limits),
            "t.yaml:1:6: error: nested more than 3 levels deep\n");
  EXPECT_EQ(parsed("- - - - 1\n", Limits),
            "t.yaml:1:7: error: nested more than 3 levels deep\n");
  EXPECT_EQ(parsed("? ? ? ? a\n", Limits),
            "t.yaml:1:7: error: nested more than 3 levels deep\n");
}

TEST(YamlTree, LimitsTheLengthOfAUnit) {
  YamlLimits Limits;
  Limits.MaxUnitBytes = 10000;
  std::string Short = "a: " + std::string(5000, 'x');
  EXPECT_EQ(parsed(Short, Limits), "{" + Short + "}");
  EXPECT_EQ(parsed("a: 1\nb: " + std::string(50000, 'x'), Limits),
            "t.yaml:2:1: error: a scalar, comment or flow collection that "
            "starts here or later is longer than 10000 bytes\n"
            "t.yaml:2:1: note: write long lists and maps in block style, one "
            "entry a line\n");
}

// The limit is one of a unit, not of the file.
TEST(YamlTree, ReadsLongListsInBlockStyle) {
  YamlLimits Limits;
  Limits.MaxUnitBytes = 10000;
  std::string Text;
  for (unsigned I = 0; I < 10000; ++I)
    Text += "- {a: 1}\n";
  auto Tree = parseYaml(Text, "t.yaml", Limits);
  ASSERT_TRUE(Tree);
  EXPECT_EQ(Tree->root().size(), 10000u);
}
