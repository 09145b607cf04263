//===- PathsTest.cpp ------------------------------------------------------===//

#include "scan/Paths.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace kplan::scan;

namespace {

TEST(Paths, AbsolutePathIsNormal) {
  EXPECT_EQ(absolutePath("a/../b/./c", "/d"), "/d/b/c");
  EXPECT_EQ(absolutePath("/x//y/", "/d"), "/x/y");
  EXPECT_EQ(absolutePath(".", "/d/e"), "/d/e");
  EXPECT_EQ(absolutePath("../..", "/d"), "/");
}

TEST(Paths, AFolderIsNotAPrefixOfItsNeighbourWithALongerName) {
  EXPECT_TRUE(isWithin("/a/b/c", "/a/b"));
  EXPECT_TRUE(isWithin("/a/b", "/a/b"));
  EXPECT_FALSE(isWithin("/a/bc", "/a/b"));
  EXPECT_FALSE(isWithin("/a", "/a/b"));
  EXPECT_TRUE(isWithin("/a", "/"));
  EXPECT_FALSE(isWithin("/a", ""));
}

TEST(Paths, RelativeWithin) {
  EXPECT_EQ(relativeWithin("/a/b/c", "/a"), "b/c");
  EXPECT_EQ(relativeWithin("/a", "/"), "a");
  EXPECT_EQ(relativeWithin("/ab", "/a"), std::nullopt);
  EXPECT_EQ(relativeWithin("/a", "/a"), std::nullopt);
}

TEST(Paths, CommonFolderIgnoresOrderAndStopsAtNameBorders) {
  EXPECT_EQ(commonFolder({"/p/src/a", "/p/src/ab"}), "/p/src");
  EXPECT_EQ(commonFolder({"/p/src/ab", "/p/src/a"}), "/p/src");
  EXPECT_EQ(commonFolder({"/p/src", "/p/src/deep/er"}), "/p/src");
  EXPECT_EQ(commonFolder({"/p", "/q"}), "/");
  EXPECT_EQ(commonFolder({"/p/q"}), "/p/q");
  EXPECT_EQ(commonFolder({}), "");
}

TEST(Paths, SpellingPrefersTheRootThenTheToolkitThenTheBuildFolder) {
  PathRoots Roots{"/p/src", "/p/out", "/usr/local/cuda-13.0"};
  EXPECT_EQ(spellPath("/p/src/k/a.cu", Roots, "x"), "k/a.cu");
  EXPECT_EQ(spellPath("/p/out/gen.cu", Roots, "x"), "<build>/gen.cu");
  EXPECT_EQ(spellPath("/usr/local/cuda-13.0/include/cuda.h", Roots, "cuda.h"),
            "<cuda>/include/cuda.h");
  EXPECT_EQ(spellPath("/opt/lib/lib.cuh", Roots, "lib.cuh"), "lib.cuh");
  // A build folder inside the source folder is part of the source folder.
  Roots.Build = "/p/src/build";
  EXPECT_EQ(spellPath("/p/src/build/gen.cu", Roots, "x"), "build/gen.cu");
}

class PathsOnDisk : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "/kplan-paths-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = *realPath(Template);
  }
  void TearDown() override { fs::remove_all(Folder); }
  std::string Folder;
};

TEST_F(PathsOnDisk, LinksLeadToOneRealPath) {
  fs::create_directories(Folder + "/real");
  std::ofstream(Folder + "/real/a.cu") << "\n";
  fs::create_directory_symlink("real", Folder + "/link");
  EXPECT_EQ(realPath(Folder + "/link/../link/a.cu"), Folder + "/real/a.cu");
  EXPECT_EQ(realPath(Folder + "/real/none.cu"), std::nullopt);
  EXPECT_EQ(weakRealPath(Folder + "/link/none.cu"), Folder + "/real/none.cu");
}

TEST_F(PathsOnDisk, CMakeCacheNamesTheSourceFolder) {
  EXPECT_EQ(cmakeSourceFolder(Folder), std::nullopt);
  std::ofstream(Folder + "/CMakeCache.txt")
      << "# comment\nCMAKE_GENERATOR:INTERNAL=Ninja\n"
         "CMAKE_HOME_DIRECTORY:INTERNAL=/p/with space/src\n";
  EXPECT_EQ(cmakeSourceFolder(Folder), "/p/with space/src");
}

} // namespace
