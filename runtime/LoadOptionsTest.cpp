//===- LoadOptionsTest.cpp - The options of a load, given and made -------===//

#include "LoadOptions.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// The arrays of a call.
struct Call {
  std::vector<CUjit_option> Jit;
  std::vector<void *> Values;
  std::vector<CUlibraryOption> Library;

  Call &add(int Option, uint64_t Value = 0) {
    // Also such as the header does not have.
    Jit.emplace_back();
    std::memcpy(&Jit.back(), &Option, sizeof(Option));
    Values.push_back(reinterpret_cast<void *>(Value));
    return *this;
  }
  GivenOptions read() {
    return GivenOptions({static_cast<unsigned>(Jit.size()), Jit.data(),
                         Values.data(), static_cast<unsigned>(Library.size()),
                         Library.data(), nullptr});
  }
  uint64_t value(size_t I) const {
    return reinterpret_cast<uint64_t>(Values[I]);
  }
};

TEST(LoadOptions, NoneAreUnderstood) {
  GivenOptions Given((OptionArrays()));
  EXPECT_TRUE(Given.understood());
  EXPECT_TRUE(Given.semantic().empty());
}

TEST(LoadOptions, SemanticOnesAreNumbersOf32Bits) {
  auto Given = Call()
                   .add(CU_JIT_MAX_REGISTERS, 0xABCDEF0000000040)
                   .add(CU_JIT_OPTIMIZATION_LEVEL, 3)
                   .read();
  EXPECT_TRUE(Given.understood());
  EXPECT_EQ(Given.semantic(), (SemanticOptions{{"max_registers", 64},
                                               {"optimization_level", 3}}));
}

TEST(LoadOptions, WhatStandsInPlaceOfNoValueMeansNothing) {
  EXPECT_EQ(Call().add(CU_JIT_TARGET_FROM_CUCONTEXT, 77).read().semantic(),
            (SemanticOptions{{"target_from_cucontext", 0}}));
}

TEST(LoadOptions, NotUnderstoodIsWhatIsNewOrRefersToMemoryOrComesTwice) {
  EXPECT_FALSE(Call().add(999).read().understood());
  EXPECT_FALSE(Call().add(CU_JIT_GLOBAL_SYMBOL_NAMES).read().understood());
  EXPECT_FALSE(Call().add(CU_JIT_LTO).add(CU_JIT_LTO).read().understood());
  Call Table;
  Table.Library = {CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE};
  EXPECT_FALSE(Table.read().understood());
  Call New;
  const int Unknown = 99;
  New.Library.emplace_back();
  std::memcpy(New.Library.data(), &Unknown, sizeof(Unknown));
  EXPECT_FALSE(New.read().understood());
  Call Preserved;
  Preserved.Library = {CU_LIBRARY_BINARY_IS_PRESERVED};
  EXPECT_TRUE(Preserved.read().understood());
}

TEST(LoadOptions, ACountWithoutArraysIsForTheDriverToRefuse) {
  OptionArrays Arrays;
  Arrays.JitCount = 1;
  EXPECT_FALSE(GivenOptions(Arrays).understood());
  OptionArrays Library;
  Library.LibraryCount = 1;
  EXPECT_FALSE(GivenOptions(Library).understood());
}

TEST(LoadOptions, AnswersInTheRoomThatIsThere) {
  char Info[6] = "?????", Error[8] = "???????";
  Call C;
  C.add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<uint64_t>(Info))
      .add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, sizeof(Info))
      .add(CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<uint64_t>(Error))
      .add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, sizeof(Error))
      .add(CU_JIT_WALL_TIME);
  auto Given = C.read();
  ASSERT_TRUE(Given.understood());
  Given.answer({true, "information", "", 1.5F});
  EXPECT_STREQ(Info, "infor");
  EXPECT_EQ(C.value(1), 5U);
  EXPECT_STREQ(Error, "");
  EXPECT_EQ(C.value(3), 0U);
  float Time = 0;
  std::memcpy(&Time, static_cast<const void *>(&C.Values[4]), sizeof(Time));
  EXPECT_EQ(Time, 1.5F);
}

TEST(LoadOptions, WithoutASizeNothingIsWritten) {
  char Info[4] = "abc";
  Call C;
  C.add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<uint64_t>(Info));
  C.read().answer({true, "text", "", 0});
  EXPECT_STREQ(Info, "abc");
  Call Size;
  Size.add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 100);
  Size.read().answer({true, "text", "", 0});
  EXPECT_EQ(Size.value(0), 0U);
}

TEST(LoadOptions, AVerboseLogWasNotKept) {
  char Info[4] = "";
  Call C;
  C.add(CU_JIT_LOG_VERBOSE, 1);
  EXPECT_TRUE(
      C.read().canAnswer({true, "compiled", "", 0})); // Nobody reads it.
  C.add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<uint64_t>(Info));
  EXPECT_FALSE(C.read().canAnswer({true, "compiled", "", 0}));
  EXPECT_TRUE(C.read().canAnswer({true, "", "", 0})); // Nothing was compiled.
}

TEST(LoadOptions, ALogThatWasNotKeptIsTheDriversToWrite) {
  const JitLog NotKept = {false, "", "", 0};
  EXPECT_TRUE(Call().read().canAnswer(NotKept));
  EXPECT_TRUE(Call().add(CU_JIT_MAX_REGISTERS, 32).read().canAnswer(NotKept));
  EXPECT_FALSE(Call().add(CU_JIT_WALL_TIME).read().canAnswer(NotKept));
  EXPECT_FALSE(
      Call().add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES).read().canAnswer(NotKept));
}

TEST(LoadOptions, MakesWhatItReads) {
  const SemanticOptions Wanted = {{"lto", 1}, {"max_registers", 32}};
  auto Made = LoadAheadOptions::make(Wanted, ImageKind::Ptx);
  ASSERT_TRUE(Made);
  OptionArrays Arrays;
  Arrays.JitCount = (*Made)->count();
  Arrays.Jit = (*Made)->options();
  Arrays.JitValues = (*Made)->values();
  GivenOptions Given(Arrays);
  EXPECT_TRUE(Given.understood());
  EXPECT_EQ(Given.semantic(), Wanted);
  Given.answer({true, "compiled", "odd", 2});
  JitLog Log = (*Made)->log();
  EXPECT_EQ(Log.Info, "compiled");
  EXPECT_EQ(Log.Error, "odd");
  EXPECT_EQ(Log.WallMilliseconds, 2);
}

TEST(LoadOptions, AsksForNoLogWhereNothingIsCompiled) {
  auto Made = LoadAheadOptions::make({}, ImageKind::Cubin);
  ASSERT_TRUE(Made);
  EXPECT_EQ((*Made)->count(), 0U);
  EXPECT_EQ((*Made)->log().Info, "");
  EXPECT_TRUE((*Made)->log().Kept);
  auto Fatbin = LoadAheadOptions::make({}, ImageKind::Fatbin);
  ASSERT_TRUE(Fatbin);
  EXPECT_EQ((*Fatbin)->count(), 0U);
  EXPECT_FALSE((*Fatbin)->log().Kept);
}

TEST(LoadOptions, RefusesNamesThatAreNoOption) {
  EXPECT_FALSE(LoadAheadOptions::make({{"quick", 1}}, ImageKind::Cubin));
  EXPECT_FALSE(LoadAheadOptions::make({{"wall_time", 1}}, ImageKind::Cubin));
}

} // namespace
