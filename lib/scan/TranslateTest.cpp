//===- TranslateTest.cpp --------------------------------------------------===//

#include "scan/Translate.h"

#include "scan/CommandLine.h"
#include "scan/FakeSystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::scan;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace {

class Translate : public testing::Test {
protected:
  Translate() {
    System.Variables["PATH"] = "/cuda/bin:/usr/bin";
    System.addToolkit("/cuda", 13, 0, 88);
    System.addGcc("12");
    Options.Clang = "clang";
  }

  ClangCommand translate(const std::string &Line,
                         const std::string &File = "a.cu") {
    CompileCommand Command;
    Command.Directory = "/d";
    Command.File = File;
    Command.Arguments = splitShell(Line).front();
    Warnings.clear();
    Result<ClangCommand> Clang =
        Translator(Options, System).translate(Command, Warnings);
    if (!Clang) {
      ADD_FAILURE() << format(Clang.errors().front());
      return {};
    }
    return *Clang;
  }
  /// The arguments, also pairs joined by a space.
  std::vector<std::string> arguments(const std::string &Line,
                                     const std::string &File = "a.cu") {
    return translate(Line, File).Arguments;
  }
  std::string line(const std::string &Line, const std::string &File = "a.cu") {
    return joinForShell(arguments(Line, File)) + " ";
  }

  FakeSystem System;
  TranslateOptions Options;
  std::vector<Diagnostic> Warnings;
};

TEST_F(Translate, AnNvccCommand) {
  ClangCommand Clang = translate("nvcc -std=c++17 -arch=sm_90 -c a.cu -o a.o");
  EXPECT_EQ(joinForShell(Clang.Arguments),
            "clang++ -x cuda -fsyntax-only -w -ferror-limit=0 -std=c++17 "
            "--cuda-host-only --no-cuda-version-check -nogpulib "
            "--cuda-gpu-arch=sm_90 --cuda-path=/cuda -fclang-abi-compat=17 "
            "--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/12 "
            "-isystem /cuda/include -isystem /cuda/include/cccl "
            "-D__CUDA_ARCH_LIST__=900 -D__CUDACC_VER_MAJOR__=13 "
            "-D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=88 "
            "-D__CUDA_API_VER_MAJOR__=13 -D__CUDA_API_VER_MINOR__=0 "
            "-D_CG_CLUSTER_INTRINSICS_AVAILABLE "
            "-- /d/a.cu");
  EXPECT_EQ(Clang.Directory, "/d");
  EXPECT_EQ(Clang.File, "/d/a.cu");
  EXPECT_TRUE(Clang.IsCuda);
  EXPECT_FALSE(Clang.RelocatableDeviceCode);
  EXPECT_FALSE(Clang.BuiltByClang);
  EXPECT_THAT(Clang.Archs, ElementsAre("sm_90"));
  EXPECT_EQ(Clang.CudaPath, "/cuda");
  EXPECT_EQ(Clang.CudaVersion, "13.0");
  EXPECT_THAT(Warnings, IsEmpty());
  EXPECT_THAT(printClangCommand(Clang), StartsWith("cd /d && clang++ -x cuda"));
}

// Options that clang rejects, misreads or swallows, as public projects use
// them: none may reach it, and none may take a source file with it.
TEST_F(Translate, NothingOfNvccsReachesClang) {
  std::string Plain = line("nvcc -c a.cu");
  for (const char *Option :
       {"-lineinfo",
        "-use_fast_math",
        "-G -g",
        "-Xptxas -v",
        "-Xptxas=-O3",
        "-Xptxas -dlcm=ca",
        "-Xfatbin -compress-all",
        "-Xcudafe --diag_suppress=177",
        "-maxrregcount=64",
        "-maxrregcount 64",
        "--threads 4",
        "-t4",
        "-t=0",
        "--diag-suppress 177",
        "-diag-suppress 1",
        "--keep",
        "--keep-dir /tmp",
        "-Werror all-warnings",
        "-Werror=cross-execution-space-call",
        "-cubin",
        "-ptx",
        "-fatbin",
        "-forward-unknown-to-host-compiler",
        "--ptxas-options=-v",
        "--resource-usage",
        "-MD -MT x -MF y",
        "-odir z",
        "-w",
        "-cudart shared",
        "-Xlinker -rpath,/x",
        "-lcublas -L/x",
        "-Xcompiler -Wall,-Wextra",
        "-Xcompiler=-fvisibility=hidden",
        "-Xcompiler \"-Wall -Wno-x -g\"",
        "--compress-mode=size",
        "-split-compile=0",
        "-ftz=true -prec-div=false",
        "-Xnvlink -v",
        "-allow-unsupported-compiler",
        "-Wno-deprecated-gpu-targets",
        "--generate-dependencies-with-compile --dependency-output a.d"}) {
    std::string With = line(std::string("nvcc ") + Option + " -c a.cu");
    // -G says that it debugs; all else leaves no trace.
    size_t Debug = With.find(" -D__CUDACC_DEBUG__");
    if (Debug != std::string::npos)
      With.erase(Debug, sizeof(" -D__CUDACC_DEBUG__") - 1);
    EXPECT_EQ(With, Plain) << Option;
    EXPECT_THAT(Warnings, IsEmpty()) << Option;
  }
}

