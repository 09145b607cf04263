//===- SarifTest.cpp ------------------------------------------------------===//

#include "plan/Sarif.h"

#include "plan/YamlTree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using testing::HasSubstr;
using testing::Not;

static Diagnostic problem() {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.File = "/src/a b.cu";
  D.Line = 3;
  D.Column = 5;
  D.Message = "is \"odd\"";
  D.Option = "kplan-conflict";
  D.Hint = "do this";
  return D;
}

TEST(Sarif, SaysWhatAndWhere) {
  const std::string Text = writeSarif({problem()}, "t", "1", "/src");
  EXPECT_THAT(Text, HasSubstr("\"version\": \"2.1.0\""));
  EXPECT_THAT(Text, HasSubstr("{\"ruleId\": \"kplan-conflict\", \"level\": "
                              "\"warning\", \"message\": {\"text\": \"is "
                              "\\\"odd\\\"; do this\"}"));
  EXPECT_THAT(Text, HasSubstr("{\"uri\": \"a%20b.cu\", \"uriBaseId\": "
                              "\"%SRCROOT%\"}"));
  EXPECT_THAT(Text, HasSubstr("{\"startLine\": 3, \"startColumn\": 5}"));
  EXPECT_THAT(Text, HasSubstr("{\"id\": \"kplan-conflict\""));
}

TEST(Sarif, IsJsonAlsoWithoutResults) {
  // JSON is YAML, apart from tabs.
  EXPECT_TRUE(parseYaml(writeSarif({}, "t", "1", ""), "s"));
  EXPECT_TRUE(
      parseYaml(writeSarif({problem(), problem()}, "t", "1", "/"), "s"));
}

TEST(Sarif, ErrorsWithoutAPlaceHaveNone) {
  const std::string Text = writeSarif({makeError("no")}, "t", "1", "/src");
  EXPECT_THAT(Text, HasSubstr("{\"ruleId\": \"kplan-parse\", \"level\": "
                              "\"error\""));
  EXPECT_THAT(Text, Not(HasSubstr("locations")));
}
