//===- LaunchTest.cpp -----------------------------------------------------===//

#include "Launch.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kplan::tool;
using testing::HasSubstr;

TEST(PreloadList, GoesBehindWhatIsThere) {
  EXPECT_EQ(preloadList(nullptr, "/k.so"), "/k.so");
  EXPECT_EQ(preloadList("", "/k.so"), "/k.so");
  EXPECT_EQ(preloadList("/asan.so", "/k.so"), "/asan.so:/k.so");
}

TEST(PreloadList, HoldsALibraryOnce) {
  EXPECT_EQ(preloadList("/a.so:/k.so", "/k.so"), "/a.so:/k.so");
  EXPECT_EQ(preloadList("/k.so /a.so", "/k.so"), "/k.so /a.so");
  EXPECT_EQ(preloadList("/lib/k.so.1", "/lib/k.so"), "/lib/k.so.1:/lib/k.so");
}

TEST(FindProgram, LooksInPath) {
  auto Found = findProgram("sh");
  ASSERT_TRUE(Found);
  EXPECT_EQ(access(Found->c_str(), X_OK), 0);
  EXPECT_THAT(*Found, HasSubstr("/sh"));
}

TEST(FindProgram, TakesAPathAsItIs) {
  auto Found = findProgram("/bin/sh");
  ASSERT_TRUE(Found);
  EXPECT_EQ(*Found, "/bin/sh");
}

static std::string whyNot(const std::string &Name) {
  auto Found = findProgram(Name);
  return Found ? "" : format(Found.errors()[0]);
}

TEST(FindProgram, SaysWhyNot) {
  EXPECT_EQ(whyNot("no-such-program"),
            "error: no program 'no-such-program' in PATH\n");
  EXPECT_EQ(whyNot(""), "error: no program '' in PATH\n");
  EXPECT_EQ(whyNot("/no/such"),
            "/no/such: error: cannot be run: No such file or directory\n");
  EXPECT_EQ(whyNot("/tmp"), "/tmp: error: cannot be run: it is a folder\n");
  EXPECT_EQ(whyNot("/etc/passwd"),
            "/etc/passwd: error: cannot be run: Permission denied\n");
}

TEST(FindProgram, RefusesWhatCannotBePreloaded) {
  char Path[] = "/tmp/kplan-setuid-XXXXXX";
  close(mkstemp(Path));
  ASSERT_EQ(chmod(Path, 04700), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("another user's rights"));
  unlink(Path);
}
