//===- SecureFileTest.cpp - Read a file that only its user could have written
//-===//

#include "SecureFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using testing::HasSubstr;

namespace {

class SecureFile : public testing::Test {
protected:
  SecureFile() {
    std::string Template = testing::TempDir() + "kplan-XXXXXX";
    Folder = mkdtemp(Template.data());
    Path = Folder + "/plan.yaml";
    std::ofstream(Path) << "kplan: 1\n";
    ::chmod(Path.c_str(), 0644);
  }
  ~SecureFile() override { std::filesystem::remove_all(Folder); }

  std::string whyNot(const std::string &P) {
    auto Text = readSecureFile(P);
    return Text ? "it was read" : Text.errors().front().Message;
  }

  std::string Folder, Path;
};

TEST_F(SecureFile, ReadsAFileOfTheUser) {
  auto Text = readSecureFile(Path);
  ASSERT_TRUE(Text);
  EXPECT_EQ(*Text, "kplan: 1\n");
}

TEST_F(SecureFile, RefusesWhatOthersMayWrite) {
  for (mode_t Mode : {0664, 0646, 0666}) {
    ::chmod(Path.c_str(), Mode);
    EXPECT_EQ(whyNot(Path), "may be written by others");
  }
  EXPECT_THAT(readSecureFile(Path).errors().front().Hint,
              HasSubstr("chmod go-w"));
}

TEST_F(SecureFile, RefusesALink) {
  std::string Link = Folder + "/link";
  ASSERT_EQ(::symlink(Path.c_str(), Link.c_str()), 0);
  EXPECT_THAT(whyNot(Link), HasSubstr("symbolic link"));
}

TEST_F(SecureFile, RefusesWhatIsNoRegularFile) {
  EXPECT_EQ(whyNot(Folder), "is not a regular file");
  std::string Fifo = Folder + "/fifo";
  ASSERT_EQ(::mkfifo(Fifo.c_str(), 0600), 0);
  EXPECT_EQ(whyNot(Fifo), "is not a regular file"); // And does not hang.
}

TEST_F(SecureFile, RefusesAnotherUsersFile) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a file away";
  ASSERT_EQ(::chown(Path.c_str(), 12345, 12345), 0);
  EXPECT_EQ(whyNot(Path), "belongs to another user (12345)");
}

TEST_F(SecureFile, NamesTheFileThatIsNotThere) {
  auto Text = readSecureFile(Folder + "/none");
  ASSERT_FALSE(Text);
  EXPECT_EQ(Text.errors().front().File, Folder + "/none");
  EXPECT_THAT(Text.errors().front().Message, HasSubstr("No such file"));
}

} // namespace
