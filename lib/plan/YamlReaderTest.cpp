//===- YamlReaderTest.cpp -------------------------------------------------===//

#include "plan/YamlReader.h"

#include <gtest/gtest.h>

using namespace kplan;

namespace {

/// Reads one value with a member function of the reader; keeps the errors.
struct OneValue {
  explicit OneValue(std::string_view Text)
      : Tree(parseYaml(Text, "t.yaml")), Reader("t.yaml") {}
  YamlNode node() { return Tree->root(); }
  std::string errors() {
    std::string Out;
    for (const Diagnostic &D : Reader.takeErrors())
      Out += format(D);
    return Out;
  }
  Result<YamlTree> Tree;
  YamlReader Reader;
};

} // namespace

static std::string integerError(std::string_view Text) {
  OneValue V(Text);
  EXPECT_EQ(V.Reader.integer(V.node()), std::nullopt) << Text;
  return V.errors();
}

TEST(YamlReader, Integers) {
  for (auto [Text, Number] : {std::pair{"0", int64_t(0)},
                              {"65536", 65536},
                              {"-1", -1},
                              {"9223372036854775807", INT64_MAX},
                              {"-9223372036854775808", INT64_MIN}}) {
    OneValue V(Text);
    EXPECT_EQ(V.Reader.integer(V.node()), Number);
    EXPECT_EQ(V.errors(), "");
  }
}

TEST(YamlReader, IntegersHaveOneForm) {
  EXPECT_EQ(integerError("010"),
            "t.yaml:1:1: error: expected an integer, found '010', which may be "
            "read as octal\n"
            "t.yaml:1:1: note: write it in decimal, without leading zeros\n");
  EXPECT_EQ(integerError("\"65536\""),
            "t.yaml:1:1: error: expected an integer, found the string "
            "'65536'\nt.yaml:1:1: note: remove the quotes\n");
  for (const char *Text : {"0x1f", "0o17", "1_000", "1e3", "1.0", "1 000"})
    EXPECT_EQ(integerError(Text),
              std::string("t.yaml:1:1: error: expected an integer, found '") +
                  Text +
                  "'\nt.yaml:1:1: note: integers are decimal digits, without "
                  "prefix, exponent or separator\n");
  for (const char *Text : {"+1", ".inf", "max", "--1", "x", "true"})
    EXPECT_EQ(integerError(Text),
              std::string("t.yaml:1:1: error: expected an integer, found '") +
                  Text + "'\n");
  EXPECT_EQ(integerError("[1]"),
            "t.yaml:1:1: error: expected an integer, found a list\n");
  EXPECT_EQ(integerError("null"),
            "t.yaml:1:1: error: expected an integer, found nothing\n");
  EXPECT_EQ(integerError("9223372036854775808"),
            "t.yaml:1:1: error: '9223372036854775808' is out of range "
            "(-9223372036854775808 to 9223372036854775807)\n");
}

TEST(YamlReader, UnsignedIntegers) {
  OneValue V("18446744073709551615");
  EXPECT_EQ(V.Reader.unsignedInteger(V.node()), UINT64_MAX);
  OneValue Negative("-1");
  EXPECT_EQ(Negative.Reader.unsignedInteger(Negative.node(), 9), std::nullopt);
  EXPECT_EQ(Negative.errors(),
            "t.yaml:1:1: error: '-1' is out of range (0 to 9)\n");
}

TEST(YamlReader, OffsetsMayBeHexadecimal) {
  for (const char *Text : {"0x1a2b40", "1715008"}) {
    OneValue V(Text);
    EXPECT_EQ(V.Reader.offset(V.node()), 0x1a2b40u);
  }
  for (const char *Text : {"0x", "0xg", "\"0x1\"", "0x10000000000000000"}) {
    OneValue V(Text);
    EXPECT_EQ(V.Reader.offset(V.node()), std::nullopt) << Text;
    EXPECT_NE(V.errors(), "");
  }
}

TEST(YamlReader, Reals) {
  for (auto [Text, Number] :
       {std::pair{"0", 0.0}, {"272.3", 272.3}, {"12", 12.0}}) {
    OneValue V(Text);
    EXPECT_EQ(V.Reader.real(V.node()), Number);
  }
  for (const char *Text :
       {".inf", "nan", "-1", "1e3", "1.", ".5", "\"1\"", "1.2.3"}) {
    OneValue V(Text);
    EXPECT_EQ(V.Reader.real(V.node()), std::nullopt) << Text;
    EXPECT_NE(V.errors(), "");
  }
}

