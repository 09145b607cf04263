//===- CudaTextTest.cpp ---------------------------------------------------===//

#include "scan/CudaText.h"

#include "scan/Paths.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace kplan::scan;

namespace {

std::vector<std::string> includes(std::string_view Text) {
  std::vector<std::string> Names;
  for (const IncludeText &I : lookAtSource(Text).Includes)
    Names.push_back(I.Quoted ? '"' + I.Name + '"' : '<' + I.Name + '>');
  return Names;
}

bool hasCudaCode(std::string_view Text) {
  return lookAtSource(Text).HasCudaCode;
}

using Names = std::vector<std::string>;

TEST(LookAtSource, FindsIncludes) {
  EXPECT_EQ(includes("#include <a/b.h>\n  #  include \"c.h\" // d\n"),
            (Names{"<a/b.h>", "\"c.h\""}));
  EXPECT_EQ(includes("#if X\n#include_next <a.h>\n#endif"), Names{"<a.h>"});
  EXPECT_EQ(includes("#include /* x */ <a.h>\r\n"), Names{"<a.h>"});
  EXPECT_EQ(includes("#include \\\n<a.h>\n"), Names{"<a.h>"});
  EXPECT_EQ(includes("/* x */ #include <a.h>"), Names{"<a.h>"});
}

TEST(LookAtSource, TakesNothingElseForAnInclude) {
  EXPECT_EQ(includes("// #include <a.h>\n/*\n#include <b.h>\n*/"), Names{});
  EXPECT_EQ(includes("const char *s = R\"x(\n#include <a.h>\n)x\";"), Names{});
  EXPECT_EQ(includes("#include MACRO\n#define X #include <a.h>\nint a;"),
            Names{});
  EXPECT_EQ(includes("#include <a.h\nint b;"), Names{});
  EXPECT_EQ(includes("// one \\\n#include <a.h>\n"), Names{});
  EXPECT_EQ(includes("#define A \\\n#include <a.h>\n"), Names{});
  EXPECT_EQ(includes("#define A /*\n#include <a.h>\n*/"), Names{});
}

TEST(LookAtSource, FindsCudaCode) {
  EXPECT_TRUE(hasCudaCode("__global__ void k();"));
  EXPECT_TRUE(hasCudaCode("void f() { k<<<1, 2>>>(); }"));
  EXPECT_TRUE(hasCudaCode("x = cudaFuncSetAttribute(k, a, 1);"));
  EXPECT_TRUE(hasCudaCode("cuLaunchKernelEx(&c, f, p, nullptr);"));
  EXPECT_TRUE(hasCudaCode("int n = 1'000'000; __global__ void k();"));
  EXPECT_TRUE(hasCudaCode("char q = '\"'; k<<<1, 2>>>();"));
  EXPECT_TRUE(hasCudaCode("auto s = R\"(\" )\"; k<<<1, 2>>>();"));
}

TEST(LookAtSource, TakesNothingElseForCudaCode) {
  EXPECT_FALSE(hasCudaCode("// __global__\n/* k<<<1, 2>>>() */ int a;"));
  EXPECT_FALSE(hasCudaCode("const char *s = \"k<<<1, 2>>>()\";"));
  EXPECT_FALSE(hasCudaCode("auto s = R\"(__global__ void k();)\";"));
  EXPECT_FALSE(hasCudaCode("#define cudaFuncSetAttribute hipFuncSetAttribute"));
  EXPECT_FALSE(hasCudaCode("#define L(k) \\\n  k<<<1, 2>>>()\nint a;"));
  EXPECT_FALSE(hasCudaCode("int my__global__ = a << 1;"));
}

TEST(LookAtSource, EndsOnAnyText) {
  for (std::string_view Text :
       {"/*", "\"", "'", "R\"(", "#include <", "#", "#include", "//\\", "a\\",
        "\"\\", "1'", "R\"", "#define x /*"})
    lookAtSource(Text);
}

TEST(SearchFolders, ReadsClangsOptions) {
  SearchFolders F = searchFolders(
      {"clang++", "-Ione", "-I", "two", "-isystem", "/three", "-iquote", "four",
       "-idirafter", "five", "-isystemsix", "-include", "pre.h", "-iquote"},
      "/w");
  EXPECT_EQ(F.All, (Names{"/w/one", "/w/two", "/three", "/w/six", "/w/five"}));
  EXPECT_EQ(F.Quoted, Names{"/w/four"});
  EXPECT_EQ(F.Forced, Names{"pre.h"});
}

class IncludeGraphTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "/kplan-graph-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = *realPath(Template);
    Folders.All = {Folder + "/inc"};
  }
  void TearDown() override { fs::remove_all(Folder); }

  std::string write(const std::string &Name, const std::string &Text) {
    fs::create_directories(parentPath(Folder + "/" + Name));
    std::ofstream(Folder + "/" + Name) << Text;
    return Folder + "/" + Name;
  }

  std::string Folder;
  SearchFolders Folders;
  IncludeGraph Graph;
};

