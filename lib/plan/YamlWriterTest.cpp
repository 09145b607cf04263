//===- YamlWriterTest.cpp -------------------------------------------------===//

#include "plan/YamlWriter.h"

#include <gtest/gtest.h>

#include <limits>

using namespace kplan;
using Style = YamlWriter::Style;

static std::string word(std::string_view Text, Style S = Style::Block) {
  YamlWriter W;
  W.beginSequence(S);
  W.word(Text);
  W.endSequence();
  std::string Out = W.take();
  return S == Style::Block ? Out.substr(2, Out.size() - 3)
                           : Out.substr(1, Out.size() - 3);
}

TEST(YamlWriter, BlockStyle) {
  YamlWriter W;
  W.beginMap();
  W.key("a");
  W.integer(1);
  W.key("list");
  W.beginSequence();
  W.beginMap();
  W.key("b");
  W.word("x");
  W.key("map");
  W.beginMap();
  W.key("c");
  W.boolean(true);
  W.endMap();
  W.key("inner");
  W.beginSequence();
  W.word("w");
  W.endSequence();
  W.endMap();
  W.beginSequence();
  W.word("z");
  W.word("z");
  W.endSequence();
  W.endSequence();
  W.endMap();
  EXPECT_EQ(W.take(), "a: 1\n"
                      "list:\n"
                      "- b: x\n"
                      "  map:\n"
                      "    c: true\n"
                      "  inner:\n"
                      "  - w\n"
                      "- - z\n"
                      "  - z\n");
}

TEST(YamlWriter, FlowStyle) {
  YamlWriter W;
  W.beginMap();
  W.key("a");
  W.beginMap(Style::Flow);
  W.key("b");
  W.beginSequence();
  W.integer(-1);
  W.quoted("x");
  W.endSequence();
  W.key("c");
  W.beginMap();
  W.endMap();
  W.endMap();
  W.endMap();
  EXPECT_EQ(W.take(), "a: {b: [-1, \"x\"], c: {}}\n");
}

TEST(YamlWriter, EmptyCollections) {
  YamlWriter W;
  W.beginMap();
  W.key("a");
  W.beginMap();
  W.endMap();
  W.key("b");
  W.beginSequence();
  W.beginSequence();
  W.endSequence();
  W.endSequence();
  W.endMap();
  EXPECT_EQ(W.take(), "a: {}\nb:\n- []\n");
  W.beginMap();
  W.endMap();
  EXPECT_EQ(W.take(), "{}\n");
}

TEST(YamlWriter, Numbers) {
  YamlWriter W;
  W.beginSequence(Style::Flow);
  W.integer(std::numeric_limits<int64_t>::min());
  W.unsignedInteger(std::numeric_limits<uint64_t>::max());
  W.hexInteger(0x1a2b40);
  W.real(272.3);
  W.real(0);
  W.real(1e22);
  W.real(std::numeric_limits<double>::denorm_min());
  W.endSequence();
  std::string Text = W.take();
  EXPECT_TRUE(Text.starts_with("[-9223372036854775808, 18446744073709551615, "
                               "0x1a2b40, 272.3, 0, "
                               "10000000000000000000000, 0.0000"))
      << Text;
}

TEST(YamlWriter, PlainWhereSafe) {
  for (const char *Text :
       {"_Z4gemmIfLi128EEvPT_", "_ZN*_GLOBAL__N__", "two words", "22.1.8",
        "xxh3:9fb74d52d9deb7440a1b2c3d4e5f6071", "src/a.cu", "<cuda>/x.h",
        "it's", "a#b", "a-b", "a:b", "NVIDIA H200", "$x", "a\\b", "(x)"}) {
    EXPECT_EQ(word(Text), Text);
    EXPECT_EQ(word(Text, Style::Flow), Text);
  }
  EXPECT_EQ(word("void gemm<float, 128>(float*)"),
            "void gemm<float, 128>(float*)");
  EXPECT_EQ(word("void gemm<float, 128>(float*)", Style::Flow),
            "\"void gemm<float, 128>(float*)\"");
}

TEST(YamlWriter, QuotedElsewhere) {
  for (const char *Text :
       {"",     "null",  "~",    "True", "YES", "off",  "n",    "1",
        "010",  "-1",    "+1",   "1.5",  ".5",  "1e3",  "0x1f", ".inf",
        "13.0", "1_000", "1:30", "- a",  "-a",  "a: b", "a #b", "#a",
        "*a",   "&a",    "!a",   "|",    ">",   "%a",   "@a",   "`a",
        "'a'",  "[a",    "{a",   "a:",   " a",  "a ",   "? a",  "?",
        ",a",   "]",     "}",    "<<",   "=",   "...",  "---",  "2001-12-14"})
    EXPECT_EQ(word(Text), '"' + std::string(Text) + '"');
}

TEST(YamlWriter, Escapes) {
  EXPECT_EQ(word("a\"b\\\n\t\r\x01\x7f"), R"("a\"b\\\n\t\r\x01\x7f")");
  EXPECT_EQ(word("\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF"),
            R"("\u0085\u2028\ufeff")");
  EXPECT_EQ(word("\xC3\xA9"), "\"\xC3\xA9\"");
  EXPECT_EQ(word("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
}

/// Each byte and each pair of an awkward and another byte, in both styles.
TEST(YamlWriter, EveryWordIsReadBackAsItIs) {
  std::vector<std::string> Words;
  for (int A = 1; A < 128; ++A) {
    Words.push_back({char(A)});
    for (char B : std::string_view("a1 :#,?-[]{}&*!|>'\"%@`\\\n\t~.<=")) {
      Words.push_back({char(A), B});
      Words.push_back({'a', char(A), B});
      Words.push_back({'a', B, char(A), 'z'});
    }
  }
  for (Style S : {Style::Block, Style::Flow}) {
    YamlWriter W;
    // Of one flow collection yaml-cpp keeps everything: one for each word.
    W.beginSequence();
    for (const std::string &Word : Words) {
      W.beginMap(S);
      W.key(Word);
      W.word(Word);
      W.key("z" + Word + "z");
      W.quoted(Word);
      W.endMap();
    }
    W.endSequence();
    auto Tree = parseYaml(W.take(), "t.yaml");
    ASSERT_TRUE(Tree) << format(Tree.errors()[0]);
    ASSERT_EQ(Tree->root().size(), Words.size());
    size_t I = 0;
    for (YamlNode Item : Tree->root().items()) {
      std::vector<std::string> Read;
      for (YamlEntry E : Item.entries()) {
        Read.emplace_back(E.Key.text());
        Read.emplace_back(E.Value.text());
      }
      const std::string &Word = Words[I++];
      EXPECT_EQ(Read, (std::vector{Word, Word, "z" + Word + "z", Word}));
    }
  }
}

TEST(FlowText, IsStable) {
  for (const char *Text :
       {"a: 1\nb: [x, \"y\", -1, null]\n", "- a, b\n- c]d\n- 'it''s'\n",
        "a: |\n  two\n  lines\nb: >\n  folded\n  text\n", "a: -x\nb: ?y\n",
        "a: {b: {c: [[[]]]}}\n", "- a?b\n- a:b\n- http://x/y?z\n"}) {
    auto Tree = parseYaml(Text, "t.yaml");
    ASSERT_TRUE(Tree) << Text << format(Tree.errors()[0]);
    std::string Once = flowText(Tree->root());
    auto Again = parseYaml(Once, "t.yaml");
    ASSERT_TRUE(Again) << Once << format(Again.errors()[0]);
    EXPECT_EQ(flowText(Again->root()), Once);
  }
}
