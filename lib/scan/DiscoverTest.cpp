//===- DiscoverTest.cpp ---------------------------------------------------===//

#include "scan/Discover.h"

#include "scan/Paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace kplan;
using namespace kplan::scan;

namespace {

constexpr const char *Kernel = "__global__ void k() {}\n";
using Names = std::vector<std::string>;

class DiscoverTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "/kplan-discover-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = *realPath(Template);
    Options.Directory = Folder;
    Options.Paths = {"."};
    // Not this machine's toolkit, or the lack of one.
    write("cuda/include/cuda.h", "#define CUDA_VERSION 13000\n");
    Options.Translate.CudaPath = Folder + "/cuda";
  }
  void TearDown() override { fs::remove_all(Folder); }

  void write(const std::string &Name, const std::string &Text) {
    fs::create_directories(parentPath(Folder + "/" + Name));
    std::ofstream(Folder + "/" + Name) << Text;
  }

  /// A database in `Where` of nvcc commands for files, relative to the test's
  /// folder, each with an option of its own.
  void writeDatabase(
      const std::string &Where,
      const std::vector<std::pair<std::string, std::string>> &Commands) {
    std::string Text;
    for (const auto &[File, Option] : Commands)
      Text += (Text.empty() ? "[" : ",\n") + std::string("{\"directory\": \"") +
              Folder + "\", \"file\": \"" + File + "\", \"command\": \"nvcc " +
              Option + " -c " + File + "\"}";
    write(Where, Text.empty() ? "[]" : Text + "]");
  }

  Names discovered() {
    Result<Discovery> Result = discover(Options);
    if (!Result) {
      for (const Diagnostic &D : Result.errors())
        ADD_FAILURE() << format(D);
      return {};
    }
    Found = std::move(*Result);
    return names(Found.Units);
  }

  static Names names(const std::vector<Unit> &Units) {
    Names Out;
    for (const Unit &U : Units)
      Out.push_back(U.Name);
    return Out;
  }

  std::string error() {
    Result<Discovery> Result = discover(Options);
    return Result ? "no error" : Result.errors().front().Message;
  }

  static bool has(const Unit &U, const std::string &Argument) {
    const std::vector<std::string> &A = U.Command.Arguments;
    return std::find(A.begin(), A.end(), Argument) != A.end();
  }

  std::string Folder;
  DiscoverOptions Options;
  Discovery Found;
};

TEST_F(DiscoverTest, WithoutADatabaseTheTreeIsWalked) {
  write("b/z.cu", Kernel);
  write("b/api.cpp", "#include <cuda_runtime_api.h>\n");
  write("b/plain.cpp", "int a;\n");
  write("a.cu", Kernel);
  write(".hidden/x.cu", Kernel);
  write("out/CMakeCache.txt", "");
  write("out/CompilerId.cu", Kernel);
  EXPECT_EQ(discovered(), (Names{"a.cu", "b/api.cpp", "b/z.cu"}));
  EXPECT_EQ(Found.Root, Folder);
  EXPECT_EQ(Found.Database, "");
}

TEST_F(DiscoverTest, ABuildFolderThatIsGivenIsWalked) {
  write("out/CMakeCache.txt", "");
  write("out/gen.cu", Kernel);
  Options.Paths = {"out"};
  EXPECT_EQ(discovered(), Names{"gen.cu"});
}

TEST_F(DiscoverTest, TheOrderOfPathsDoesNotMatter) {
  write("a/x.cu", Kernel);
  write("b/y.cu", Kernel);
  Options.Paths = {"b", "a/x.cu", "a", "b/../a"};
  EXPECT_EQ(discovered(), (Names{"a/x.cu", "b/y.cu"}));
}

TEST_F(DiscoverTest, AGivenFileIsScannedWhateverItIs) {
  write("plain.cpp", "int a;\n");
  write("lone.h", "int b;\n");
  Options.Paths = {"plain.cpp", "lone.h"};
  EXPECT_EQ(discovered(), (Names{"lone.h", "plain.cpp"}));
  EXPECT_TRUE(Found.Units[0].LoneHeader);
  EXPECT_FALSE(Found.Units[1].LoneHeader);
}

TEST_F(DiscoverTest, ADatabaseDecidesWhatIsScanned) {
  write("src/a.cu", Kernel);
  write("src/other.cu", Kernel);
  write("lib/b.cu", Kernel);
  writeDatabase("build/compile_commands.json",
                {{"lib/b.cu", "-DB"}, {"src/a.cu", "-DA"}});
  EXPECT_EQ(discovered(), (Names{"lib/b.cu", "src/a.cu"}));
  EXPECT_TRUE(has(Found.Units[1], "-DA"));
  EXPECT_EQ(Found.BuildRoot, Folder + "/build");
  ASSERT_EQ(Found.Warnings.size(), 1u);
  EXPECT_EQ(Found.Warnings[0].File, Folder + "/src/other.cu");
  // The root is that of the whole database, whatever is scanned of it.
  Options.Paths = {"src"};
  EXPECT_EQ(discovered(), Names{"src/a.cu"});
  EXPECT_EQ(Found.Root, Folder);
}

TEST_F(DiscoverTest, ADatabaseAloneIsScannedWhole) {
  write("src/a.cu", Kernel);
  write("lib/b.cu", Kernel);
  writeDatabase("out/compile_commands.json",
                {{"src/a.cu", ""}, {"lib/b.cu", ""}});
  Options.Database = "out";
  Options.Paths = {};
  EXPECT_EQ(discovered(), (Names{"lib/b.cu", "src/a.cu"}));
  Options.Database = "";
  Options.Paths = {"out"};
  EXPECT_EQ(discovered(), (Names{"lib/b.cu", "src/a.cu"}));
}

