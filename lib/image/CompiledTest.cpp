//===- CompiledTest.cpp ---------------------------------------------------===//

#include "image/Compiled.h"
#include "image/Arch.h"
#include "image/Ptx.h"
#include "image/Sha256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace kplan;
using namespace kplan::image;
using testing::HasSubstr;

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256(ByteView("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a39"
                                     "6177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(ByteView()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b93"
                                "4ca495991b7852b855");
}

TEST(Arch, HasANumberAndASuffix) {
  EXPECT_EQ(parseArch("sm_90"), (Arch{90, 0}));
  EXPECT_EQ(parseArch("sm_100f"), (Arch{100, 'f'}));
  for (const char *Wrong :
       {"", "sm_", "sm_9", "90", "sm_90b", "sm_90aa", "compute_90", "sm_-90"})
    EXPECT_FALSE(parseArch(Wrong)) << Wrong;
  EXPECT_EQ((Arch{90, 'a'}).name(), "sm_90a");
}

static bool runs(const char *Of, unsigned Device) {
  return cubinRunsOn(*parseArch(Of), Device);
}

TEST(Arch, SaysWhereCubinsRun) {
  EXPECT_TRUE(runs("sm_80", 80));
  EXPECT_TRUE(runs("sm_80", 86));
  EXPECT_FALSE(runs("sm_86", 80));
  EXPECT_FALSE(runs("sm_80", 90));
  EXPECT_TRUE(runs("sm_90a", 90));
  EXPECT_FALSE(runs("sm_100a", 103));
  EXPECT_TRUE(runs("sm_100f", 103));
  EXPECT_FALSE(runs("sm_100f", 120));
}

static std::string forPtx(const char *Target, const char *Wanted) {
  auto A = archForPtx(*parseArch(Target), *parseArch(Wanted));
  return A ? A->name() : A.errors()[0].Message;
}

// As nvJitLink 13.0 takes them.
TEST(Arch, KeepsTheSuffixOfPtx) {
  EXPECT_EQ(forPtx("sm_80", "sm_90"), "sm_90");
  EXPECT_EQ(forPtx("sm_80", "sm_90a"), "sm_90a");
  EXPECT_EQ(forPtx("sm_90a", "sm_90"), "sm_90a");
  EXPECT_EQ(forPtx("sm_100f", "sm_100"), "sm_100f");
  EXPECT_EQ(forPtx("sm_100f", "sm_103"), "sm_103f");
  EXPECT_EQ(forPtx("sm_100f", "sm_103a"), "sm_103a");
  EXPECT_THAT(forPtx("sm_90a", "sm_100"), HasSubstr("cannot be compiled for"));
  EXPECT_THAT(forPtx("sm_100a", "sm_100f"), HasSubstr("cannot be compiled"));
  EXPECT_THAT(forPtx("sm_100f", "sm_120"), HasSubstr("cannot be compiled for"));
  EXPECT_THAT(forPtx("sm_90", "sm_80"), HasSubstr("the older sm_80"));
}

TEST(Arch, IsThatOfTheTargetDirective) {
  EXPECT_EQ(ptxTarget("\n// .target sm_70\n.version 8.0\n.target sm_90a, "
                      "debug\n"),
            "sm_90a");
  EXPECT_EQ(ptxTarget(".version 8.0\n"), "");
}

static std::string selected(std::vector<std::string> Archs, unsigned Device) {
  std::vector<CompiledImage> Compiled(Archs.size());
  for (size_t I = 0; I < Archs.size(); ++I)
    Compiled[I].Arch = Archs[I];
  const CompiledImage *C = selectCompiled(Compiled, Device);
  return C ? C->Arch : "none";
}

TEST(Compiled, SelectsTheNewestThatRuns) {
  EXPECT_EQ(selected({"sm_80", "sm_86", "sm_90"}, 86), "sm_86");
  EXPECT_EQ(selected({"sm_80", "sm_86", "sm_90"}, 89), "sm_86");
  EXPECT_EQ(selected({"sm_90", "sm_90a"}, 90), "sm_90a");
  EXPECT_EQ(selected({"sm_100f", "sm_100", "sm_103f"}, 103), "sm_103f");
  EXPECT_EQ(selected({"sm_90a", "nonsense", "sm_75"}, 100), "none");
  EXPECT_EQ(selected({}, 90), "none");
}

TEST(Compiled, ReadsOnlyWhatThePlanVouchesFor) {
  std::string Folder = testing::TempDir() + "kplan-XXXXXX";
  Folder = mkdtemp(Folder.data());
  const std::string Text = "no cubin";
  std::ofstream(Folder + "/a.cubin") << Text;
  ::chmod((Folder + "/a.cubin").c_str(), 0600);
  CompiledImage C;
  C.File = "a.cubin";
  C.Sha256 = std::string(64, '0');
  auto Bytes = readCompiled(C, Folder);
  ASSERT_FALSE(Bytes);
  EXPECT_THAT(Bytes.errors()[0].Message, HasSubstr("other bytes"));
  C.Sha256 = sha256(ByteView(Text));
  EXPECT_EQ(readCompiled(C, Folder).errors()[0].Message, "is no cubin");
  C.File = "../a.cubin";
  EXPECT_THAT(readCompiled(C, Folder).errors()[0].Message,
              HasSubstr("no path inside the store"));
  std::filesystem::remove_all(Folder);
}
