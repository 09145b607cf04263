//===- PtxTest.cpp --------------------------------------------------------===//

#include "image/Ptx.h"

#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::image;

namespace {

constexpr std::string_view Header =
    ".version 8.0\n.target sm_90a\n.address_size 64\n";

Code read(std::string Body) {
  auto C = readPtx(std::string(Header) + Body);
  EXPECT_TRUE(C);
  return C ? *C : Code();
}

TEST(Ptx, EntriesAreKernelsSortedBySymbol) {
  const Code C = read(".visible .entry b() { ret; }\n"
                      ".entry a(.param .u64 p) { ret; }\n"
                      ".func helper() { ret; }\n");
  ASSERT_EQ(C.Kernels.size(), 2u);
  EXPECT_EQ(C.Kernels[0].Symbol, "a");
  EXPECT_EQ(C.Kernels[1].Symbol, "b");
}

TEST(Ptx, TargetGivesTheArch) { EXPECT_EQ(read("").Arch, 90u); }

TEST(Ptx, LocalArraysAreSummedThroughCallees) {
  const Code C = read(".func helper() { .local .align 4 .b8 x[100]; ret; }\n"
                      ".entry k() { .local .align 8 .b8 y[4096];\n"
                      "  call.uni helper, (); ret; }\n");
  ASSERT_EQ(C.Kernels.size(), 1u);
  EXPECT_GE(C.Kernels[0].LocalBytes, 4196u);
}

TEST(Ptx, CallOfVprintfIsAUse) {
  const Code C = read(
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
      ".entry k() { call.uni (r), vprintf, (f, a); ret; }\n"
      ".entry quiet() { ret; }\n");
  ASSERT_EQ(C.Kernels.size(), 2u);
  EXPECT_EQ(C.Kernels[0].Uses, std::vector<Use>{Use::Printf});
  EXPECT_TRUE(C.Kernels[1].Uses.empty());
}

TEST(Ptx, ModuleVariablesAreGlobals) {
  const Code C = read(".visible .global .align 4 .b8 table[64];\n"
                      ".const .align 4 .u32 factor = 3;\n");
  ASSERT_EQ(C.Globals.size(), 2u);
  EXPECT_EQ(C.Globals[0].Symbol, "factor");
  EXPECT_TRUE(C.Globals[0].Constant);
  EXPECT_EQ(C.Globals[1].Symbol, "table");
  EXPECT_EQ(C.Globals[1].Size, 64u);
}

TEST(Ptx, CommentsAndStringsHideNothing) {
  const Code C = read("// .entry no()\n/* .entry nor() { */\n"
                      ".entry yes() { ret; }\n");
  ASSERT_EQ(C.Kernels.size(), 1u);
  EXPECT_EQ(C.Kernels[0].Symbol, "yes");
}

TEST(Ptx, EveryTruncationIsReadWithoutHarm) {
  const std::string Text =
      std::string(Header) +
      ".entry k(.param .u64 p) { .local .b8 x[8]; call.uni f, (p); ret; }";
  for (size_t N = 0; N < Text.size(); ++N)
    (void)readPtx(std::string(Text, 0, N));
  EXPECT_FALSE(ptxSize(ByteView(std::string_view("not ptx"))));
}

} // namespace
