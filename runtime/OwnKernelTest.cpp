//===- OwnKernelTest.cpp - kplan's own small kernels ---------------------===//

// Whether ptxas takes the PTX, and makes what it is meant to make. The launches
// are tested in PrimeTest.cpp, their effect in the GPU suite.

#include "DeviceServices.h"
#include "LocalMemory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace kplan::runtime;
using testing::HasSubstr;

namespace {

/// What ptxas says, and nothing where there is none.
std::string assemble(const std::string &Ptx, const std::string &Arch) {
  std::string Template = testing::TempDir() + "kplan-XXXXXX";
  std::filesystem::path Folder = mkdtemp(Template.data());
  std::ofstream(Folder / "k.ptx") << Ptx;
  std::string Command = std::string(KPLAN_PTXAS) + " -v -arch=" + Arch +
                        " -o " + (Folder / "k.cubin").string() + " " +
                        (Folder / "k.ptx").string() + " 2>&1";
  std::string Output;
  FILE *Pipe = popen(Command.c_str(), "r");
  char Buffer[512];
  while (Pipe && fgets(Buffer, sizeof(Buffer), Pipe))
    Output += Buffer;
  int Status = Pipe ? pclose(Pipe) : -1;
  std::filesystem::remove_all(Folder);
  EXPECT_EQ(Status, 0) << Output;
  return Output;
}

class OwnKernel : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (!std::filesystem::exists(KPLAN_PTXAS))
      GTEST_SKIP() << "there is no ptxas";
  }
};

TEST_P(OwnKernel, AFrameIsAsLargeAsAsked) {
  for (uint64_t Bytes : {16, 1024, 33008, 204800})
    EXPECT_THAT(assemble(localMemoryPtx(Bytes), GetParam()),
                HasSubstr(" " + std::to_string(Bytes) + " bytes stack frame"));
}

TEST_P(OwnKernel, ServicesNeedNoFrame) {
  EXPECT_THAT(assemble(printfPtx(), GetParam()),
              HasSubstr(" 0 bytes stack frame"));
  EXPECT_THAT(assemble(mallocPtx(), GetParam()),
              HasSubstr(" 0 bytes stack frame"));
}

INSTANTIATE_TEST_SUITE_P(Archs, OwnKernel,
                         testing::Values("sm_75", "sm_90", "sm_100"));

} // namespace
