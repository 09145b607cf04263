//===- WarningsTest.cpp ---------------------------------------------------===//

#include "plan/Warnings.h"

#include "plan/PlanReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The warnings about a plan, as "option file:line".
static std::vector<std::string> found(const std::string &Text) {
  auto P = readPlan("kplan: 1\n" + Text, "p.yaml");
  EXPECT_TRUE(P) << (P ? "" : format(P.errors()[0]));
  std::vector<std::string> Found;
  for (const Diagnostic &D : P ? findProblems(*P) : std::vector<Diagnostic>()) {
    EXPECT_EQ(D.Level, Severity::Warning);
    Found.push_back(D.Option + ' ' + D.File + ':' + std::to_string(D.Line));
  }
  return Found;
}

static std::string kernel(const std::string &Attributes,
                          const std::string &Sites) {
  return "producers: [{tool: kplan-scan, arch: [sm_80, sm_90a]}]\n"
         "kernels: [{symbol: k, name: k, attributes: {" +
         Attributes + "}, sites: [" + Sites + "]}]\n";
}

static std::string set(int Line, const std::string &Value,
                       const std::string &More = "") {
  return "{kind: set, at: \"a.cu:" + std::to_string(Line) +
         ":1\", attribute: max_dynamic_shared_size_bytes, value: " + Value +
         More + "}";
}

TEST(Warnings, OneSetIsFine) {
  EXPECT_THAT(found(kernel("max_dynamic_shared_size_bytes: 65536",
                           set(1, "65536") + ", " + set(2, "65536"))),
              IsEmpty());
}

TEST(Warnings, ASetThatLowersAnother) {
  EXPECT_THAT(found(kernel("max_dynamic_shared_size_bytes: 65536",
                           set(1, "65536") + ", " + set(2, "50000"))),
              ElementsAre("kplan-lowered-limit a.cu:2"));
}

TEST(Warnings, OneCallWithSeveralValuesLowersNothing) {
  EXPECT_THAT(found(kernel("max_dynamic_shared_size_bytes: 65536",
                           set(1, "65536") + ", " + set(1, "50000"))),
              IsEmpty());
}

TEST(Warnings, ASetAboveWhatAnyArchitectureHas) {
  EXPECT_THAT(
      found(kernel("max_dynamic_shared_size_bytes: 232449", set(1, "232449"))),
      ElementsAre("kplan-above-limit a.cu:1"));
  // More than sm_80 has, which may be why there are two architectures.
  EXPECT_THAT(
      found(kernel("max_dynamic_shared_size_bytes: 232448", set(1, "232448"))),
      IsEmpty());
}

TEST(Warnings, ALaunchAboveWhatIsAllowed) {
  const std::string Launch =
      "{kind: launch, at: \"a.cu:9:1\", shared: \"65536u\"}";
  EXPECT_THAT(found(kernel("", Launch)),
              ElementsAre("kplan-launch-above-set a.cu:9"));
  EXPECT_THAT(found(kernel("max_dynamic_shared_size_bytes: 65536",
                           set(1, "65536") + ", " + Launch)),
              IsEmpty());
  EXPECT_THAT(
      found(kernel("",
                   "{kind: launch, at: \"a.cu:9:1\", shared: \"n + 65536\"}")),
      IsEmpty());
}

TEST(Warnings, AGuardOfTheProcess) {
  EXPECT_THAT(found(kernel("max_dynamic_shared_size_bytes: 65536",
                           set(1, "65536", ", when: \"!done\", once: true"))),
              ElementsAre("kplan-process-guard a.cu:1"));
  EXPECT_THAT(
      found(kernel("max_dynamic_shared_size_bytes: 65536",
                   set(1, "65536", ", when: \"!done[device]\", once: true"))),
      IsEmpty());
}

TEST(Warnings, ConflictsAtEachOfTheirSites) {
  EXPECT_THAT(found("kernels: [{symbol: k, name: k, sites: ["
                    "{kind: set, at: \"a.cu:1:1\", attribute: "
                    "preferred_shared_memory_carveout, value: 50}, "
                    "{kind: set, at: \"a.cu:2:1\", attribute: "
                    "preferred_shared_memory_carveout, value: 100}]}]\n"
                    "conflicts: [{symbol: k, attribute: "
                    "preferred_shared_memory_carveout, values: [50, 100]}]\n"),
              ElementsAre("kplan-conflict a.cu:1", "kplan-conflict a.cu:2"));
}

TEST(Warnings, TheLastFlagCounts) {
  Diagnostic D;
  D.Option = "kplan-unresolved";
  WarningChoice Choice;
  EXPECT_FALSE(Choice.shows(D)); // Off by default.
  EXPECT_FALSE(Choice.apply("kplan-unresolved"));
  EXPECT_TRUE(Choice.shows(D));
  EXPECT_FALSE(Choice.apply("no-kplan"));
  EXPECT_FALSE(Choice.shows(D));
  EXPECT_FALSE(Choice.apply("kplan"));
  EXPECT_TRUE(Choice.shows(D));
}

TEST(Warnings, ErrorsAreAlwaysShown) {
  WarningChoice Choice;
  EXPECT_FALSE(Choice.apply("no-kplan"));
  EXPECT_TRUE(Choice.shows(makeError("no")));
}

TEST(Warnings, AnUnknownFlagNamesTheKnown) {
  const auto Error = WarningChoice().apply("no-kplan-what");
  ASSERT_TRUE(Error);
  EXPECT_THAT(Error->Message, HasSubstr("-Wno-kplan-what"));
  EXPECT_THAT(Error->Hint, HasSubstr("kplan-conflict"));
}
