//===- GpuArchTest.cpp ----------------------------------------------------===//

#include "scan/GpuArch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;

namespace {

TEST(GpuArch, Names) {
  EXPECT_EQ(parseGpuArch("sm_90a"), (GpuArch{90, 'a'}));
  EXPECT_EQ(parseGpuArch("compute_100f"), (GpuArch{100, 'f'}));
  EXPECT_EQ(parseGpuArch("lto_75"), (GpuArch{75, 0}));
  for (const char *Name : {"90", "sm_", "sm_9", "sm_90b", "sm_90aa", "native",
                           "sm_99999", "gfx90a", ""})
    EXPECT_FALSE(parseGpuArch(Name)) << Name;
}

TEST(GpuArch, OnlyWhatSomeNvccHasIsKnown) {
  EXPECT_TRUE(isKnownArch({90, 'a'}));
  EXPECT_TRUE(isKnownArch({52, 0}));
  for (unsigned Number : {10u, 35u, 91u, 9000u})
    EXPECT_FALSE(isKnownArch({Number, 0})) << Number;
}

TEST(GpuArch, TheListHasEachNumberOnce) {
  GpuArchSet Archs;
  Archs.Virtual = {{100, 'f'}, {80, 0}, {90, 0}, {90, 'a'}};
  EXPECT_EQ(Archs.archList(), "800,900,1000");
}

TEST(GpuArch, NamesAreSortedByNumber) {
  GpuArchSet Archs;
  Archs.Virtual = {{80, 0}};
  Archs.Code = {{100, 'a'}, {90, 'a'}, {90, 0}, {90, 0}};
  EXPECT_THAT(Archs.names(), ElementsAre("sm_90", "sm_90a", "sm_100a"));
}

TEST(GpuArch, AllOfCuda13) {
  GpuArchSet Archs;
  Archs.Virtual = allArchs(13, 0, false);
  EXPECT_EQ(Archs.archList(),
            "750,800,860,870,880,890,900,1000,1030,1100,1200,1210");
  Archs.Virtual = allArchs(13, 0, true);
  EXPECT_EQ(Archs.archList(), "750,800,900,1000,1100,1200");
}

TEST(GpuArch, ClangIsToldWhatItKnows) {
  EXPECT_EQ(clangArchName({90, 0}), "sm_90");
  EXPECT_EQ(clangArchName({90, 'a'}), "sm_90a");
  EXPECT_EQ(clangArchName({100, 'f'}), "sm_100");
  EXPECT_EQ(clangArchName({103, 'a'}), "sm_103a");
  EXPECT_EQ(clangArchName({150, 'a'}), "sm_121");
  EXPECT_EQ(clangArchName({10, 0}), "sm_50");
}

} // namespace
