//===- CompileDatabaseTest.cpp --------------------------------------------===//

#include "scan/CompileDatabase.h"

#include "scan/FakeSystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::scan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::vector<CompileCommand> parse(std::string_view Text) {
  auto Commands = parseCompileDatabase(Text, "/b/compile_commands.json");
  if (!Commands) {
    ADD_FAILURE() << format(Commands.errors().front());
    return {};
  }
  return *Commands;
}

Diagnostic parseError(std::string_view Text) {
  auto Commands = parseCompileDatabase(Text, "/b/compile_commands.json");
  if (!Commands)
    return Commands.errors().front();
  ADD_FAILURE() << "accepted: " << Text;
  return {};
}

TEST(CompileDatabase, CMakesNinja) {
  auto Commands = parse(R"([
{
  "directory": "/b",
  "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DA=\\\"x\\\" \"--generate-code=arch=compute_90,code=[compute_90,sm_90]\" -x cu -c /s/a.cu -o CMakeFiles/a.cu.o",
  "file": "/s/a.cu",
  "output": "CMakeFiles/a.cu.o"
}])");
  ASSERT_EQ(Commands.size(), 1u);
  EXPECT_EQ(Commands[0].Directory, "/b");
  EXPECT_EQ(Commands[0].File, "/s/a.cu");
  EXPECT_EQ(Commands[0].Output, "CMakeFiles/a.cu.o");
  EXPECT_THAT(Commands[0].Arguments,
              ElementsAre("/usr/local/cuda/bin/nvcc",
                          "-forward-unknown-to-host-compiler", "-DA=\"x\"",
                          "--generate-code=arch=compute_90,code=[compute_90,"
                          "sm_90]",
                          "-x", "cu", "-c", "/s/a.cu", "-o",
                          "CMakeFiles/a.cu.o"));
}

TEST(CompileDatabase, CMakesMakefiles) {
  auto Commands = parse(R"([{"directory": "/b/sub",
    "command": "cd /b/sub && /usr/bin/ccache /usr/bin/c++ -I/s/inc -o x.o -c /s/a.cc",
    "file": "/s/a.cc"}])");
  ASSERT_EQ(Commands.size(), 1u);
  EXPECT_EQ(Commands[0].Arguments.front(), "/usr/bin/ccache");
}

TEST(CompileDatabase, Bear) {
  auto Commands = parse(R"([{
    "arguments": ["/usr/bin/g++", "-c", "-DS=\"a b\"", "-o", "a.o", "a.cpp"],
    "directory": "/s", "file": "/s/a.cpp", "output": "/s/a.o"}])");
  ASSERT_EQ(Commands.size(), 1u);
  EXPECT_THAT(
      Commands[0].Arguments,
      ElementsAre("/usr/bin/g++", "-c", "-DS=\"a b\"", "-o", "a.o", "a.cpp"));
}

TEST(CompileDatabase, Bazel) {
  auto Commands = parse(R"([{"file": "src/a.cu.cc", "directory": ".",
    "arguments": ["external/cc/crosstool_wrapper_driver_is_not_gcc", "-x",
                  "cuda", "-iquote", ".", "-c", "src/a.cu.cc"]}])");
  ASSERT_EQ(Commands.size(), 1u);
  EXPECT_EQ(Commands[0].Directory, "/b");
  EXPECT_EQ(Commands[0].File, "src/a.cu.cc");
}

// `ninja -t compdb` of a torch extension: every rule's command, links too.
TEST(CompileDatabase, NinjasListOfAllCommands) {
  auto Commands = parse(R"([
    {"directory": "/b", "output": "a.cuda.o", "file": "/s/a.cu",
     "command": "/cuda/bin/nvcc --generate-dependencies-with-compile --dependency-output a.cuda.o.d -DTORCH -I/t/include --compiler-options '-fPIC' -c /s/a.cu -o a.cuda.o"},
    {"directory": "/b", "output": "m.o", "file": "/s/m.cpp",
     "command": "c++ -MMD -MF m.o.d -fPIC -c /s/m.cpp -o m.o"},
    {"directory": "/b", "output": "m.so", "file": "m.o",
     "command": "c++ m.o a.cuda.o -shared -o m.so"},
    {"directory": "/b", "output": "gen.h", "file": "/s/gen.cu",
     "command": "python3 gen.py /s/gen.cu"},
    {"directory": "/b", "output": "all", "file": "m.so", "command": ""}])");
  ASSERT_EQ(Commands.size(), 2u);
  EXPECT_EQ(Commands[0].File, "/s/a.cu");
  EXPECT_EQ(Commands[1].File, "/s/m.cpp");
}

TEST(CompileDatabase, AnyFileIsCudaByDecree) {
  EXPECT_EQ(parse(R"([{"directory": "/b", "file": "k.inc",
    "arguments": ["nvcc", "-x", "cu", "-c", "k.inc"]}])")
                .size(),
            1u);
}

