//===- HostOptionsTest.cpp ------------------------------------------------===//

#include "scan/HostOptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::vector<std::string> kept(const std::vector<std::string> &Arguments) {
  HostArguments Host = parseHostArguments(Arguments);
  EXPECT_THAT(Host.Unknown, IsEmpty());
  return Host.Kept;
}

TEST(HostOptions, WhatTheSourceDependsOnIsKept) {
  std::vector<std::string> Arguments = {"-DA=1",
                                        "-D",
                                        "B",
                                        "-U",
                                        "C",
                                        "-I.",
                                        "-I",
                                        "inc",
                                        "-isystem",
                                        "/s",
                                        "-isystem/t",
                                        "-iquote",
                                        "q",
                                        "-idirafter",
                                        "/l",
                                        "-include",
                                        "pre.h",
                                        "-pthread",
                                        "-fopenmp",
                                        "-fno-rtti",
                                        "-fno-exceptions",
                                        "-O2",
                                        "-march=native",
                                        "-mavx2",
                                        "-mno-sse4",
                                        "-stdlib=libc++",
                                        "--sysroot=/r",
                                        "-funsigned-char",
                                        "-ftemplate-depth=2000",
                                        "-fPIC"};
  EXPECT_EQ(kept(Arguments), Arguments);
}

TEST(HostOptions, OutputWarningsAndLinkingAreDropped) {
  EXPECT_THAT(kept({"-c",
                    "-o",
                    "a.o",
                    "-ob.o",
                    "-MD",
                    "-MF",
                    "a.d",
                    "-MTx",
                    "-MQ",
                    "y",
                    "-Wall",
                    "-Werror=foo",
                    "-Wl,-z,now",
                    "-w",
                    "-pedantic",
                    "-g3",
                    "-ggdb",
                    "-gdwarf-5",
                    "-pipe",
                    "-L/x",
                    "-lfoo",
                    "-shared",
                    "-Xlinker",
                    "-Bstatic",
                    "-flto=auto",
                    "-fvisibility=hidden",
                    "-fno-strict-aliasing",
                    "-mtune=native",
                    "-mcmodel=large",
                    "-fsanitize=address",
                    "--coverage",
                    "-save-temps=obj",
                    "--param",
                    "max-inline=3",
                    "-dD"}),
              IsEmpty());
}

TEST(HostOptions, WhatOnlyGccKnowsIsDropped) {
  EXPECT_THAT(kept({"-fconcepts", "-fno-gnu-unique", "-fext-numeric-literals",
                    "-fconstexpr-ops-limit=99", "-fconserve-stack",
                    "-fabi-version=13", "-fnonansi-builtins", "-fipa-pta",
                    "-fanalyzer", "-fno-lifetime-dse"}),
              IsEmpty());
}

TEST(HostOptions, WhatNobodyKnowsIsNamed) {
  HostArguments Host = parseHostArguments({"-fnew-thing=3", "--odd", "-DA"});
  EXPECT_THAT(Host.Unknown, ElementsAre("-fnew-thing=3", "--odd"));
  EXPECT_THAT(Host.Kept, ElementsAre("-DA"));
}

TEST(HostOptions, TheLastStandardWins) {
  HostArguments Host = parseHostArguments({"-std=c++17", "--std=gnu++20"});
  EXPECT_EQ(Host.Standard, "gnu++20");
  EXPECT_THAT(Host.Kept, IsEmpty());
}

TEST(HostOptions, InputsAndTheirLanguage) {
  HostArguments Host =
      parseHostArguments({"-x", "c++", "a.inc", "-xc", "b", "--", "-odd.c"});
  EXPECT_EQ(Host.Language, "c++");
  EXPECT_THAT(Host.Inputs, ElementsAre("a.inc", "b", "-odd.c"));
}

TEST(HostOptions, PreprocessorLists) {
  EXPECT_THAT(kept({"-Wp,-D_FORTIFY_SOURCE=2,-MD,x.d,-UA"}),
              ElementsAre("-D_FORTIFY_SOURCE=2", "-UA"));
}

TEST(HostOptions, CMakesPrecompiledHeaderForClang) {
  EXPECT_THAT(kept({"-Xclang", "-include-pch", "-Xclang", "x.pch", "-Xclang",
                    "-include", "-Xclang", "cmake_pch.hxx", "-DA"}),
              ElementsAre("-include", "cmake_pch.hxx", "-DA"));
}

TEST(HostOptions, ClangsCuda) {
  HostArguments Host = parseHostArguments(
      {"--cuda-path=/c", "--cuda-gpu-arch=sm_80", "--offload-arch=sm_90,sm_90a",
       "-fgpu-rdc", "-Xcuda-ptxas", "-v", "-Xarch_host", "-O0", "a.cu"});
  EXPECT_EQ(Host.CudaPath, "/c");
  EXPECT_THAT(Host.OffloadArchs, ElementsAre("sm_80", "sm_90", "sm_90a"));
  EXPECT_TRUE(Host.GpuRdc);
  EXPECT_THAT(Host.Kept, IsEmpty());
  EXPECT_THAT(Host.Inputs, ElementsAre("a.cu"));
}

TEST(HostOptions, AValueMissingAtTheEndIsNoInput) {
  HostArguments Host = parseHostArguments({"a.c", "-o"});
  EXPECT_THAT(Host.Inputs, ElementsAre("a.c"));
}

} // namespace