TEST_F(Translate, Macros) {
  EXPECT_THAT(arguments("nvcc -DFOO=1,BAR=2 -UBAZ -DQ='\"x\"' a.cu"),
              AllOf(Contains("-DFOO=1"), Contains("-DBAR=2"), Contains("-UBAZ"),
                    Contains("-DQ=\"x\"")));
  EXPECT_THAT(arguments("nvcc --extended-lambda a.cu"),
              Contains("-D__CUDACC_EXTENDED_LAMBDA__"));
  EXPECT_THAT(arguments("nvcc --expt-relaxed-constexpr a.cu"),
              Contains("-D__CUDACC_RELAXED_CONSTEXPR__"));
  EXPECT_THAT(arguments("nvcc --default-stream per-thread a.cu"),
              Contains("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"));
  EXPECT_THAT(arguments("nvcc -G a.cu"), Contains("-D__CUDACC_DEBUG__"));
  EXPECT_THAT(arguments("nvcc a.cu"),
              AllOf(Not(Contains("-D__CUDACC_EXTENDED_LAMBDA__")),
                    Not(Contains("-D__CUDACC_RDC__")),
                    Not(Contains("-D__NVCC__"))));
}

TEST_F(Translate, UndefinesComeAfterDefines) {
  EXPECT_THAT(line("nvcc -UA -DA a.cu"), HasSubstr("-DA -UA "));
}

TEST_F(Translate, FoldersStandInNvccsOrder) {
  EXPECT_THAT(line("nvcc -isystem=/s1,/s2 -I/a,/b -Xcompiler -I/x a.cu"),
              HasSubstr("-I/x -I/a -I/b -isystem /cuda/include -isystem /s1 "
                        "-isystem /s2 -isystem /cuda/include/cccl "));
}

TEST_F(Translate, RelocatableDeviceCode) {
  for (const char *Option : {"-rdc=true", "-dc", "--device-c",
                             "--relocatable-device-code true", "-dlto"}) {
    ClangCommand Clang = translate(std::string("nvcc ") + Option + " a.cu");
    EXPECT_TRUE(Clang.RelocatableDeviceCode) << Option;
    EXPECT_THAT(Clang.Arguments,
                AllOf(Contains("-fgpu-rdc"), Contains("-D__CUDACC_RDC__")));
  }
  EXPECT_FALSE(
      translate("nvcc -rdc=true -rdc=false a.cu").RelocatableDeviceCode);
}

struct ArchCase {
  const char *Options;
  const char *List;
  const char *Clang;
  const char *Names;
};

