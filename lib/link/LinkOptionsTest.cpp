//===- LinkOptionsTest.cpp ------------------------------------------------===//

#include "link/LinkOptions.h"

#include "image/LoadOptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::link;
using testing::ElementsAre;
using testing::HasSubstr;

static std::vector<std::string>
optionsOf(const std::map<std::string, int64_t> &LoadOptions) {
  auto Options = linkOptions(LoadOptions);
  return Options ? *Options : std::vector{Options.errors()[0].Message};
}

TEST(LinkOptions, AreThoseOfTheLoad) {
  EXPECT_THAT(optionsOf({{"max_registers", 64}, {"generate_line_info", 1}}),
              ElementsAre("-lineinfo", "-maxrregcount=64"));
  EXPECT_THAT(optionsOf({{"ftz", 0}, {"prec_div", 1}, {"lto", 1}}),
              ElementsAre("-ftz=0", "-lto", "-prec-div=1"));
  EXPECT_THAT(optionsOf({{"cache_mode", 2}}), ElementsAre("-Xptxas=-dlcm=ca"));
  EXPECT_THAT(optionsOf({{"optimization_level", 4}}), ElementsAre("-O3"));
}

TEST(LinkOptions, SayNothingOfWhatIsSoAnyway) {
  EXPECT_THAT(optionsOf({}), ElementsAre());
  EXPECT_THAT(optionsOf({{"generate_debug_info", 0},
                         {"cache_mode", 0},
                         {"target_from_cucontext", 1}}),
              ElementsAre());
}

TEST(LinkOptions, RefuseByNameWhatHasNoCounterpart) {
  EXPECT_THAT(optionsOf({{"threads_per_block", 128}}),
              ElementsAre(HasSubstr("'threads_per_block: 128'")));
  EXPECT_THAT(optionsOf({{"optimization_level", 2}}),
              ElementsAre(HasSubstr("'optimization_level: 2'")));
  EXPECT_THAT(optionsOf({{"cache_mode", 7}}),
              ElementsAre(HasSubstr("'cache_mode: 7'")));
}

/// The two tables spell names alike, and this one has no others.
TEST(LinkOptions, HaveTheNamesOfLoadOptions) {
  for (const char *Name : {
#define KPLAN_LINK_OPTION(PlanName, How, Text) PlanName,
#include "link/LinkOptions.def"
       }) {
    const image::LoadOption *Option = image::findJitOption(Name);
    ASSERT_TRUE(Option) << Name;
    EXPECT_EQ(Option->Class, image::OptionClass::Semantic) << Name;
  }
}

TEST(LinkOptions, OfAModuleMayBeBooleans) {
  Module M;
  M.Name = "m";
  M.Options["lto"] = true;
  M.Options["max_registers"] = int64_t(32);
  EXPECT_THAT(*linkOptions(M), ElementsAre("-lto", "-maxrregcount=32"));
  M.Options["target"] = "sm_90";
  EXPECT_THAT(linkOptions(M).errors()[0].Message,
              HasSubstr("'target' of module 'm' is a text"));
}
