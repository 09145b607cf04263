//===- ResultCacheTest.cpp ------------------------------------------------===//

#include "scan/ResultCache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
using namespace kplan;
using namespace kplan::scan;

namespace {

class ResultCacheTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "/kplan-cache-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = Template;
    write("a.cu", "source");
    write("a.h", "header");
    write("program", "one build");
    Request.Command.File = Folder + "/a.cu";
    Request.Command.Arguments = {"clang++", "-DX", Request.Command.File};
    Unit.Found.File = "a.cu";
    Unit.Dependencies = {Folder + "/a.cu", Folder + "/a.h"};
  }
  void TearDown() override { fs::remove_all(Folder); }

  void write(const std::string &Name, const std::string &Text) {
    std::ofstream(Folder + "/" + Name) << Text;
  }
  /// A scan of its own, as far as the cache can tell.
  ResultCache open() {
    return ResultCache(Folder + "/cache", Folder + "/program");
  }
  void keep() { open().keep(Request, Unit); }
  bool isFound() { return open().find(Request).has_value(); }
  std::vector<fs::path> entries() {
    std::vector<fs::path> Found;
    for (const auto &E : fs::recursive_directory_iterator(Folder + "/cache"))
      if (E.is_regular_file())
        Found.push_back(E.path());
    return Found;
  }

  std::string Folder;
  UnitRequest Request;
  UnitResult Unit;
};

TEST_F(ResultCacheTest, FindsWhatWasKept) {
  EXPECT_FALSE(isFound());
  keep();
  auto Found = open().find(Request);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Found, Unit.Found);
  EXPECT_EQ(Found->Dependencies, Unit.Dependencies);
}

TEST_F(ResultCacheTest, ContentCountsNotTime) {
  keep();
  write("a.h", "header"); // Touched, with the same content.
  EXPECT_TRUE(isFound());
  write("a.h", "HEADER");
  EXPECT_FALSE(isFound());
  write("a.h", "header");
  EXPECT_TRUE(isFound());
  fs::remove(Folder + "/a.h");
  EXPECT_FALSE(isFound());
}

TEST_F(ResultCacheTest, TheWholeCommandCounts) {
  keep();
  Request.Command.Arguments[1] = "-DY";
  EXPECT_FALSE(isFound());
  Request.Command.Arguments[1] = "-DX";
  Request.Options.Root = "/other";
  EXPECT_FALSE(isFound());
}

TEST_F(ResultCacheTest, AnotherBuildOfTheScannerFindsNothing) {
  keep();
  write("program", "another build");
  EXPECT_FALSE(isFound());
}

TEST_F(ResultCacheTest, ErrorsAreNotKept) {
  Unit.Failed = true;
  keep();
  EXPECT_FALSE(isFound());
}

TEST_F(ResultCacheTest, AFileThatChangesDuringTheScanIsNotTrusted) {
  ResultCache Cache = open();
  // Later than the start by the clock of the file system, without a sleep.
  const auto Start = fs::file_time_type::clock::now();
  do
    write("a.h", "changed");
  while (fs::last_write_time(Folder + "/a.h") <= Start);
  Cache.keep(Request, Unit);
  EXPECT_TRUE(entries().empty());
}

TEST_F(ResultCacheTest, DamagedEntriesAreNotUsed) {
  keep();
  ASSERT_EQ(entries().size(), 1u);
  const fs::path Entry = entries().front();
  std::ifstream File(Entry, std::ios::binary);
  const std::string Bytes((std::istreambuf_iterator<char>(File)), {});
  for (size_t At = 0; At < Bytes.size(); At += 5) {
    std::string Damaged = Bytes;
    Damaged[At] ^= 0x20;
    std::ofstream(Entry, std::ios::binary) << Damaged;
    EXPECT_FALSE(isFound()) << At;
    std::ofstream(Entry, std::ios::binary) << Bytes.substr(0, At);
    EXPECT_FALSE(isFound()) << At;
  }
}

TEST_F(ResultCacheTest, WhatNobodyUsesIsRemoved) {
  keep();
  ASSERT_EQ(entries().size(), 1u);
  fs::last_write_time(entries().front(), fs::file_time_type::clock::now() -
                                             std::chrono::hours(24 * 31));
  EXPECT_TRUE(isFound()); // Used again, and so no longer old.
  open().removeOld();
  EXPECT_EQ(entries().size(), 1u);
  fs::last_write_time(entries().front(), fs::file_time_type::clock::now() -
                                             std::chrono::hours(24 * 31));
  open().removeOld();
  EXPECT_TRUE(entries().empty());
}

TEST_F(ResultCacheTest, AFolderThatCannotBeIsSaidOnce) {
  write("cache", "a file");
  ResultCache Cache = open();
  ASSERT_TRUE(Cache.problem());
  EXPECT_EQ(Cache.problem()->Level, Severity::Warning);
  Cache.keep(Request, Unit);
  EXPECT_FALSE(Cache.find(Request));
}

} // namespace