TEST_F(Translate, Architectures) {
  for (const ArchCase &Case : std::initializer_list<ArchCase>{
           {"", "750", "sm_75", "sm_75"},
           {"-arch=sm_90a", "900", "sm_90a", "sm_90a"},
           {"-arch sm_100f", "1000", "sm_100", "sm_100f"},
           {"-arch=compute_90", "900", "sm_90", "sm_90"},
           {"-arch=compute_80 -code=sm_86,sm_80", "800", "sm_80",
            "sm_80 sm_86"},
           {"-gencode arch=compute_90,code=sm_90 "
            "-gencode=arch=compute_80,code=sm_80",
            "800,900", "sm_90", "sm_80 sm_90"},
           {"--generate-code=arch=compute_90,code=[compute_90,sm_90]", "900",
            "sm_90", "sm_90"},
           {"-gencode 'arch=compute_90,code=\"sm_90,compute_90\"'", "900",
            "sm_90", "sm_90"},
           {"-gencode arch=compute_120f,code=sm_121", "1200", "sm_120",
            "sm_121"},
           {"-arch=sm_80 -gencode arch=compute_90,code=sm_90", "800,900",
            "sm_90", "sm_80 sm_90"},
           {"-arch=sm_90 -arch=sm_80", "800", "sm_80", "sm_80"},
           {"-arch=all-major", "750,800,900,1000,1100,1200", "sm_120",
            "sm_75 sm_80 sm_90 sm_100 sm_110 sm_120"},
       }) {
    ClangCommand Clang =
        translate(std::string("nvcc ") + Case.Options + " a.cu");
    EXPECT_THAT(
        Clang.Arguments,
        AllOf(Contains(std::string("-D__CUDA_ARCH_LIST__=") + Case.List),
              Contains(std::string("--cuda-gpu-arch=") + Case.Clang)))
        << Case.Options;
    EXPECT_EQ(joinForShell(Clang.Archs), Case.Names) << Case.Options;
    EXPECT_THAT(Warnings, IsEmpty()) << Case.Options;
  }
}

TEST_F(Translate, NativeIsTakenAsSm90AndSaid) {
  EXPECT_THAT(translate("nvcc -arch=native a.cu").Archs, ElementsAre("sm_90"));
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_THAT(Warnings[0].Hint, HasSubstr("--arch"));
}

TEST_F(Translate, TheArchOptionWins) {
  Options.Arch = "sm_80";
  ClangCommand Clang = translate("nvcc -arch=sm_90 a.cu");
  EXPECT_THAT(Clang.Archs, ElementsAre("sm_80"));
  EXPECT_THAT(Clang.Arguments, Contains("-D__CUDA_ARCH_LIST__=800"));
}

TEST_F(Translate, Standards) {
  EXPECT_THAT(line("nvcc a.cu"), HasSubstr(" -std=gnu++17 "));
  EXPECT_THAT(line("nvcc -std=c++17 -std c++20 a.cu"),
              AllOf(HasSubstr(" -std=c++20 "), Not(HasSubstr("c++17"))));
  EXPECT_THAT(line("nvcc -Xcompiler -std=gnu++20 a.cu"),
              HasSubstr(" -std=gnu++20 "));
}

TEST_F(Translate, HostCompilersHeaders) {
  System.addGcc("9");
  System.addGcc("12");
  EXPECT_THAT(arguments("nvcc -ccbin g++-9 a.cu"),
              Contains("--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/9"));
  EXPECT_THAT(arguments("nvcc -ccbin=/usr/bin a.cu"),
              Contains("--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/12"));
  EXPECT_THAT(line("nvcc -ccbin clang++-18 a.cu"),
              Not(HasSubstr("--gcc-install-dir")));
  System.Variables["NVCC_CCBIN"] = "g++-9";
  EXPECT_THAT(arguments("nvcc a.cu"),
              Contains("--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/9"));
}

TEST_F(Translate, HostOptionsInsideNvccs) {
  EXPECT_THAT(
      line("nvcc -Xcompiler -fopenmp,-DX=1 -Xcompiler=\"-mavx2 -fPIC\" a.cu"),
      HasSubstr("-fopenmp -DX=1 -mavx2 -fPIC "));
  EXPECT_THAT(line("nvcc -forward-unknown-to-host-compiler -fopenmp -g3 "
                   "-march=native a.cu"),
              HasSubstr("-fopenmp -march=native "));
  EXPECT_THAT(Warnings, IsEmpty());
}

TEST_F(Translate, UnknownOptionsAreNamedAndLeftOut) {
  EXPECT_THAT(line("nvcc -archsm_90 -DA -c a.cu"),
              AllOf(Not(HasSubstr("-archsm_90")), HasSubstr("-DA")));
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_EQ(Warnings[0].Level, Severity::Warning);
  EXPECT_EQ(Warnings[0].File, "a.cu");
  EXPECT_THAT(Warnings[0].Message, HasSubstr("'-archsm_90'"));
}

