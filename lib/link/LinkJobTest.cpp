//===- LinkJobTest.cpp ----------------------------------------------------===//
//
// What is decided without the linker; test/link runs it.
//
//===----------------------------------------------------------------------===//

#include "link/LinkJob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

using namespace kplan;
using namespace kplan::link;
using image::ByteView;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

static LinkInput ptx(std::string_view Text) {
  return {InputKind::Ptx, ByteView(Text), "in.ptx"};
}

static Result<LinkJob> job(const std::vector<std::string_view> &Texts,
                           const char *Arch,
                           std::vector<std::string> Options = {}) {
  std::vector<LinkInput> Inputs;
  Inputs.reserve(Texts.size());
  for (std::string_view Text : Texts)
    Inputs.push_back(ptx(Text));
  return makeLinkJob(std::move(Inputs), *image::parseArch(Arch),
                     std::move(Options));
}

static constexpr std::string_view Plain = ".version 8.0\n.target sm_80\n"
                                          ".visible .entry plain() { ret; }\n";
static constexpr std::string_view OnlyHopper =
    ".version 8.0\n.target sm_90a\n.visible .entry hopper() { ret; }\n";

TEST(LinkInputs, AreKnownByTheirContent) {
  EXPECT_EQ(*identifyInput(ByteView(Plain)), InputKind::Ptx);
  EXPECT_EQ(*identifyInput(ByteView("!<arch>\nfoo")), InputKind::Library);
  EXPECT_EQ(*identifyInput(ByteView(std::string_view("\xed\x43\x4e\x7f", 4))),
            InputKind::LtoIr);
  EXPECT_EQ(*identifyInput(ByteView(std::string_view("\x50\xed\x55\xba", 4))),
            InputKind::Fatbin);
  EXPECT_FALSE(identifyInput(ByteView("int main() {}")));
  EXPECT_FALSE(identifyInput(ByteView()));
}

TEST(LinkInputs, TellTheirKernels) {
  EXPECT_THAT(definedKernels({ptx(OnlyHopper), ptx(Plain), ptx(Plain)}),
              ElementsAre("hopper", "plain"));
}

TEST(LinkJob, TakesTheSuffixFromThePtx) {
  EXPECT_THAT(job({Plain}, "sm_90")->Options, ElementsAre("-arch=sm_90"));
  EXPECT_THAT(job({Plain, OnlyHopper}, "sm_90")->Options,
              ElementsAre("-arch=sm_90a"));
  EXPECT_THAT(job({OnlyHopper, Plain}, "sm_90", {"-lineinfo"})->Options,
              ElementsAre("-arch=sm_90a", "-lineinfo"));
}

TEST(LinkJob, RefusesAnArchitectureThatPtxHasNot) {
  auto J = job({Plain, OnlyHopper}, "sm_100");
  ASSERT_FALSE(J);
  EXPECT_EQ(J.errors()[0].File, "in.ptx");
  EXPECT_THAT(J.errors()[0].Message, HasSubstr("sm_90a cannot be compiled"));
  J = job({".version 8.0\n"}, "sm_90");
  ASSERT_FALSE(J);
  EXPECT_THAT(J.errors()[0].Message, HasSubstr("no architecture"));
}

TEST(LinkJob, KnowsOfLtoIr) {
  LinkInput LtoIr{InputKind::LtoIr, ByteView("\xed\x43\x4e\x7f", 4), "a"};
  auto J = makeLinkJob({LtoIr}, {90, 0}, {});
  EXPECT_THAT(J->Options, ElementsAre("-arch=sm_90", "-lto"));
  J = makeLinkJob({LtoIr}, {90, 0}, {"-lto"});
  EXPECT_THAT(J->Options, ElementsAre("-arch=sm_90", "-lto"));
}

TEST(Linker, SaysWhereItWasLookedFor) {
  auto Linker = NvJitLink::open({{"/nowhere", "/"}, false});
  ASSERT_FALSE(Linker);
  EXPECT_THAT(Linker.errors()[0].Message, HasSubstr("was not found"));
  EXPECT_THAT(Linker.errors()[0].Hint, HasSubstr("looked in /;"));
  EXPECT_THAT(Linker.errors()[0].Hint, HasSubstr("--cuda-path"));
}

TEST(Linker, IsLookedForInAGivenInstallationAlone) {
  LinkerPlaces Given = linkerPlaces("/opt/cuda");
  EXPECT_FALSE(Given.Loader);
  for (const std::string &Folder : Given.Folders)
    EXPECT_TRUE(Folder.starts_with("/opt/cuda")) << Folder;
  EXPECT_THAT(Given.Folders, Contains("/opt/cuda/lib64"));
  ::setenv("CUDA_HOME", "/opt/other", 1);
  LinkerPlaces All = linkerPlaces("");
  ::unsetenv("CUDA_HOME");
  EXPECT_TRUE(All.Loader);
  EXPECT_EQ(All.Folders.front(), "/opt/other/lib64");
}
