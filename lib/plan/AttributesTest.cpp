//===- AttributesTest.cpp -------------------------------------------------===//
//
// Compares the tables with the installed cuda.h and driver_types.h, so that no
// enumerator is missing or has another number.
//
//===----------------------------------------------------------------------===//

#include "plan/Attributes.h"

#include "plan/FileIO.h"
#include "plan/Names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

using namespace kplan;

/// "NAME = number" of an enumeration's body, by its tag.
static std::map<std::string, int> enumerators(const std::string &Header,
                                              const std::string &Tag) {
  auto Text = readFile(std::string(KPLAN_CUDA_INCLUDE) + '/' + Header,
                       size_t(64) << 20);
  EXPECT_TRUE(Text) << Header;
  std::map<std::string, int> Out;
  if (!Text)
    return Out;
  size_t Begin = Text->find("enum " + Tag);
  EXPECT_NE(Begin, std::string::npos) << Tag;
  if (Begin == std::string::npos)
    return Out;
  Begin = Text->find('{', Begin);
  std::string Body = Text->substr(Begin, Text->find("};", Begin) - Begin);
  Body = Body.substr(0, Body.find("\n}"));
  // Comments hold "=" and names as well.
  std::string Code;
  for (size_t I = 0; I < Body.size();) {
    if (Body.compare(I, 2, "/*") == 0) {
      I = std::min(Body.find("*/", I), Body.size() - 2) + 2;
      continue;
    }
    Code += Body[I++];
  }
  static const std::regex Entry(R"((\w+)\s*=\s*(0x[0-9a-fA-F]+|\d+))");
  for (std::sregex_iterator It(Code.begin(), Code.end(), Entry), End; It != End;
       ++It)
    Out[(*It)[1]] = std::stoi((*It)[2], nullptr, 0);
  EXPECT_FALSE(Out.empty()) << Tag;
  return Out;
}

TEST(Attributes, AreThoseOfTheDriver) {
  std::map<std::string, int> Ours;
  for (const AttributeInfo &Info : AttributeTable)
    Ours[driverName(Info)] = static_cast<int>(Info.Id);
  auto Theirs = enumerators("cuda.h", "CUfunction_attribute_enum");
  Theirs.erase("CU_FUNC_ATTRIBUTE_MAX");
  EXPECT_EQ(Ours, Theirs);
}

TEST(Attributes, HaveTheNumbersOfTheRuntime) {
  std::map<std::string, int> Ours;
  for (const AttributeInfo &Info : AttributeTable)
    if (!Info.RuntimeName.empty())
      Ours[std::string(Info.RuntimeName)] = static_cast<int>(Info.Id);
  auto Theirs =
      enumerators("driver_types.h", "__device_builtin__ cudaFuncAttribute");
  EXPECT_EQ(Ours, Theirs);
}

TEST(Attributes, CacheConfigsAreThoseOfTheDriver) {
  std::map<std::string, int> Ours;
  for (const auto &[Value, Name] : EnumeratorNames<CacheConfig>) {
    std::string Upper = "CU_FUNC_CACHE_";
    for (char C : Name)
      Upper += static_cast<char>(std::toupper(C));
    Ours[Upper] = static_cast<int>(Value);
  }
  EXPECT_EQ(Ours, enumerators("cuda.h", "CUfunc_cache_enum"));
}

// Older toolkits have fewer limits; none of them may be unknown to us.
TEST(Attributes, LimitsHoldThoseOfTheDriver) {
  std::set<std::string> Ours;
  for (std::string_view Name : LimitNames) {
    std::string Upper = "CU_LIMIT_";
    for (char C : Name)
      Upper += static_cast<char>(std::toupper(C));
    Ours.insert(Upper);
  }
  for (const auto &[Name, Number] : enumerators("cuda.h", "CUlimit_enum"))
    EXPECT_TRUE(Ours.contains(Name)) << Name;
}

TEST(Attributes, AreFoundByEveryName) {
  for (const AttributeInfo &Info : AttributeTable) {
    EXPECT_EQ(findAttribute(static_cast<unsigned>(Info.Id)), &Info);
    EXPECT_EQ(findAttributeByPlanName(Info.PlanName), &Info);
    EXPECT_EQ(findAttributeByDriverName(driverName(Info)), &Info);
    if (!Info.RuntimeName.empty()) {
      EXPECT_EQ(findAttributeByRuntimeName(Info.RuntimeName), &Info);
    }
  }
}

TEST(Attributes, UnknownNamesAreNotFound) {
  EXPECT_EQ(findAttribute(4711), nullptr);
  EXPECT_EQ(findAttributeByPlanName("MAX_THREADS_PER_BLOCK"), nullptr);
  EXPECT_EQ(findAttributeByDriverName("max_threads_per_block"), nullptr);
  EXPECT_EQ(
      findAttributeByDriverName("CU_FUNC_ATTRIBUTE_max_threads_per_block"),
      nullptr);
  EXPECT_EQ(findAttributeByRuntimeName(""), nullptr);
}

TEST(Names, GoBothWays) {
  EXPECT_EQ(fromName<SiteKind>("device_launch"), SiteKind::DeviceLaunch);
  EXPECT_EQ(nameOf(SiteKind::DeviceLaunch), "device_launch");
  EXPECT_EQ(fromName<SiteKind>("Set"), std::nullopt);
  EXPECT_EQ(allNames<Linkage>().size(), 2u);
}

TEST(Names, PlansHoldOnlyAttributesThatCanBeSet) {
  EXPECT_EQ(fromName<Attribute>("num_regs"), std::nullopt);
  EXPECT_EQ(nameOf(Attribute::NumRegs), "num_regs");
  for (std::string_view Name : allNames<Attribute>())
    EXPECT_TRUE(fromName<Attribute>(Name)) << Name;
}