TEST_F(IncludeGraphTest, FollowsIncludesToAHeaderOfCuda) {
  write("inc/a.h", "#include \"b.h\"\n");
  write("inc/b.h", "#include <cuda_runtime.h>\n");
  write("inc/c.h", "#include <vector>\n");
  EXPECT_TRUE(Graph.reachesCuda(write("x.cpp", "#include <a.h>\n"), Folders));
  EXPECT_FALSE(Graph.reachesCuda(write("y.cpp", "#include <c.h>\n"), Folders));
  EXPECT_FALSE(Graph.reachesCuda(write("z.cpp", "#include <a.h>\n"), {}));
}

TEST_F(IncludeGraphTest, EndsOnIncludesInACircle) {
  write("inc/a.h", "#include <b.h>\n");
  write("inc/b.h", "#include <a.h>\n");
  std::string X = write("x.cpp", "#include <a.h>\n");
  EXPECT_FALSE(Graph.reachesCuda(X, Folders));
  EXPECT_FALSE(Graph.reachesCuda(Folder + "/inc/b.h", Folders));
}

TEST_F(IncludeGraphTest, ACircleThatReachesCudaIsRememberedRight) {
  write("inc/a.h", "#include <b.h>\n#include <cuda.h>\n");
  write("inc/b.h", "#include <a.h>\n");
  EXPECT_TRUE(Graph.reachesCuda(Folder + "/inc/b.h", Folders));
  EXPECT_TRUE(Graph.reachesCuda(Folder + "/inc/a.h", Folders));
  EXPECT_TRUE(Graph.reachesCuda(Folder + "/inc/b.h", Folders));
}

TEST_F(IncludeGraphTest, AProjectsOwnHeaderIsNotCudasForItsName) {
  write("inc/cuda_helpers.h", "int a;\n");
  std::string X = write("x.cpp", "#include <cuda_helpers.h>\n");
  EXPECT_FALSE(Graph.reachesCuda(X, Folders));
  EXPECT_TRUE(Graph.reachesCuda(X, {}));
}

TEST_F(IncludeGraphTest, TheToolkitIsKnownByItsFolder) {
  write("inc/cuda_runtime_api.h", "\n");
  write("inc/vector_types.h", "\n");
  write("inc/cccl/nv/target", "\n");
  EXPECT_TRUE(Graph.reachesCuda(write("x.cpp", "#include <vector_types.h>\n"),
                                Folders));
  Folders.All = {Folder + "/inc/cccl"};
  EXPECT_TRUE(
      Graph.reachesCuda(write("y.cpp", "#include <nv/target>\n"), Folders));
}

TEST_F(IncludeGraphTest, ForcedIncludesCount) {
  Folders.Forced = {"pre.h"};
  write("inc/pre.h", "#include <cuda.h>\n");
  EXPECT_TRUE(Graph.reachesCuda(write("x.cpp", "int a;\n"), Folders));
}

TEST_F(IncludeGraphTest, AQuotedIncludeStartsBesideItsIncluder) {
  write("deep/a.h", "#include \"b.h\"\n");
  write("deep/b.h", "\n");
  std::string X = write("x.cpp", "#include \"deep/a.h\"\n#include <b.h>\n");
  EXPECT_EQ(Graph.includedFiles(X, Folders), Names{Folder + "/deep/a.h"});
  EXPECT_EQ(Graph.includedFiles(Folder + "/deep/a.h", Folders),
            Names{Folder + "/deep/b.h"});
}

} // namespace