TEST_F(DiscoverTest, ADatabaseOfAnotherProjectIsNotTaken) {
  write("source/a.cu", Kernel);
  write("build/other/b.cu", Kernel);
  write("build/unpacked/compiled/c.cu", Kernel);
  writeDatabase("build/compile_commands.json",
                {{"source/a.cu", ""}, {"build/unpacked/compiled/c.cu", ""}});
  write("build/CMakeCache.txt",
        "CMAKE_HOME_DIRECTORY:INTERNAL=" + Folder + "/source\n");
  Options.Paths = {"build/other/b.cu"};
  EXPECT_EQ(discovered(), Names{"b.cu"});
  EXPECT_EQ(Found.Database, "");
  Options.Paths = {"build/unpacked/compiled"};
  EXPECT_EQ(discovered(), Names{"<build>/unpacked/compiled/c.cu"});
  Options.Paths = {"source"};
  EXPECT_EQ(discovered(), Names{"a.cu"});
  EXPECT_NE(Found.Database, "");
}

TEST_F(DiscoverTest, OneFileWithSeveralCommands) {
  write("src/a.cu", Kernel);
  writeDatabase("compile_commands.json", {{"src/a.cu", "-DX=2"},
                                          {"src/a.cu", "-DX=1"},
                                          {"src/../src/a.cu", "-DX=2"}});
  ASSERT_EQ(discovered(), (Names{"a.cu", "a.cu"}));
  EXPECT_TRUE(has(Found.Units[0], "-DX=1"));
  EXPECT_TRUE(has(Found.Units[1], "-DX=2"));
}

TEST_F(DiscoverTest, AFileOutsideTheDatabaseTakesItsNeighboursFlags) {
  write("src/near/a.cu", Kernel);
  write("src/far.cu", Kernel);
  write("src/near/new.cu", Kernel);
  writeDatabase("build/compile_commands.json",
                {{"src/far.cu", "-DFAR"}, {"src/near/a.cu", "-DNEAR"}});
  Options.Paths = {"src/near/new.cu"};
  ASSERT_EQ(discovered(), Names{"near/new.cu"});
  EXPECT_TRUE(has(Found.Units[0], "-DNEAR"));
  EXPECT_EQ(Found.Units[0].Command.File, Folder + "/src/near/new.cu");
  EXPECT_EQ(Found.Units[0].Command.Guesses,
            Names{"flags of near/a.cu for near/new.cu"});
}

TEST_F(DiscoverTest, GlobsLookAtPathsBelowTheRoot) {
  write("src/a.cu", Kernel);
  write("src/b.cu", Kernel);
  write("test/a.cu", Kernel);
  Options.Include = {"src/**"};
  Options.Exclude = {"b.cu"};
  EXPECT_EQ(discovered(), Names{"src/a.cu"});
}

TEST_F(DiscoverTest, HeadersThatNobodyReadAreTakenOnce) {
  write("a.cu", Kernel);
  write("lone.cuh", "#include \"part.cuh\"\n" + std::string(Kernel));
  write("part.cuh", Kernel);
  write("read.cuh", Kernel);
  write("plain.h", "int a;\n");
  discovered();
  std::set<std::string> Read = {Folder + "/a.cu", Folder + "/read.cuh"};
  std::vector<Unit> Lone = takeLoneHeaders(Found, Read);
  ASSERT_EQ(names(Lone), Names{"lone.cuh"});
  EXPECT_TRUE(Lone[0].LoneHeader);
  EXPECT_TRUE(Lone[0].Command.IsCuda);
  Read.insert(Folder + "/lone.cuh");
  // What its parse did not reach after all comes next; then there is an end.
  EXPECT_EQ(names(takeLoneHeaders(Found, Read)), Names{"part.cuh"});
  EXPECT_EQ(names(takeLoneHeaders(Found, Read)), Names{});
}

TEST_F(DiscoverTest, OfHeadersInACircleOneIsTaken) {
  write("a.cu", Kernel);
  write("x.cuh", "#include \"y.cuh\"\n" + std::string(Kernel));
  write("y.cuh", "#include \"x.cuh\"\n" + std::string(Kernel));
  discovered();
  EXPECT_EQ(names(takeLoneHeaders(Found, {})), Names{"x.cuh"});
}

TEST_F(DiscoverTest, HeadersAloneAreSomethingToScan) {
  write("lone.cuh", Kernel);
  EXPECT_EQ(discovered(), Names{});
  EXPECT_EQ(names(takeLoneHeaders(Found, {})), Names{"lone.cuh"});
}

TEST_F(DiscoverTest, WhatIsNotThereIsAnError) {
  EXPECT_EQ(error(), "nothing to scan: no CUDA file here");
  write("plain.cpp", "int a;\n");
  write("plain.h", "int a;\n");
  EXPECT_EQ(error(), "nothing to scan: no CUDA file here");
  Options.Paths = {"none"};
  EXPECT_EQ(error(), "no such file or folder");
  Options.Paths = {};
  EXPECT_EQ(error(), "nothing to scan: no path is given");
  Options.Paths = {"."};
  Options.Root = "none";
  EXPECT_EQ(error(), "the folder given as --root is not there");
}

TEST_F(DiscoverTest, ACommandWithoutItsFileFailsAlone) {
  write("a.cu", Kernel);
  writeDatabase("compile_commands.json",
                {{"a.cu", ""}, {"gone.cu", ""}, {"gone.cpp", ""}});
  EXPECT_EQ(discovered(), Names{"a.cu"});
  ASSERT_EQ(Found.Failures.size(), 1u);
  EXPECT_EQ(Found.Failures[0].Name, "gone.cu");
}

} // namespace
