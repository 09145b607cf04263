//===- FileIOTest.cpp -----------------------------------------------------===//

#include "plan/FileIO.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace kplan;
namespace fs = std::filesystem;

namespace {

class FileIO : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "kplan-fileio-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = Template;
  }
  void TearDown() override {
    std::error_code Ignored;
    fs::permissions(Folder, fs::perms::owner_all, Ignored);
    fs::remove_all(Folder, Ignored);
  }
  std::string path(const char *Name) const { return (Folder / Name).string(); }
  std::string content(const std::string &Path) const {
    auto Text = readFile(Path, 1000);
    return Text ? *Text : format(Text.errors()[0]);
  }
  size_t entries() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(Folder),
                                             fs::directory_iterator()));
  }
  static unsigned mode(const std::string &Path) {
    struct stat S;
    return ::stat(Path.c_str(), &S) == 0 ? S.st_mode & 07777 : 0;
  }
  fs::path Folder;
};

} // namespace

TEST_F(FileIO, WritesAndReads) {
  EXPECT_FALSE(writeFileAtomically(path("a"), "one"));
  EXPECT_EQ(content(path("a")), "one");
  EXPECT_FALSE(writeFileAtomically(path("a"), "two"));
  EXPECT_EQ(content(path("a")), "two");
  EXPECT_EQ(entries(), 1u); // nothing temporary is left
}

TEST_F(FileIO, KeepsPermissions) {
  ASSERT_FALSE(writeFileAtomically(path("a"), "one"));
  ASSERT_EQ(::chmod(path("a").c_str(), 0640), 0);
  ASSERT_FALSE(writeFileAtomically(path("a"), "two"));
  EXPECT_EQ(mode(path("a")), 0640u);
}

TEST_F(FileIO, NewFilesFollowTheMask) {
  mode_t Before = ::umask(027);
  auto Error = writeFileAtomically(path("a"), "one");
  ::umask(Before);
  ASSERT_FALSE(Error);
  EXPECT_EQ(mode(path("a")), 0640u);
}

TEST_F(FileIO, KeepsLinks) {
  ASSERT_FALSE(writeFileAtomically(path("target"), "one"));
  fs::create_symlink("target", Folder / "link");
  ASSERT_FALSE(writeFileAtomically(path("link"), "two"));
  EXPECT_TRUE(fs::is_symlink(Folder / "link"));
  EXPECT_EQ(content(path("target")), "two");
}

TEST_F(FileIO, WritesToPipesAndDevices) {
  EXPECT_FALSE(writeFileAtomically("/dev/null", "text"));
  struct stat S;
  ASSERT_EQ(::stat("/dev/null", &S), 0);
  EXPECT_TRUE(S_ISCHR(S.st_mode));
}

TEST_F(FileIO, ErrorsNamePathAndReason) {
  auto Error = writeFileAtomically(path("no/such/file"), "x");
  ASSERT_TRUE(Error);
  EXPECT_EQ(format(*Error), path("no/such/file") +
                                ": error: cannot create a temporary file "
                                "beside it: No such file or directory\n");
  Error = writeFileAtomically(Folder.string(), "x");
  ASSERT_TRUE(Error);
  EXPECT_EQ(format(*Error),
            Folder.string() + ": error: cannot write: Is a directory\n");
  EXPECT_EQ(content(path("b")),
            path("b") + ": error: cannot open: No such file or directory\n");
}

TEST_F(FileIO, RefusesWhatIsProtected) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "nothing is protected from root";
  ASSERT_FALSE(writeFileAtomically(path("a"), "one"));
  ASSERT_EQ(::chmod(path("a").c_str(), 0440), 0);
  EXPECT_TRUE(writeFileAtomically(path("a"), "two"));
  EXPECT_EQ(content(path("a")), "one");
}

TEST_F(FileIO, LeavesTheOldFileWhereTheNewOneCannotBeWritten) {
  ASSERT_FALSE(writeFileAtomically(path("a"), "one"));
  // A name that is too long with anything appended to it.
  std::string Long = path(std::string(250, 'x').c_str());
  EXPECT_TRUE(writeFileAtomically(Long, "x"));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileIO, LimitsSize) {
  ASSERT_FALSE(writeFileAtomically(path("a"), std::string(1001, 'x')));
  EXPECT_EQ(content(path("a")),
            path("a") + ": error: the file is larger than 1000 bytes\n");
  // Also of what does not tell its size.
  auto Endless = readFile("/dev/zero", 1000);
  EXPECT_FALSE(Endless);
}
