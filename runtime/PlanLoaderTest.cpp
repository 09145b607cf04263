//===- PlanLoaderTest.cpp - The plan that is primed -----------------------===//

#include "PlanLoader.h"

#include "plan/CompiledPlan.h"
#include "plan/PlanReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

constexpr const char *Text = R"(kplan: 1
kernels:
- symbol: k
  attributes: {preferred_shared_memory_carveout: 50}
  sites:
  - {kind: launch, at: "a.cu:1:1"}
conflicts:
- {symbol: k, attribute: preferred_shared_memory_carveout, values: [50, 100]}
)";

class PlanLoader : public testing::Test {
protected:
  PlanLoader() {
    std::string Template = testing::TempDir() + "kplan-XXXXXX";
    Folder = mkdtemp(Template.data());
    Yaml = Folder + "/plan.yaml";
    CacheFolder = Folder + "/cache/kplan";
    write(Yaml, Text);
  }
  ~PlanLoader() override { fs::remove_all(Folder); }

  static void write(const std::string &Path, std::string_view Bytes) {
    std::ofstream(Path, std::ios::binary) << Bytes;
    ::chmod(Path.c_str(), 0600);
  }
  static std::string read(const std::string &Path) {
    std::ostringstream Out;
    Out << std::ifstream(Path, std::ios::binary).rdbuf();
    return Out.str();
  }

  /// The one plan that is kept; empty: none is.
  std::string kept() const {
    std::string Found;
    if (fs::exists(CacheFolder))
      for (const auto &Entry : fs::directory_iterator(CacheFolder)) {
        EXPECT_EQ(Found, "") << "more than one file is kept";
        Found = Entry.path();
      }
    return Found;
  }
  Result<Plan> load() const { return loadPlan(Yaml, PlanCache(CacheFolder)); }

  /// Puts another plan in the place of the kept one: where loading gives that,
  /// it was taken from the cache.
  std::string keepMarked(std::string_view Source = {}) const {
    EXPECT_TRUE(load());
    std::string Path = kept();
    auto Sound = readCompiledPlan(read(Path), Path);
    EXPECT_TRUE(Sound);
    Plan Marked;
    Marked.Limits["stack_size"] = 77;
    write(Path, *compilePlan(Marked, Source.empty() ? Sound->Source : Source));
    return Path;
  }
  bool comesFromTheCache() const {
    auto P = load();
    EXPECT_TRUE(P);
    return P && P->Limits.count("stack_size");
  }

  std::string Folder, Yaml, CacheFolder;
};

TEST_F(PlanLoader, GivesWhatIsExecuted) {
  auto P = load();
  ASSERT_TRUE(P);
  EXPECT_EQ(*P, executedPart(*readPlan(Text, "")));
  EXPECT_TRUE(P->Kernels[0].Attributes.empty());
  // The second time from the cache, and the same.
  ASSERT_NE(kept(), "");
  EXPECT_EQ(*load(), *P);
}

TEST_F(PlanLoader, ReadsACompiledPlan) {
  std::string Path = Folder + "/plan.kplan";
  write(Path, *compilePlan(*readPlan(Text, "")));
  auto P = loadPlan(Path, PlanCache(CacheFolder));
  ASSERT_TRUE(P);
  EXPECT_EQ(*P, executedPart(*readPlan(Text, "")));
  EXPECT_EQ(kept(), "");

  write(Path, read(Path).substr(0, 40));
  P = loadPlan(Path, PlanCache(CacheFolder));
  ASSERT_FALSE(P);
  EXPECT_EQ(P.errors()[0].File, Path);
  EXPECT_THAT(P.errors()[0].Message, HasSubstr("damaged"));
}

TEST_F(PlanLoader, TakesAPlanFromTheCache) {
  keepMarked();
  EXPECT_TRUE(comesFromTheCache());
  // Of the text, not of the path.
  fs::rename(Yaml, Folder + "/other.yaml");
  Yaml = Folder + "/other.yaml";
  EXPECT_TRUE(comesFromTheCache());
  write(Yaml, std::string(Text) + "# changed\n");
  EXPECT_FALSE(comesFromTheCache());
}

TEST_F(PlanLoader, KeepsPlansForTheUserAlone) {
  ASSERT_TRUE(load());
  struct stat Status{};
  ASSERT_EQ(::stat(CacheFolder.c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0700U);
  ASSERT_EQ(::stat(kept().c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0600U);
}

TEST_F(PlanLoader, DoesNotTakeWhatOthersMayHaveWritten) {
  std::string Path = keepMarked();
  ::chmod(Path.c_str(), 0620);
  EXPECT_FALSE(comesFromTheCache());
  // It was replaced by one that nobody else may write.
  Path = keepMarked();
  EXPECT_TRUE(comesFromTheCache());
  ::chmod(CacheFolder.c_str(), 0702);
  EXPECT_FALSE(comesFromTheCache());
  ::chmod(CacheFolder.c_str(), 0700);
  EXPECT_TRUE(comesFromTheCache());
  fs::rename(Path, Folder + "/moved");
  fs::create_symlink(Folder + "/moved", Path);
  EXPECT_FALSE(comesFromTheCache());
}

TEST_F(PlanLoader, DoesNotTakeADamagedPlan) {
  std::string Path = keepMarked();
  fs::resize_file(Path, fs::file_size(Path) / 2);
  EXPECT_FALSE(comesFromTheCache());
  EXPECT_TRUE(readCompiledPlan(read(Path), Path)) << "it was not replaced";
  keepMarked("xxh3:0123456789abcdef0123456789abcdef"); // of another text
  EXPECT_FALSE(comesFromTheCache());
}

TEST_F(PlanLoader, DoesNotNeedTheCache) {
  // A file where the folder should be.
  write(Folder + "/cache", "");
  EXPECT_TRUE(load());
  EXPECT_TRUE(loadPlan(Yaml, PlanCache("")));
  EXPECT_EQ(read(Folder + "/cache"), "");
}

TEST_F(PlanLoader, KeepsNoPlanThatIsNone) {
  write(Yaml, "kplan: 1\nkernles: []\n");
  EXPECT_FALSE(load());
  EXPECT_EQ(kept(), "");
}

} // namespace