TEST_F(Translate, TheEnvironmentAddsFlags) {
  System.Variables["NVCC_PREPEND_FLAGS"] = "-DPRE -std=c++17";
  System.Variables["NVCC_APPEND_FLAGS"] = "-DPOST -std=c++20";
  EXPECT_THAT(line("nvcc -DMID a.cu"),
              AllOf(HasSubstr("-DPRE -DMID -DPOST"), HasSubstr("-std=c++20")));
  // For nvcc alone, and a launcher's variable stands above ours.
  EXPECT_THAT(line("g++ -DMID a.cc", "a.cc"), Not(HasSubstr("-DPRE")));
  EXPECT_THAT(line("env NVCC_APPEND_FLAGS=-DOTHER nvcc a.cu"),
              AllOf(HasSubstr("-DOTHER"), Not(HasSubstr("-DPOST"))));
}

TEST_F(Translate, OptionsFiles) {
  System.Files["/d/CMakeFiles/includes.rsp"] = "-isystem=/s -I\"/a b\"";
  EXPECT_THAT(arguments("nvcc --options-file CMakeFiles/includes.rsp -c a.cu"),
              AllOf(Contains("-I/a b"), Contains("/s")));
}

TEST_F(Translate, AMissingOptionsFileIsAnErrorAtTheFile) {
  CompileCommand Command;
  Command.Directory = "/d";
  Command.File = "a.cu";
  Command.Arguments = {"nvcc", "-optf", "none", "a.cu"};
  Result<ClangCommand> Clang =
      Translator(Options, System).translate(Command, Warnings);
  ASSERT_FALSE(Clang);
  EXPECT_EQ(Clang.errors().front().File, "a.cu");
}

TEST_F(Translate, TheToolkitIsThatOfTheCommandsNvcc) {
  System.addToolkit("/opt/cuda-12.4", 12, 4, 131);
  ClangCommand Clang = translate("/opt/cuda-12.4/bin/nvcc a.cu");
  EXPECT_EQ(Clang.CudaVersion, "12.4");
  EXPECT_THAT(Clang.Arguments,
              AllOf(Contains("--cuda-path=/opt/cuda-12.4"),
                    Contains("-D__CUDACC_VER_BUILD__=131"),
                    Contains("-D__CUDA_ARCH_LIST__=520"),
                    Not(Contains("/opt/cuda-12.4/include/cccl"))));
  Options.CudaPath = "/cuda";
  EXPECT_EQ(translate("/opt/cuda-12.4/bin/nvcc a.cu").CudaVersion, "13.0");
}

TEST_F(Translate, ALayoutThatClangDoesNotKnow) {
  System.Files["/conda/targets/x86_64-linux/include/cuda.h"] =
      "#define CUDA_VERSION 12060\n";
  System.Files["/conda/bin/nvcc"] = "";
  EXPECT_THAT(line("/conda/bin/nvcc a.cu"),
              AllOf(HasSubstr("-nogpuinc -include "
                              "__clang_cuda_runtime_wrapper.h "),
                    HasSubstr("-isystem /conda/targets/x86_64-linux/include "),
                    Not(HasSubstr("--cuda-path"))));
}

TEST_F(Translate, HeadersInUsrIncludeKeepTheirPlace) {
  FakeSystem Debian;
  Debian.addToolkit("/usr", 12, 0, 140);
  Debian.Variables["PATH"] = "/usr/bin";
  CompileCommand Command{"/d", "a.cu", "", {"nvcc", "a.cu"}, false, {}};
  Result<ClangCommand> Clang =
      Translator(Options, Debian).translate(Command, Warnings);
  ASSERT_TRUE(Clang);
  EXPECT_THAT(Clang->Arguments, AllOf(Contains("--cuda-path=/usr"),
                                      Not(Contains("/usr/include"))));
}

TEST_F(Translate, NoToolkit) {
  System.Files.clear();
  translate("nvcc a.cu");
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_THAT(Warnings[0].Hint, HasSubstr("--cuda-path"));
}

TEST_F(Translate, HostCodeThatNvccHandsOn) {
  ClangCommand Clang = translate("nvcc -DA -dc b.cpp", "b.cpp");
  EXPECT_FALSE(Clang.IsCuda);
  EXPECT_THAT(joinForShell(Clang.Arguments),
              AllOf(HasSubstr("-x c++"), HasSubstr("-isystem /cuda/include"),
                    HasSubstr("-D__NVCC__"), Not(HasSubstr("--cuda"))));
  EXPECT_TRUE(translate("nvcc -x cu b.cpp", "b.cpp").IsCuda);
  EXPECT_FALSE(translate("nvcc -x c++ a.cu").IsCuda);
}

