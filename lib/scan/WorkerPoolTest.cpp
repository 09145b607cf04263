//===- WorkerPoolTest.cpp -------------------------------------------------===//
//
// The workers here are shell scripts that answer, or end, in every way that
// the real ones may.
//
//===----------------------------------------------------------------------===//

#include "scan/WorkerPool.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace kplan;
using namespace kplan::scan;

namespace {

class WorkerPoolTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = testing::TempDir() + "/kplan-pool-XXXXXX";
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Folder = Template;
    UnitResult Good;
    Good.Found.File = "a.cu";
    Good.Found.Producer.Tool = "kplan-scan";
    Good.Found.Producer.Version = "0";
    std::ofstream(Folder + "/answer") << encodeResult(Good);
    Options.Program = Folder + "/worker";
  }
  void TearDown() override { fs::remove_all(Folder); }

  void worker(const std::string &Body) {
    {
      std::ofstream Script(Options.Program);
      Script << "#!/bin/sh\ncd " << Folder << "\n" << Body << "\n";
    }
    fs::permissions(Options.Program, fs::perms::owner_all);
  }

  int run(const std::vector<std::string> &Files) {
    std::vector<UnitRequest> Requests;
    for (const std::string &File : Files) {
      UnitRequest Request;
      Request.Command.File = File;
      Requests.push_back(Request);
    }
    return runWorkers(Requests, Options, [&](size_t Index, UnitOutcome O) {
      EXPECT_EQ(Outcomes.count(Index), 0u);
      Outcomes[Index] = std::move(O);
    });
  }

  std::string content(const std::string &Name) {
    std::ifstream In(Folder + "/" + Name);
    std::stringstream Text;
    Text << In.rdbuf();
    return Text.str();
  }

  std::string Folder;
  PoolOptions Options;
  std::map<size_t, UnitOutcome> Outcomes;
};

TEST_F(WorkerPoolTest, EachUnitIsAnsweredOnce) {
  Options.Jobs = 3;
  worker("cat answer >&3");
  EXPECT_EQ(run(std::vector<std::string>(10, "a.cu")), 0);
  ASSERT_EQ(Outcomes.size(), 10u);
  for (auto &[Index, O] : Outcomes) {
    ASSERT_TRUE(O.Result) << O.Failure;
    EXPECT_EQ(O.Result->Found.File, "a.cu");
  }
}

TEST_F(WorkerPoolTest, NothingToDo) {
  EXPECT_EQ(run({}), 0);
  EXPECT_TRUE(Outcomes.empty());
}

TEST_F(WorkerPoolTest, ACrashLosesOnlyItsUnitAndIsTriedTwice) {
  Options.Jobs = 2;
  worker("if grep -q bad.cu; then echo x >> tries; kill -SEGV $$; fi\n"
         "cat answer >&3");
  EXPECT_EQ(run({"a.cu", "bad.cu", "b.cu"}), 0);
  EXPECT_TRUE(Outcomes[0].Result);
  EXPECT_TRUE(Outcomes[2].Result);
  EXPECT_FALSE(Outcomes[1].Result);
  EXPECT_EQ(Outcomes[1].Failure, "crashed: SIGSEGV (Segmentation fault)");
  EXPECT_EQ(content("tries"), "x\nx\n");
}

TEST_F(WorkerPoolTest, TheSecondTryCounts) {
  worker("if mkdir first 2>/dev/null; then kill -KILL $$; fi\n"
         "cat answer >&3");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_TRUE(Outcomes[0].Result) << Outcomes[0].Failure;
}

TEST_F(WorkerPoolTest, AKillHintsAtMemory) {
  worker("kill -KILL $$");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_EQ(Outcomes[0].Failure,
            "killed: SIGKILL (out of memory, if nobody killed it)");
}

TEST_F(WorkerPoolTest, LastWordsAreClangsPlace) {
  worker("printf 'x\\nStack dump:\\n0.\\tProgram arguments: y\\n"
         "1.\\ta.cu:2:23: at annotation\\nz\\n' >&2; kill -ABRT $$");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_EQ(Outcomes[0].LastWords, "a.cu:2:23: at annotation");
}

TEST_F(WorkerPoolTest, EarlyEndShowsItsMessage) {
  worker("echo one >&2; echo two >&2; exit 3");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_EQ(Outcomes[0].Failure, "ended early with status 3: two");
}

TEST_F(WorkerPoolTest, HalfAnAnswerIsNone) {
  worker("head -c 20 answer >&3");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_EQ(Outcomes[0].Failure, "gave an answer that is not valid");
}

TEST_F(WorkerPoolTest, NoAnswerIsNone) {
  worker("exit 0");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_FALSE(Outcomes[0].Result);
}

TEST_F(WorkerPoolTest, AMissingProgramFailsEachUnit) {
  Options.Program = Folder + "/none";
  EXPECT_EQ(run({"a.cu", "b.cu", "c.cu"}), 0);
  ASSERT_EQ(Outcomes.size(), 3u);
  EXPECT_EQ(Outcomes[2].Failure,
            "cannot start a worker: No such file or directory");
}

TEST_F(WorkerPoolTest, AWorkerThatNeverEndsIsKilled) {
  ASSERT_EQ(mkfifo((Folder + "/never").c_str(), 0600), 0);
  Options.TimeLimitSeconds = 1;
  worker("exec cat never");
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_EQ(Outcomes[0].Failure, "took longer than the time limit of 1 s");
}

TEST_F(WorkerPoolTest, WhatAWorkerPrintsDoesNotReachTheUser) {
  worker("echo out; echo err >&2; cat answer >&3");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run({"a.cu"}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(Outcomes[0].Result);
}

TEST_F(WorkerPoolTest, ASignalEndsAllWorkersAndIsReported) {
  ASSERT_EQ(mkfifo((Folder + "/never").c_str(), 0600), 0);
  Options.Jobs = 2;
  // The second worker asks us to stop once the first one is known.
  worker("if grep -q first; then echo $$ > pid.tmp; mv pid.tmp pid; exec cat "
         "never; fi\n"
         "until test -e pid; do :; done; kill -TERM " +
         std::to_string(getpid()) + "; exec cat never");
  EXPECT_EQ(run({"first", "second"}), SIGTERM);
  EXPECT_TRUE(Outcomes.empty());
  EXPECT_EQ(kill(std::stoi(content("pid")), 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(WorkerPoolTest, AnIgnoredSignalStaysIgnored) {
  signal(SIGHUP, SIG_IGN);
  worker("kill -HUP " + std::to_string(getpid()) + "; cat answer >&3");
  EXPECT_EQ(run({"a.cu"}), 0);
  signal(SIGHUP, SIG_DFL);
  EXPECT_TRUE(Outcomes[0].Result);
}

} // namespace
