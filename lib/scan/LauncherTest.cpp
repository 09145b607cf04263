//===- LauncherTest.cpp ---------------------------------------------------===//

#include "scan/Launcher.h"

#include "scan/CommandLine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;

namespace {

CompilerCall call(const char *Line) {
  return findCompilerCall(splitShell(Line).front());
}

TEST(Launcher, IsPassedOver) {
  for (const char *Line :
       {"nvcc -c a.cu", "ccache nvcc -c a.cu", "/usr/bin/sccache nvcc -c a.cu",
        "ccache distcc nvcc -c a.cu", "env nvcc -c a.cu",
        "cmake -E env --modify PATH=path_list_prepend:/x nvcc -c a.cu",
        "nice -n 5 nvcc -c a.cu", "some-launcher --flag nvcc -c a.cu",
        "sh -c 'cd /x && nvcc -c a.cu'", "bash -ec 'ccache nvcc -c a.cu'"}) {
    CompilerCall Call = call(Line);
    EXPECT_EQ(Call.Kind, CompilerKind::Nvcc) << Line;
    EXPECT_EQ(Call.Program, "nvcc") << Line;
    EXPECT_THAT(Call.Arguments, ElementsAre("-c", "a.cu")) << Line;
  }
}

TEST(Launcher, SetsVariables) {
  CompilerCall Call =
      call("env NVCC_APPEND_FLAGS=-DA CUDA_HOME=/gcc/cc nvcc -c a.cu");
  EXPECT_EQ(Call.Kind, CompilerKind::Nvcc);
  EXPECT_EQ(Call.Environment.at("NVCC_APPEND_FLAGS"), "-DA");
  EXPECT_EQ(Call.Environment.at("CUDA_HOME"), "/gcc/cc");
}

TEST(Launcher, AnUnknownProgramIsTakenForTheCompiler) {
  CompilerCall Call = call("X=1 my-wrapper -c a.cc");
  EXPECT_EQ(Call.Kind, CompilerKind::Unknown);
  EXPECT_EQ(Call.Program, "my-wrapper");
  EXPECT_THAT(Call.Arguments, ElementsAre("-c", "a.cc"));
}

TEST(Launcher, NestedShellsEnd) {
  std::string Line = "nvcc -c a.cu";
  for (int Depth = 0; Depth < 6; ++Depth)
    Line = "sh -c " + quoteForShell(Line);
  EXPECT_EQ(call(Line.c_str()).Kind, CompilerKind::Nvcc);
}

TEST(Launcher, AnEmptyCommand) {
  EXPECT_EQ(findCompilerCall({}).Program, "");
  EXPECT_EQ(findCompilerCall({"A=b"}).Program, "");
}

TEST(Launcher, PicksTheCommandThatNamesTheFile) {
  auto Commands = splitShell(
      "mkdir x && gcc -E gen.c -o y && nvcc -c a.cu -o a.o && touch z");
  EXPECT_EQ(pickCompilerCommand(Commands, "a.cu").front(), "nvcc");
  EXPECT_EQ(pickCompilerCommand(Commands, "other").front(), "gcc");
  EXPECT_EQ(pickCompilerCommand(splitShell("touch a; rm b"), "a").front(),
            "touch");
}

TEST(ClassifyCompiler, Names) {
  auto Is = [](CompilerKind Kind, std::initializer_list<const char *> Names) {
    for (const char *Name : Names)
      EXPECT_EQ(classifyCompiler(Name), Kind) << Name;
  };
  Is(CompilerKind::Nvcc, {"nvcc", "/usr/local/cuda-12.4/bin/nvcc"});
  Is(CompilerKind::NvccWrapper, {"/kokkos/bin/nvcc_wrapper"});
  Is(CompilerKind::Gcc,
     {"g++", "gcc-12", "cc", "/usr/bin/c++", "x86_64-linux-gnu-g++-12",
      "mpicxx", "x86_64-conda-linux-gnu-c++",
      "external/cuda/crosstool_wrapper_driver_is_not_gcc"});
  Is(CompilerKind::Clang, {"clang", "clang++-18", "/opt/llvm/bin/clang++"});
  Is(CompilerKind::Unknown, {"ccache", "distcc", "sccache", "icecc", "cl.exe",
                             "python3", "ar", "ld", "clang-tidy", "cmake"});
}

} // namespace
