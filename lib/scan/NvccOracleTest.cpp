//===- NvccOracleTest.cpp - nvcc itself decides ---------------------------===//
//
// Compares the table and the translation with the nvcc that is installed: its
// --help, and what --dryrun says that it would run. Skipped without one.
//
//===----------------------------------------------------------------------===//

#include "scan/CommandLine.h"
#include "scan/NvccOptions.h"
#include "scan/Translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace kplan;
using namespace kplan::scan;

namespace {

class NvccOracle : public testing::Test {
protected:
  void SetUp() override {
    Nvcc = KPLAN_NVCC;
    if (Nvcc.empty() || !std::filesystem::exists(Nvcc))
      GTEST_SKIP() << "no nvcc";
    std::string Template = testing::TempDir() + "kplan-oracle-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = Template;
    std::ofstream(Folder + "/a.cu") << "int A;\n";
    std::ofstream(Folder + "/b.cpp") << "int B;\n";
    std::ofstream(Folder + "/o.rsp")
        << "-DR1=\"x y\" -DR2=\\\"q\\\" -I\"/r s\" -DR3=a\\ b -optf p.rsp";
    std::ofstream(Folder + "/p.rsp") << "-DP1 -std=c++17";
  }
  void TearDown() override {
    if (!Folder.empty())
      std::filesystem::remove_all(Folder);
  }

  /// What a command writes, both streams.
  std::string run(const std::string &Line) {
    std::string Text;
    std::FILE *Pipe = popen((Line + " 2>&1").c_str(), "r");
    if (!Pipe)
      return Text;
    char Buffer[4096];
    while (size_t Count = std::fread(Buffer, 1, sizeof(Buffer), Pipe))
      Text.append(Buffer, Count);
    pclose(Pipe);
    return Text;
  }
  std::string dryrun(const std::string &Arguments) {
    return run("cd " + quoteForShell(Folder) + " && " + quoteForShell(Nvcc) +
               " --dryrun " + Arguments);
  }