TEST_F(Translate, NvccWrapper) {
  ClangCommand Clang =
      translate("/kokkos/bin/nvcc_wrapper -std=gnu++20 -Wall -fopenmp "
                "-isystem /s -arch=sm_80 -extended-lambda -c b.cpp -o b.o",
                "b.cpp");
  EXPECT_TRUE(Clang.IsCuda);
  EXPECT_THAT(joinForShell(Clang.Arguments),
              AllOf(HasSubstr("-std=gnu++20"), HasSubstr("-fopenmp"),
                    HasSubstr("__CUDACC_EXTENDED_LAMBDA__"),
                    HasSubstr("-D__CUDA_ARCH_LIST__=800")));
  EXPECT_THAT(Warnings, IsEmpty());
}

TEST_F(Translate, AHostCompiler) {
  EXPECT_EQ(line("ccache g++ -std=gnu++20 -Wall -Iinc -isystem /cuda/include "
                 "-fconcepts -O2 -MD -MF x.d -c b.cc -o b.o",
                 "b.cc"),
            "clang++ -x c++ -fsyntax-only -w -ferror-limit=0 -std=gnu++20 "
            "--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/12 -Iinc "
            "-isystem /cuda/include -O2 -- /d/b.cc ");
  ClangCommand Clang = translate("gcc -c b.c", "b.c");
  EXPECT_THAT(joinForShell(Clang.Arguments), StartsWith("clang -x c "));
  EXPECT_EQ(Clang.CudaPath, "/cuda"); // how the plan spells its headers
  // g++ compiles .c files as C++.
  EXPECT_THAT(line("g++ -c b.c", "b.c"), StartsWith("clang++ -x c++ "));
}

TEST_F(Translate, AHostCompilersOwnChoiceOfHeadersStands) {
  EXPECT_THAT(line("g++ --sysroot=/r -c b.cc", "b.cc"),
              Not(HasSubstr("--gcc-install-dir")));
  EXPECT_THAT(line("clang++ --gcc-toolchain=/t -c b.cc", "b.cc"),
              HasSubstr("--gcc-toolchain=/t"));
}

TEST_F(Translate, ClangAsCudaCompiler) {
  ClangCommand Clang = translate(
      "clang++ -x cuda --cuda-path=/cuda --offload-arch=sm_80 -fgpu-rdc "
      "-std=c++20 -c b.cc",
      "b.cc");
  EXPECT_TRUE(Clang.IsCuda);
  EXPECT_TRUE(Clang.BuiltByClang);
  EXPECT_TRUE(Clang.RelocatableDeviceCode);
  EXPECT_THAT(Clang.Archs, ElementsAre("sm_80"));
  EXPECT_THAT(Clang.Arguments, Not(Contains("-fclang-abi-compat=17")));
}

TEST_F(Translate, BazelsToolchainForCuda) {
  ClangCommand Clang =
      translate("external/local_cuda/crosstool_wrapper_driver_is_not_gcc "
                "-x cuda -nvcc_options=relaxed-constexpr "
                "--cuda-gpu-arch=sm_80 -iquote . -c a.cu.cc",
                "a.cu.cc");
  EXPECT_TRUE(Clang.IsCuda);
  EXPECT_THAT(joinForShell(Clang.Arguments), HasSubstr("-iquote ."));
}

TEST_F(Translate, ExtraArgumentsComeLast) {
  Options.ExtraArguments = {"-DEXTRA", "-std=c++20"};
  EXPECT_THAT(line("nvcc -DA a.cu"),
              HasSubstr("-DEXTRA -std=c++20 -- /d/a.cu"));
}

TEST_F(Translate, WithoutAFileNameTheCommandNamesIt) {
  EXPECT_EQ(translate("nvcc -o a.o -c src/a.cu", "").File, "/d/src/a.cu");
  CompileCommand Command{"/d", "", "", {"nvcc", "-dlink", "a.o"}, false, {}};
  EXPECT_FALSE(Translator(Options, System).translate(Command, Warnings));
}

TEST_F(Translate, ATrailingDashedFileNameIsNoOption) {
  EXPECT_EQ(translate("g++ -c -- -odd.cc", "-odd.cc").File, "/d/-odd.cc");
}

} // namespace
