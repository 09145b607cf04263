//===- GuessTest.cpp ------------------------------------------------------===//

#include "scan/Guess.h"

#include "scan/CommandLine.h"
#include "scan/FakeSystem.h"
#include "scan/Translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

class Guess : public testing::Test {
protected:
  Guess() { System.addToolkit("/usr/local/cuda", 13, 0, 88); }

  CompileCommand guess(const std::string &File) {
    std::vector<std::string> Files;
    for (const auto &[Path, Text] : System.Files)
      if (Path.starts_with("/p/"))
        Files.push_back(Path);
    return Guesser("/p", Files, Given, System).guess(File);
  }
  /// What clang would be told in the end.
  std::string clang(const std::string &File) {
    std::vector<kplan::Diagnostic> Warnings;
    auto Clang = Translator(Given, System).translate(guess(File), Warnings);
    return Clang ? joinForShell(Clang->Arguments) : "error";
  }

  FakeSystem System;
  TranslateOptions Given;
};

TEST_F(Guess, SaysWhatItGuessed) {
  System.Files["/p/src/a.cu"] = "";
  System.Files["/p/include/x.h"] = "";
  CompileCommand Command = guess("/p/src/a.cu");
  EXPECT_TRUE(Command.Guessed);
  EXPECT_THAT(Command.Guesses, ElementsAre("sm_90", "C++17", "-Iinclude",
                                           "CUDA in /usr/local/cuda"));
  Given.Arch = "sm_80";
  Given.CudaPath = "/usr/local/cuda";
  EXPECT_THAT(guess("/p/src/a.cu").Guesses, ElementsAre("C++17", "-Iinclude"));
}

TEST_F(Guess, IncludeFoldersOnTheWayUp) {
  System.Files["/p/lib/src/a.cu"] = "";
  System.Files["/p/lib/include/x.h"] = "";
  System.Files["/p/include/y.h"] = "";
  System.Files["/include/z.h"] = "";
  EXPECT_THAT(clang("/p/lib/src/a.cu"),
              AllOf(HasSubstr("-I/p/lib/include -I/p/include "),
                    Not(HasSubstr("-I/include"))));
}

TEST_F(Guess, WhereAnIncludeResolves) {
  System.Files["/p/src/a.cu"] = "#include \"util/x.h\"\n#include <deep/y.h>\n";
  System.Files["/p/third/util/x.h"] = "";
  System.Files["/p/third/z/deep/y.h"] = "";
  EXPECT_THAT(clang("/p/src/a.cu"), HasSubstr("-idirafter /p/third -idirafter "
                                              "/p/third/z "));
}

TEST_F(Guess, IncludesOfIncludes) {
  System.Files["/p/a.cu"] = "#include \"b.h\"\n";
  System.Files["/p/b.h"] = "#include \"far/c.h\"\n";
  System.Files["/p/x/far/c.h"] = "#include \"b.h\"\n#include <d.h>\n";
  System.Files["/p/y/d.h"] = "";
  EXPECT_THAT(clang("/p/a.cu"), HasSubstr("-idirafter /p/x -idirafter /p/y "));
}

TEST_F(Guess, TheNearestOfSeveral) {
  System.Files["/p/one/src/a.cu"] = "#include \"c/c.h\"\n";
  System.Files["/p/one/lib/c/c.h"] = "";
  System.Files["/p/another/c/c.h"] = "";
  EXPECT_THAT(
      clang("/p/one/src/a.cu"),
      AllOf(HasSubstr("-idirafter /p/one/lib "), Not(HasSubstr("/p/another"))));
}

TEST_F(Guess, AHeaderOfTheTreeDoesNotStandInForTheToolkits) {
  System.Files["/p/a.cu"] = "#include \"vendors/cuda.h\"\n";
  System.Files["/p/vendors/cuda.h"] = "#include <cuda.h>\n#include <v.h>\n";
  System.Files["/p/vendors/v.h"] = "";
  EXPECT_THAT(clang("/p/a.cu"), AllOf(HasSubstr("-idirafter /p/vendors "),
                                      Not(HasSubstr("-I/p/vendors"))));
}

TEST_F(Guess, AFileIsNotItsOwnInclude) {
  System.Files["/p/a.cu"] = "#include \"vendors/musa.h\"\n";
  System.Files["/p/vendors/musa.h"] = "#include <musa.h>\n";
  EXPECT_THAT(clang("/p/a.cu"), Not(HasSubstr("-idirafter")));
}

TEST_F(Guess, HostFilesSeeTheToolkit) {
  System.Files["/p/a.cc"] = "";
  System.Files["/p/a.c"] = "";
  EXPECT_THAT(guess("/p/a.cc").Arguments,
              AllOf(Contains("g++"), Contains("-std=c++17"),
                    Contains("/usr/local/cuda/include")));
  EXPECT_THAT(guess("/p/a.c").Arguments,
              AllOf(Contains("gcc"), Not(Contains("-std=c++17"))));
}

TEST_F(Guess, AHeaderAloneIsCuda) {
  System.Files["/p/a.cuh"] = "";
  EXPECT_THAT(clang("/p/a.cuh"), HasSubstr("-x cuda"));
}

TEST(ProjectFolder, IsTheRepositoryElseWhatIsBuilt) {
  FakeSystem System;
  System.Files["/home/me/p/src/a.cu"] = "";
  auto Folder = [&] { return projectFolder("/home/me/p/src", System); };
  EXPECT_EQ(Folder(), "/home/me/p/src");
  System.Files["/home/me/p/CMakeLists.txt"] = "";
  EXPECT_EQ(Folder(), "/home/me/p");
  System.Files["/home/me/.git/HEAD"] = "";
  EXPECT_EQ(Folder(), "/home/me");
  System.Variables["HOME"] = "/home/me";
  EXPECT_EQ(Folder(), "/home/me/p");
  System.Files["/home/me/p/src/.git"] = "gitdir: elsewhere";
  EXPECT_EQ(Folder(), "/home/me/p/src");
}

TEST_F(Guess, OddFolderNamesArriveUnchanged) {
  std::string Folder = "/p/it's, a \"b\\c\" $d";
  System.Files["/p/src/a.cu"] = "#include \"odd.h\"\n";
  System.Files[Folder + "/odd.h"] = "";
  EXPECT_THAT(clang("/p/src/a.cu"),
              HasSubstr("-idirafter " + quoteForShell(Folder)));
}

} // namespace