TEST(YamlReader, Booleans) {
  OneValue Yes("true"), Quoted("\"true\""), Word("yes");
  EXPECT_EQ(Yes.Reader.boolean(Yes.node()), true);
  EXPECT_EQ(Quoted.Reader.boolean(Quoted.node()), std::nullopt);
  EXPECT_EQ(Word.Reader.boolean(Word.node()), std::nullopt);
  EXPECT_EQ(Word.errors(),
            "t.yaml:1:1: error: expected true or false, found 'yes'\n");
}

TEST(YamlReader, EnumeratorsListWhatIsAllowed) {
  OneValue V("lunch");
  EXPECT_EQ(V.Reader.enumerator<SiteKind>(V.node()), std::nullopt);
  EXPECT_EQ(V.errors(),
            "t.yaml:1:1: error: expected set, launch, query or device_launch, "
            "found 'lunch'\n"
            "t.yaml:1:1: note: did you mean 'launch'?\n");
}

namespace {
struct Thing {
  std::string Name;
  int64_t Size = 0;
};
} // namespace

static constexpr YamlField<Thing> ThingFields[] = {
    {"name", Presence::Required,
     [](YamlReader &R, YamlNode N, Thing &T) {
       if (auto V = R.name(N))
         T.Name = *V;
     }},
    {"size", Presence::Optional, [](YamlReader &R, YamlNode N, Thing &T) {
       if (auto V = R.integer(N))
         T.Size = *V;
     }}};

static std::string thingErrors(std::string_view Text, bool Extensible = true) {
  OneValue V(Text);
  Thing T;
  std::map<std::string, std::string> Extra;
  bool Ok = V.Reader.map<Thing>(V.node(), "a thing", ThingFields, T,
                                Extensible ? &Extra : nullptr);
  EXPECT_EQ(Ok, !V.Reader.failed());
  return V.errors();
}

TEST(YamlReader, Maps) {
  OneValue V("size: 3\nname: x\nx-y: [1, 'a b']\n");
  Thing T;
  std::map<std::string, std::string> Extra;
  EXPECT_TRUE(V.Reader.map<Thing>(V.node(), "a thing", ThingFields, T, &Extra));
  EXPECT_EQ(T.Name, "x");
  EXPECT_EQ(T.Size, 3);
  EXPECT_EQ(Extra,
            (std::map<std::string, std::string>{{"x-y", "[1, \"a b\"]"}}));
}

TEST(YamlReader, MapsRefuseUnknownKeys) {
  EXPECT_EQ(thingErrors("name: x\nsise: 3\n"),
            "t.yaml:2:1: error: unknown key 'sise' in a thing\n"
            "t.yaml:2:1: note: did you mean 'size'?\n");
  EXPECT_EQ(thingErrors("name: x\ncolour: red\n"),
            "t.yaml:2:1: error: unknown key 'colour' in a thing\n"
            "t.yaml:2:1: note: keys of your own begin with 'x-'\n");
  EXPECT_EQ(thingErrors("name: x\nx-a: red\n", false),
            "t.yaml:2:1: error: unknown key 'x-a' in a thing\n"
            "t.yaml:2:1: note: keys of your own begin with 'x-'\n");
}

TEST(YamlReader, MapsRefuseMissingKeysAndOtherKinds) {
  EXPECT_EQ(thingErrors("size: 3\n"),
            "t.yaml:1:1: error: a thing needs 'name'\n");
  EXPECT_EQ(thingErrors("[]\n"),
            "t.yaml:1:1: error: expected a thing, found a list\n");
}

TEST(YamlReader, ErrorsNameTheKey) {
  EXPECT_EQ(thingErrors("name: \"\"\nsize: x\n"),
            "t.yaml:1:7: error: 'name': must not be empty\n"
            "t.yaml:2:7: error: 'size': expected an integer, found 'x'\n");
}

TEST(YamlReader, StopsWhenFull) {
  auto Tree = parseYaml("[a, b, c, d]", "t.yaml");
  YamlReader R("t.yaml", 2);
  unsigned Seen = 0;
  EXPECT_FALSE(R.sequence(Tree->root(), [&](YamlNode Item) {
    ++Seen;
    R.integer(Item);
  }));
  EXPECT_TRUE(R.full());
  EXPECT_EQ(Seen, 2u);
  EXPECT_EQ(R.takeErrors().size(), 2u);
}
