//===- JsonTest.cpp -------------------------------------------------------===//

#include "Json.h"

#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::tool;

static std::string toJson(std::string_view Yaml) {
  auto Tree = parseYaml(Yaml, "test.yaml");
  return Tree ? jsonText(Tree->root()) : format(Tree.errors()[0]);
}

TEST(JsonText, KeepsTypes) {
  EXPECT_EQ(toJson("[1, -2, 1.5, true, null, word, \"1\", \"true\"]"),
            "[\n  1,\n  -2,\n  1.5,\n  true,\n  null,\n  \"word\",\n  \"1\",\n"
            "  \"true\"\n]\n");
}
TEST(JsonText, TakesForStringsWhatIsNoNumberInJson) {
  EXPECT_EQ(toJson("[22.1.8, .5, 5., 01, +1, 1e, 0x]"),
            "[\n  \"22.1.8\",\n  \".5\",\n  \"5.\",\n  \"01\",\n  \"+1\",\n"
            "  \"1e\",\n  \"0x\"\n]\n");
}
TEST(JsonText, TurnsHexadecimalToDecimal) {
  EXPECT_EQ(toJson("0x1a2b40"), "1715008\n");
}
TEST(JsonText, Nests) {
  EXPECT_EQ(toJson("a: {b: [c], d: {}}\ne: []\n"),
            "{\n  \"a\": {\n    \"b\": [\n      \"c\"\n    ],\n"
            "    \"d\": {}\n  },\n  \"e\": []\n}\n");
}