TEST(CompileDatabase, SeveralCommandsForAFileAreKeptDuplicatesAreNot) {
  auto Commands = parse(R"([
    {"directory": "/b", "file": "a.cu", "arguments": ["nvcc", "-DA", "a.cu"]},
    {"directory": "/b", "file": "a.cu", "arguments": ["nvcc", "-DB", "a.cu"]},
    {"directory": "/b", "file": "a.cu", "arguments": ["nvcc", "-DA", "a.cu"]}])");
  ASSERT_EQ(Commands.size(), 2u);
  EXPECT_EQ(Commands[1].Arguments[1], "-DB");
}

TEST(CompileDatabase, AnEmptyOneIsNoError) {
  EXPECT_THAT(parse("[]"), IsEmpty());
}

TEST(CompileDatabase, SyntaxErrorsHaveAPlace) {
  Diagnostic D = parseError("[\n  {\"file\": \"a.cu\"\n   \"directory\": 1}]");
  EXPECT_EQ(D.File, "/b/compile_commands.json");
  EXPECT_EQ(D.Line, 3u);
  EXPECT_EQ(D.Column, 4u);
  EXPECT_THAT(D.Message, HasSubstr("not valid JSON: "));
}

TEST(CompileDatabase, WhatIsNoDatabase) {
  EXPECT_THAT(parseError("").Message, HasSubstr("not valid JSON"));
  EXPECT_THAT(parseError("{}").Message, HasSubstr("JSON array"));
  EXPECT_THAT(parseError("[1]").Message, HasSubstr("entry 1: expected"));
  EXPECT_THAT(parseError(R"([{"directory": "/b"}])").Message,
              HasSubstr("no \"file\""));
  EXPECT_THAT(parseError(R"([{"file": "a.cu"}])").Message,
              HasSubstr("neither"));
  EXPECT_THAT(parseError(R"([{"file": "a.cu", "arguments": [1]}])").Message,
              HasSubstr("more than strings"));
  EXPECT_THAT(parseError(std::string(1000000, '[')).Message,
              HasSubstr("too deeply"));
}

TEST(CompileDatabase, BracketsInStringsAreNotDepth) {
  std::string Text = R"([{"directory": "/b", "file": "a.cu",
    "arguments": ["nvcc", "a.cu", "-DX=)" +
                     std::string(1000, '[') + "\"]}]";
  EXPECT_EQ(parse(Text).size(), 1u);
}

TEST(CompileDatabase, ABrokenEncodingCostsNoOtherEntry) {
  EXPECT_EQ(parse("[{\"directory\": \"/b\", \"file\": \"\xe4.cu\", "
                  "\"arguments\": [\"nvcc\", \"\xe4.cu\"]}]")
                .size(),
            1u);
}

class FindDatabase : public testing::Test {
protected:
  void add(const std::string &Folder, const std::string &File = "/x/a.cu") {
    System.Files[Folder + "/compile_commands.json"] =
        "[{\"directory\": \"/b\", \"file\": \"" + File +
        "\", \"arguments\": [\"nvcc\", \"-c\", \"" + File + "\"]}]";
  }
  std::string find(const std::string &Start) {
    return findCompileDatabase(Start, System).value_or("none");
  }
  FakeSystem System;
};

TEST_F(FindDatabase, InTheFolderItself) {
  add("/p");
  add("/p/build");
  EXPECT_EQ(find("/p"), "/p/compile_commands.json");
  EXPECT_EQ(find("/p/compile_commands.json"), "/p/compile_commands.json");
}

TEST_F(FindDatabase, InABuildFolder) {
  add("/p/build-x");
  EXPECT_EQ(find("/p"), "/p/build-x/compile_commands.json");
  add("/p/build");
  EXPECT_EQ(find("/p"), "/p/build/compile_commands.json");
}

TEST_F(FindDatabase, InTheParents) {
  System.Files["/p/src/deep/a.cu"] = "";
  System.Files["/p/CMakeLists.txt"] = "";
  add("/p/build");
  EXPECT_EQ(find("/p/src/deep/a.cu"), "/p/build/compile_commands.json");
  add(""); // the root folder's
  EXPECT_EQ(find("/p/src"), "/p/build/compile_commands.json");
  System.Files["/q/a.cu"] = "";
  EXPECT_EQ(find("/q"), "/compile_commands.json");
}

TEST_F(FindDatabase, NotInTheBuildFolderOfANeighbour) {
  System.Files["/t/mine/a.cu"] = "";
  add("/t/build-other", "/t/other/a.cu");
  EXPECT_EQ(find("/t/mine"), "none");
  add("/t/build-mine", "/t/mine/a.cu");
  EXPECT_EQ(find("/t/mine"), "/t/build-mine/compile_commands.json");
}

TEST_F(FindDatabase, ReadsAFolderAsItsDatabase) {
  add("/p");
  EXPECT_EQ(readCompileDatabase("/p", System)->size(), 1u);
  auto None = readCompileDatabase("/nowhere", System);
  ASSERT_FALSE(None);
  EXPECT_THAT(None.errors().front().Hint,
              HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

} // namespace
