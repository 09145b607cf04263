//===- ControlTest.cpp - Asking another process to seal -------------------===//

#include "control/ControlClient.h"
#include "control/ControlSocket.h"
#include "control/ControlThread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime::control;
using testing::HasSubstr;

namespace {

/// Sockets lie in a folder of the test's own.
class ControlTest : public testing::Test {
protected:
  ControlTest() {
    ::mkdtemp(Folder);
    ::setenv("XDG_RUNTIME_DIR", Folder, 1);
  }
  ~ControlTest() override {
    ::rmdir((std::string(Folder) + "/kplan").c_str());
    ::rmdir(Folder);
    ::unsetenv("XDG_RUNTIME_DIR");
  }

  /// It lives as long as its thread, which has no end.
  ControlThread &listen(std::function<std::string(std::string_view)> Answer) {
    ControlTask Task;
    Task.Listen = true;
    Task.Answer = std::move(Answer);
    auto *Thread = new ControlThread(std::move(Task));
    EXPECT_FALSE(Thread->start());
    return *Thread;
  }
  static std::string errorOf(const Result<std::string> &R) {
    return R ? "" : R.errors().front().Message;
  }

  char Folder[32] = "/tmp/kplan-control-XXXXXX";
};

TEST_F(ControlTest, AnswersARequest) {
  ControlThread &T =
      listen([](std::string_view R) { return "ok\nheard " + std::string(R); });
  auto Answer = ask(::getpid(), "seal");
  ASSERT_TRUE(Answer) << errorOf(Answer);
  EXPECT_EQ(*Answer, "heard seal");
  EXPECT_EQ(*ask(::getpid(), "escapes json"), "heard escapes json");
  T.stop();
  EXPECT_THAT(errorOf(ask(::getpid(), "seal")), HasSubstr("does not listen"));
}

TEST_F(ControlTest, TellsWhyItRefused) {
  ControlThread &T =
      listen([](std::string_view) { return "error: no driver\n"; });
  EXPECT_THAT(errorOf(ask(::getpid(), "seal")), HasSubstr(": no driver"));
  T.stop();
}

TEST_F(ControlTest, SaysThatThereIsNoSuchProcess) {
  pid_t Child = ::fork();
  if (!Child)
    ::_exit(0);
  ::waitpid(Child, nullptr, 0);
  EXPECT_EQ(errorOf(ask(Child, "seal")),
            "there is no process " + std::to_string(Child));
}

TEST_F(ControlTest, TheFolderIsTheUsersAlone) {
  ControlThread &T = listen([](std::string_view) { return "ok\n"; });
  struct stat Found;
  std::string Path = std::string(Folder) + "/kplan";
  ASSERT_EQ(::stat(Path.c_str(), &Found), 0);
  EXPECT_EQ(Found.st_mode & 0777, 0700U);
  ::chmod(Path.c_str(), 0755);
  EXPECT_THAT(errorOf(ask(::getpid(), "seal")),
              HasSubstr("can be entered by others"));
  ::chmod(Path.c_str(), 0700);
  T.stop();
}

TEST_F(ControlTest, ALinkIsNoFolder) {
  std::string Path = std::string(Folder) + "/kplan";
  ASSERT_EQ(::symlink("/tmp", Path.c_str()), 0);
  auto Safe = checkFolder(Path);
  ASSERT_FALSE(Safe);
  EXPECT_THAT(Safe.errors().front().Message, HasSubstr("not a folder"));
  ::unlink(Path.c_str());
}

TEST_F(ControlTest, AStaleSocketIsReplaced) {
  std::string Path = std::string(Folder) + "/kplan";
  ASSERT_EQ(::mkdir(Path.c_str(), 0700), 0);
  std::string Name = socketPath(Path, ::getpid());
  auto Address = addressOf(Name);
  {
    Descriptor Old(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::bind(Old.get(), reinterpret_cast<const sockaddr *>(&*Address),
                     sizeof(*Address)),
              0);
  }
  EXPECT_THAT(errorOf(ask(::getpid(), "seal")), HasSubstr("does not listen"));
  ControlThread &T = listen([](std::string_view) { return "ok\n"; });
  EXPECT_TRUE(ask(::getpid(), "seal"));
  T.stop();
}

TEST_F(ControlTest, ASocketOfAnotherProcessIsNotTrusted) {
  // A child listens under our name.
  int Ready[2], Done[2];
  ASSERT_EQ(::pipe(Ready), 0);
  ASSERT_EQ(::pipe(Done), 0);
  std::string Path = std::string(Folder) + "/kplan";
  ASSERT_EQ(::mkdir(Path.c_str(), 0700), 0);
  std::string Name = socketPath(Path, ::getpid());
  pid_t Child = ::fork();
  if (!Child) {
    auto Address = addressOf(Name);
    int Socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    (void)!::bind(Socket, reinterpret_cast<const sockaddr *>(&*Address),
                  sizeof(*Address));
    ::listen(Socket, 1);
    (void)!::write(Ready[1], "x", 1);
    char C;
    (void)!::read(Done[0], &C, 1);
    ::_exit(0);
  }
  char C;
  ASSERT_EQ(::read(Ready[0], &C, 1), 1);
  EXPECT_THAT(errorOf(ask(::getpid(), "seal")),
              HasSubstr("belongs to process " + std::to_string(Child)));
  ASSERT_EQ(::write(Done[1], "x", 1), 1);
  ::waitpid(Child, nullptr, 0);
  ::unlink(Name.c_str());
}

TEST_F(ControlTest, CallsOnTimeOnceAndWithoutSignals) {
  std::mutex Mutex;
  std::condition_variable Called;
  int Times = 0;
  bool AllBlocked = true;
  ControlTask Task;
  Task.After = std::chrono::duration<double>(0);
  Task.OnTime = [&] {
    sigset_t Blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &Blocked);
    std::lock_guard Guard(Mutex);
    for (int Signal : {SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGCHLD})
      AllBlocked &= sigismember(&Blocked, Signal) == 1;
    ++Times;
    Called.notify_all();
  };
  auto *Thread = new ControlThread(std::move(Task));
  ASSERT_FALSE(Thread->start());
  std::unique_lock Lock(Mutex);
  Called.wait(Lock, [&] { return Times > 0; });
  EXPECT_EQ(Times, 1);
  EXPECT_TRUE(AllBlocked);
  EXPECT_EQ(Thread->path(), "");
}

TEST_F(ControlTest, AChildOfForkLeavesTheSocketAlone) {
  ControlThread &T = listen([](std::string_view) { return "ok\n"; });
  pid_t Child = ::fork();
  if (!Child) {
    T.abandon();
    T.stop();
    ::_exit(0);
  }
  ::waitpid(Child, nullptr, 0);
  EXPECT_TRUE(ask(::getpid(), "seal"));
  T.stop();
}

} // namespace
