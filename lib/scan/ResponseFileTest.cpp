//===- ResponseFileTest.cpp -----------------------------------------------===//

#include "scan/ResponseFile.h"

#include "scan/FakeSystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class ResponseFile : public testing::Test {
protected:
  std::vector<std::string> expand(const std::vector<std::string> &Arguments,
                                  ResponseSyntax Syntax) {
    auto Expanded = expandResponseFiles(Arguments, "/d", Syntax, System);
    if (Expanded)
      return *Expanded;
    return {"error: " + Expanded.errors().front().Message};
  }
  FakeSystem System;
};

TEST_F(ResponseFile, OptionsFilesStandInPlace) {
  System.Files["/d/o.rsp"] = "-DN1 -optf sub/p.rsp -DN2";
  System.Files["/d/sub/p.rsp"] = "-I\"a b\"";
  for (std::vector<std::string> Spelling :
       {std::vector<std::string>{"--options-file=o.rsp"},
        std::vector<std::string>{"--options-file", "o.rsp"},
        std::vector<std::string>{"-optf", "o.rsp"}}) {
    Spelling.insert(Spelling.begin(), "-DX");
    Spelling.push_back("-DY");
    EXPECT_THAT(expand(Spelling, ResponseSyntax::Nvcc),
                ElementsAre("-DX", "-DN1", "-Ia b", "-DN2", "-DY"));
  }
}

TEST_F(ResponseFile, SeveralOptionsFilesInOneList) {
  System.Files["/d/a"] = "-DA";
  System.Files["/d/b"] = "-DB";
  EXPECT_THAT(expand({"-optf", "a,b"}, ResponseSyntax::Nvcc),
              ElementsAre("-DA", "-DB"));
}

TEST_F(ResponseFile, AValueIsNoOptionsFile) {
  System.Files["/d/f"] = "-DF";
  EXPECT_THAT(expand({"-Xptxas", "-optf", "-D", "@f"}, ResponseSyntax::Nvcc),
              ElementsAre("-Xptxas", "-optf", "-D", "@f"));
}

TEST_F(ResponseFile, GnuFilesNest) {
  System.Files["/d/a.rsp"] = "-DA @/e/b.rsp";
  System.Files["/e/b.rsp"] = "'-DB=x y'";
  EXPECT_THAT(expand({"@a.rsp", "-c"}, ResponseSyntax::Gnu),
              ElementsAre("-DA", "-DB=x y", "-c"));
}

TEST_F(ResponseFile, AnAtSignWithoutAFileStays) {
  EXPECT_THAT(expand({"@nothing", "@"}, ResponseSyntax::Gnu),
              ElementsAre("@nothing", "@"));
}

TEST_F(ResponseFile, CyclesAreRefused) {
  System.Files["/d/a"] = "@b";
  System.Files["/d/b"] = "@a";
  EXPECT_THAT(expand({"@a"}, ResponseSyntax::Gnu),
              ElementsAre(HasSubstr("includes itself")));
  System.Files["/d/o"] = "-optf o";
  EXPECT_THAT(expand({"-optf", "o"}, ResponseSyntax::Nvcc),
              ElementsAre(HasSubstr("'/d/o' includes itself")));
}

TEST_F(ResponseFile, TheSameFileTwiceIsNoCycle) {
  System.Files["/d/a"] = "-DA";
  EXPECT_THAT(expand({"@a", "@a"}, ResponseSyntax::Gnu),
              ElementsAre("-DA", "-DA"));
}

TEST_F(ResponseFile, FilesThatFanOutAreRefused) {
  System.Files["/d/f0"] = "x x x x x x x x x x";
  for (int I = 1; I < 8; ++I) {
    std::string Inner = "@f" + std::to_string(I - 1) + " ";
    for (int J = 0; J < 10; ++J)
      System.Files["/d/f" + std::to_string(I)] += Inner;
  }
  EXPECT_THAT(expand({"@f7"}, ResponseSyntax::Gnu),
              ElementsAre(HasSubstr("too many arguments")));
}

TEST_F(ResponseFile, AMissingOptionsFileIsAnError) {
  EXPECT_THAT(expand({"-optf", "none"}, ResponseSyntax::Nvcc),
              ElementsAre(HasSubstr("cannot read options file '/d/none'")));
}

} // namespace