  std::string Nvcc;
  std::string Folder;
};

TEST_F(NvccOracle, EachOptionOfHelpIsInTheTable) {
  std::istringstream Help(run(quoteForShell(Nvcc) + " --help"));
  std::set<std::string> Missing;
  size_t Count = 0;
  for (std::string Line; std::getline(Help, Line);) {
    // --long-name <value>,...      (-short)
    if (!Line.starts_with("--"))
      continue;
    ++Count;
    size_t End = Line.find_first_of(" \t");
    std::string Long = Line.substr(2, End - 2);
    // One option has no short form: its long one stands there instead.
    size_t Open = Line.rfind("(-");
    std::string Short;
    if (Open != std::string::npos)
      Short = Line.substr(Open + 2, Line.find(')', Open) - Open - 2);
    std::string_view Hint = std::string_view(Line).substr(End);
    Hint = Hint.substr(0, std::min(Hint.find("(-"), Hint.find("--")));
    // Of two options the help does not say that they take a value.
    bool TakesValue = Hint.find_first_not_of(' ') != std::string_view::npos;
    bool IsList = Hint.find(",...") != std::string_view::npos;
    bool Found = false;
    for (const NvccOption &Option : nvccOptions())
      Found = Found || (Option.Long == Long && Option.Short == Short &&
                        (!TakesValue || Option.Arity != NvccArity::Flag) &&
                        (Option.Arity == NvccArity::List) == IsList);
    if (!Found)
      Missing.insert(Line);
  }
  EXPECT_GT(Count, 100u);
  EXPECT_THAT(Missing, testing::IsEmpty());
}

bool isFatal(const std::string &Dryrun) {
  return Dryrun.find("fatal") != std::string::npos;
}

TEST_F(NvccOracle, SpellingsAreAcceptedAlike) {
  for (const char *Spelling : {"-t4",
                               "-t 4",
                               "-t=4",
                               "--threads 4",
                               "--threads=4",
                               "--threads4",
                               "-D=FOO",
                               "-DFOO=1,BAR=2",
                               "-I=/x",
                               "-I/a,/b",
                               "-O=3",
                               "-O3",
                               "--include-path/x",
                               "-archsm_90",
                               "-arch=sm_90",
                               "--arch=sm_90",
                               "-xcu",
                               "-x cu",
                               "-lineinfo",
                               "-lineinfo=true",
                               "--lineinfo",
                               "-generate-line-info",
                               "-gencode=arch=compute_90,code=sm_90",
                               "--gencode=arch=compute_90,code=sm_90",
                               "-isystem/x",
                               "-isystem=/x",
                               "-ofoo.o",
                               "-o=foo.o",
                               "-Xcompiler-fPIC",
                               "-Xcompiler=-fPIC",
                               "-rdctrue",
                               "-rdc=true",
                               "-rdc=yes",
                               "-g2",
                               "-m64",
                               "-m32",
                               "-MTx",
                               "-Wall",
                               "-fPIC",
                               "-pthread",
                               "-use_fast_math",
                               "--use-fast-math",
                               "-Xcudafe --x",
                               "-Xfatbin -x",
                               "-Xcicc -x",
                               "--Xcudafe --x",
                               "-maxrregcount=32",
                               "-maxrregcount32",
                               "-lfoo",
                               "-efoo",
                               "-k"}) {
    std::vector<std::string> Words = splitShell(Spelling).front();
    Words.insert(Words.end(), {"-c", "a.cu"});
    bool Accepted = true;
    for (const NvccArgument &Argument : parseNvccArguments(Words))
      Accepted = Accepted && (Argument.K == NvccArgument::Input ||
                              Argument.K == NvccArgument::Option);
    EXPECT_EQ(Accepted, !isFatal(dryrun(std::string(Spelling) + " -c a.cu")))
        << Spelling;
  }
}

/// What the host side's source sees: macros in the end, folders in order.
struct View {
  std::set<std::string> Macros;
  std::vector<std::string> Folders;
  std::string Standard;
  bool operator==(const View &) const = default;
};

void PrintTo(const View &V, std::ostream *Out) {
  *Out << "\nmacros:";
  for (const std::string &Macro : V.Macros)
    *Out << " [" << Macro << "]";
  *Out << "\nfolders:";
  for (const std::string &Folder : V.Folders)
    *Out << " [" << Folder << "]";
  *Out << "\nstandard: " << V.Standard << "\n";
}

/// Macros in which the two differ on purpose: clang defines the first itself,
/// the others choose code that only nvcc, or only clang, can compile.
bool isOurs(const std::string &Macro) {
  for (const char *Name :
       {"__CUDACC__", "__NVCC__", "__NVCC_DIAG_PRAGMA_SUPPORT__=1",
        "__CUDACC_DEVICE_ATOMIC_BUILTINS__=1",
        "_CG_CLUSTER_INTRINSICS_AVAILABLE"})
    if (Macro == Name)
      return true;
  return false;
}

View viewOf(const std::vector<std::string> &Words) {
  View V;
  for (size_t At = 0; At < Words.size(); ++At) {
    auto Value = [&](std::string_view Option) {
      std::string Rest = Words[At].substr(Option.size());
      return Rest.empty() && At + 1 < Words.size() ? Words[++At] : Rest;
    };
    if (Words[At].starts_with("-D")) {
      std::string Macro = Value("-D");
      if (!isOurs(Macro))
        V.Macros.insert(Macro);
    } else if (Words[At].starts_with("-U")) {
      std::string Name = Value("-U");
      std::erase_if(V.Macros, [&](const std::string &Macro) {
        return Macro == Name || Macro.starts_with(Name + "=");
      });
    } else if (Words[At].starts_with("-I") ||
               Words[At].starts_with("-isystem")) {
      std::string Folder = Value(Words[At][1] == 'I' ? "-I" : "-isystem");
      V.Folders.push_back(std::filesystem::weakly_canonical(Folder).string());
    } else if (Words[At].starts_with("-std=")) {
      V.Standard = Words[At].substr(5);
    }
  }
  return V;
}

/// The command with which nvcc would preprocess or compile the host side.
std::vector<std::string> hostCommand(const std::string &Dryrun, bool Cuda) {
  std::istringstream Lines(Dryrun);
  for (std::string Line; std::getline(Lines, Line);) {
    bool Preprocesses = Line.find(" -E -x c++ ") != std::string::npos;
    bool Compiles = Line.find(" -c -x c++ ") != std::string::npos;
    bool IsDevice = Line.find("-D__CUDA_ARCH__=") != std::string::npos;
    if (!IsDevice && (Cuda ? Preprocesses : Compiles))
      return splitShell(Line.substr(3)).front();
  }
  return {};
}

TEST_F(NvccOracle, MacrosFoldersAndArchsAreThoseOfDryrun) {
  for (const char *Arguments :
       {"-c a.cu",
        "-std=c++17 -c a.cu",
        "-std=c++17 -std=c++20 -c a.cu",
        "-DFOO=1,BAR=2 -DQ='\\\"x\\\"' -D=E -UBAR -c a.cu",
        "-DFOO='\"1,2\"' -DG='1\\,2' -c a.cu",
        "-I/b,/a -isystem /s,/t -I=/c -c a.cu",
        "-isystem /s -I/a -Xcompiler -I/x,-DXX=2 -c a.cu",
        "--extended-lambda --expt-relaxed-constexpr -c a.cu",
        "-rdc=true -c a.cu",
        "-dc a.cu",
        "-dlto -c a.cu",
        "-G -c a.cu",
        "-ewp -c a.cu",
        "--default-stream per-thread -c a.cu",
        "--default-stream=legacy -c a.cu",
        "-arch=sm_90a -c a.cu",
        "-arch=all -c a.cu",
        "-arch=all-major -c a.cu",
        "-arch=compute_80 -code=sm_86,sm_80 -c a.cu",
        "-gencode arch=compute_90,code=sm_90 -gencode "
        "arch=compute_80,code=[sm_80,compute_80] -c a.cu",
        "-gencode=arch=compute_120f,code=sm_121 -arch=sm_80 -c a.cu",
        "--options-file o.rsp -DAFTER -c a.cu",
        "-noprof -c a.cu",
        "-x cu -c b.cpp",
        "-DA -arch=sm_90 -c b.cpp",
        "-Xcompiler \"-fPIC -DY=1 -Wall\" -O3 -lineinfo -t4 -c a.cu",
        "-forward-unknown-to-host-compiler -DF -march=native -c a.cu"}) {
    std::string Dryrun = dryrun(Arguments);
    ASSERT_FALSE(isFatal(Dryrun)) << Arguments << "\n" << Dryrun;

    CompileCommand Command;
    Command.Directory = Folder;
    Command.Arguments = splitShell(quoteForShell(Nvcc) + " " + Arguments)[0];
    std::vector<Diagnostic> Warnings;
    Result<ClangCommand> Clang = translateCommand(Command, {}, Warnings);
    ASSERT_TRUE(Clang) << Arguments;
    EXPECT_THAT(Warnings, testing::IsEmpty()) << Arguments;

    View Theirs = viewOf(hostCommand(Dryrun, Clang->IsCuda));
    View Ours = viewOf(Clang->Arguments);
    // GCC's own default; ours is written down.
    if (Theirs.Standard.empty())
      Theirs.Standard = "gnu++17";
    // GCC's omp.h is searched behind all else: not a folder of the command.
    EXPECT_FALSE(Theirs.Macros.empty()) << Dryrun;
    EXPECT_EQ(Ours, Theirs) << Arguments;
  }
}

TEST_F(NvccOracle, FlagsOfTheEnvironment) {
  for (auto [Prepend, Append] : {std::pair("-DPRE", "-DPOST -std=c++20"),
                                 std::pair("-DA=\"q r\"", "-I/e,/f")}) {
    setenv("NVCC_PREPEND_FLAGS", Prepend, 1);
    setenv("NVCC_APPEND_FLAGS", Append, 1);
    std::string Dryrun = dryrun("-DMID -std=c++17 -c a.cu");
    CompileCommand Command{Folder, "a.cu", "", {}, false, {}};
    Command.Arguments = {Nvcc, "-DMID", "-std=c++17", "-c", "a.cu"};
    std::vector<Diagnostic> Warnings;
    Result<ClangCommand> Clang = translateCommand(Command, {}, Warnings);
    unsetenv("NVCC_PREPEND_FLAGS");
    unsetenv("NVCC_APPEND_FLAGS");
    ASSERT_TRUE(Clang);
    EXPECT_EQ(viewOf(Clang->Arguments), viewOf(hostCommand(Dryrun, true)));
  }
}

} // namespace
