//===- LoadedImageTest.cpp ------------------------------------------------===//

#include "record/LoadedImage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::runtime::record;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

void *number(uintptr_t Value) { return reinterpret_cast<void *>(Value); }

TEST(LoadOptions, SemanticOnesAreKept) {
  CUjit_option Options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_OPTIMIZATION_LEVEL};
  char Buffer[8];
  void *Values[] = {number(64), Buffer, number(3)};
  trace::LoadEvent E;
  describeJitOptions(3, Options, Values, E);
  EXPECT_THAT(E.Options,
              ElementsAre("max_registers", "64", "optimization_level", "3"));
  EXPECT_THAT(E.Unwritten, IsEmpty());
}

TEST(LoadOptions, UpperHalfOfAValueIsNotRead) {
  CUjit_option Options[] = {CU_JIT_MAX_REGISTERS};
  void *Values[] = {number(0xdeadbeef00000040)};
  trace::LoadEvent E;
  describeJitOptions(1, Options, Values, E);
  EXPECT_THAT(E.Options, ElementsAre("max_registers", "64"));
}

TEST(LoadOptions, AnOptionWithoutValueHasNone) {
  CUjit_option Options[] = {CU_JIT_TARGET_FROM_CUCONTEXT};
  void *Values[] = {number(12345)};
  trace::LoadEvent E;
  describeJitOptions(1, Options, Values, E);
  EXPECT_THAT(E.Options, ElementsAre("target_from_cucontext", "0"));
}

TEST(LoadOptions, WhatCannotBeWrittenDownIsNamed) {
  CUjit_option Options[] = {CU_JIT_GLOBAL_SYMBOL_NAMES, CU_JIT_NUM_OPTIONS};
  void *Values[] = {nullptr, nullptr};
  trace::LoadEvent E;
  describeJitOptions(2, Options, Values, E);
  CUlibraryOption Others[] = {
      CU_LIBRARY_BINARY_IS_PRESERVED,
      CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE};
  describeLibraryOptions(2, Others, E);
  EXPECT_THAT(E.Options, IsEmpty());
  EXPECT_THAT(E.Unwritten,
              ElementsAre("global_symbol_names",
                          "option_" + std::to_string(CU_JIT_NUM_OPTIONS),
                          "host_universal_function_and_data_table"));
}

TEST(ImageKeeper, SaysWhatIsNoImage) {
  ImageKeeper Keeper("/no/such/folder");
  trace::LoadEvent E;
  Keeper.describe("this is not device code", E);
  EXPECT_EQ(E.Image, "");
  EXPECT_NE(E.Unknown, "");
  trace::LoadEvent F;
  Keeper.describeFile("/no/such/file", F);
  EXPECT_EQ(F.Unknown, "/no/such/file cannot be read again");
}

TEST(ImageKeeper, SaysWhatItCannotKeep) {
  ImageKeeper Keeper("/no/such/folder");
  trace::LoadEvent E;
  std::string Ptx = ".version 8.0\n.target sm_75\n"; // Not in a mapped file.
  Keeper.describe(Ptx.c_str(), E);
  EXPECT_EQ(E.Kind, "ptx");
  EXPECT_EQ(E.Store + E.File, "");
  EXPECT_NE(E.Unknown.find("/no/such/folder"), E.Unknown.npos) << E.Unknown;
}

} // namespace
