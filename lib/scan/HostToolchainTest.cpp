//===- HostToolchainTest.cpp ----------------------------------------------===//

#include "scan/HostToolchain.h"

#include "scan/FakeSystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan::scan;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class HostToolchain : public testing::Test {
protected:
  HostToolchain() {
    System.Variables["PATH"] = "/usr/local/bin:/usr/bin";
    System.addGcc("12");
  }
  std::vector<std::string> options(const std::string &Compiler) {
    return toolchainOptions(Compiler, "/d", System);
  }
  FakeSystem System;
};

constexpr const char *Gcc12 =
    "--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/12";

TEST_F(HostToolchain, TheLinkSaysWhichVersion) {
  System.addGcc("9");
  System.addGcc("12"); // the links lead here again
  for (const char *Compiler : {"g++", "gcc", "g++-12", "/usr/bin/g++"})
    EXPECT_THAT(options(Compiler), ElementsAre(Gcc12)) << Compiler;
  EXPECT_THAT(options("g++-9"),
              ElementsAre("--gcc-install-dir=/usr/lib/gcc/x86_64-linux-gnu/9"));
}

TEST_F(HostToolchain, AFolderOfCcbin) {
  EXPECT_THAT(options("/usr/bin"), ElementsAre(Gcc12));
}

TEST_F(HostToolchain, ClangChoosesForItself) {
  System.Files["/usr/bin/clang++-18"] = "";
  EXPECT_THAT(options("clang++-18"), IsEmpty());
}

TEST_F(HostToolchain, AFolderWithoutGccsObjectsIsNone) {
  System.Files["/usr/lib/gcc/x86_64-linux-gnu/14/include/omp.h"] = "";
  EXPECT_THAT(options("g++"), ElementsAre(Gcc12));
}

TEST_F(HostToolchain, GccsOmpHeaderIsSearchedLast) {
  System.Files["/usr/lib/gcc/x86_64-linux-gnu/12/include/omp.h"] = "";
  EXPECT_THAT(options("g++"),
              ElementsAre(Gcc12, "-idirafter",
                          "/usr/lib/gcc/x86_64-linux-gnu/12/include"));
}

TEST_F(HostToolchain, AFullVersionAndAPrefix) {
  std::string Base = "/opt/gcc/lib/gcc/x86_64-pc-linux-gnu/";
  System.Files[Base + "11.4.0/crtbegin.o"] = "";
  System.Files[Base + "13.2.0/crtbegin.o"] = "";
  System.Files["/opt/gcc/bin/g++"] = "";
  System.Files["/opt/gcc/bin/g++-11"] = "";
  EXPECT_THAT(options("/opt/gcc/bin/g++"),
              ElementsAre("--gcc-install-dir=" + Base + "13.2.0"));
  EXPECT_THAT(options("/opt/gcc/bin/g++-11"),
              ElementsAre("--gcc-install-dir=" + Base + "11.4.0"));
}

TEST_F(HostToolchain, CondasSysroot) {
  std::string Target = "x86_64-conda-linux-gnu";
  std::string Folder = "/conda/lib/gcc/" + Target + "/12.3.0";
  System.Files[Folder + "/crtbegin.o"] = "";
  System.Files["/conda/" + Target + "/sysroot/usr/include/stdio.h"] = "";
  System.Files["/conda/bin/" + Target + "-c++"] = "";
  EXPECT_THAT(options("/conda/bin/" + Target + "-c++"),
              ElementsAre("--gcc-install-dir=" + Folder,
                          "--sysroot=/conda/" + Target + "/sysroot"));
}

TEST_F(HostToolchain, NothingIsInvented) {
  EXPECT_THAT(options("/nowhere/g++"), IsEmpty());
  EXPECT_THAT(options("my-wrapper"), IsEmpty());
}

} // namespace
