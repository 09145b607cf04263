//===- JournalTest.cpp ----------------------------------------------------===//

#include "record/Journal.h"

#include "trace/Recording.h"

#include <cerrno>
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime::record;

namespace {

class JournalTest : public testing::Test {
protected:
  void SetUp() override {
    char Template[] = "/tmp/kplan-journal-XXXXXX";
    Folder = mkdtemp(Template);
  }
  void TearDown() override {
    for (const std::string &Name : files())
      unlink(Name.c_str());
    rmdir(Folder.c_str());
  }
  std::vector<std::string> files() const {
    std::vector<std::string> Names;
    DIR *D = opendir(Folder.c_str());
    while (dirent *Entry = D ? readdir(D) : nullptr)
      if (Entry->d_name[0] != '.')
        Names.push_back(Folder + "/" + Entry->d_name);
    if (D)
      closedir(D);
    return Names;
  }
  std::vector<trace::Event> events() const {
    auto Read = trace::readRecording(files().at(0));
    EXPECT_TRUE(Read) << (Read ? "" : format(Read.errors()[0]));
    return Read ? *Read : std::vector<trace::Event>();
  }

  std::string Folder;
};

trace::Event use(uint64_t Handle) {
  trace::UseEvent E;
  E.Handle = Handle;
  return E;
}

TEST_F(JournalTest, IsARecordingOfThisProcess) {
  Journal J(Folder);
  EXPECT_TRUE(J.isOfThisProcess());
  J.append(use(1));
  auto Events = events();
  ASSERT_EQ(Events.size(), 2u);
  EXPECT_EQ(std::get<trace::ProcessEvent>(Events[0]).Id, uint64_t(getpid()));
  EXPECT_EQ(std::get<trace::UseEvent>(Events[1]).Handle, 1u);
  struct stat Status{};
  stat(files().at(0).c_str(), &Status);
  EXPECT_EQ(Status.st_mode & 07777, 0600u);
}

TEST_F(JournalTest, EachProgramOfAProcessHasItsOwn) {
  Journal First(Folder), Second(Folder);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(JournalTest, KnowsAFork) {
  Journal J(Folder);
  if (fork() == 0)
    _exit(J.isOfThisProcess() ? 1 : 0);
  int State = -1;
  wait(&State);
  EXPECT_EQ(State, 0);
}

TEST_F(JournalTest, KeepsNoDescriptor) {
  int Before = dup(0);
  close(Before);
  Journal J(Folder);
  J.append(use(1));
  int After = dup(0);
  close(After);
  EXPECT_EQ(Before, After);
}

TEST_F(JournalTest, ThreadsDoNotMixLines) {
  Journal J(Folder);
  constexpr int Each = 500;
  std::vector<std::thread> Threads;
  Threads.reserve(4);
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I < Each; ++I)
        J.append(use(123456789));
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(events().size(), 1u + 4 * Each);
}

TEST_F(JournalTest, GivesUpOnceAndSaysSo) {
  testing::internal::CaptureStderr();
  Journal J("/no/such/folder");
  J.append(use(1));
  J.append(use(2));
  std::string Said = testing::internal::GetCapturedStderr();
  EXPECT_NE(Said.find("cannot record to /no/such/folder/"), Said.npos) << Said;
  EXPECT_EQ(std::count(Said.begin(), Said.end(), '\n'), 1) << Said;
}

} // namespace
