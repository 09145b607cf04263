//===- Process.cpp - A child process that cannot hang its parent ----------===//

#include "probe/Process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kplan::probe {

using Clock = std::chrono::steady_clock;

static Diagnostic systemError(const char *What, int Error) {
  return makeError(std::string(What) + ": " + std::strerror(Error));
}

static std::vector<char *> pointers(std::vector<std::string> &Texts) {
  std::vector<char *> Out;
  Out.reserve(Texts.size() + 1);
  for (std::string &Text : Texts)
    Out.push_back(Text.data());
  Out.push_back(nullptr);
  return Out;
}

static std::vector<std::string> environmentWith(
    const std::vector<std::pair<std::string, std::string>> &Variables) {
  std::vector<std::string> Out;
  for (char **Entry = environ; *Entry; ++Entry) {
    const std::string_view Text = *Entry;
    bool Replaced = false;
    for (const auto &[Name, Value] : Variables)
      Replaced = Replaced || Text.starts_with(Name + "=");
    if (!Replaced)
      Out.emplace_back(Text);
  }
  for (const auto &[Name, Value] : Variables)
    Out.push_back(Name + "=" + Value);
  return Out;
}

/// Reads until the end of it, or until the time is up: false.
static bool readUntil(int Pipe, Clock::time_point Until, std::string &Out) {
  constexpr size_t Most = 1 << 20;
  for (;;) {
    const auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
                          Until - Clock::now())
                          .count();
    pollfd Wait{Pipe, POLLIN, 0};
    const int Ready = Left > 0 ? ::poll(&Wait, 1, static_cast<int>(Left)) : 0;
    if (Ready == 0)
      return false;
    if (Ready < 0) {
      if (errno == EINTR)
        continue;
      return false;
    }
    char Buffer[4096];
    const ssize_t Count = ::read(Pipe, Buffer, sizeof Buffer);
    if (Count == 0)
      return true;
    if (Count < 0 && errno != EINTR)
      return true;
    if (Count > 0 && Out.size() < Most)
      Out.append(Buffer, static_cast<size_t>(Count));
  }
}

/// Whether it was waited for before the time was up.
static bool waitUntil(pid_t Process, Clock::time_point Until, int &Status) {
  for (;;) {
    const pid_t Got = ::waitpid(Process, &Status, WNOHANG);
    if (Got == Process)
      return true;
    if (Got < 0 && errno != EINTR)
      return false;
    if (Clock::now() >= Until)
      return false;
    ::poll(nullptr, 0, 5);
  }
}

Result<Ended>
runSelf(const std::vector<std::string> &Arguments,
        const std::vector<std::pair<std::string, std::string>> &Environment,
        std::chrono::milliseconds TimeOut) {
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return systemError("cannot make a pipe", errno);
  std::vector<std::string> Words = {"kplan"};
  Words.insert(Words.end(), Arguments.begin(), Arguments.end());
  std::vector<std::string> Variables = environmentWith(Environment);
  posix_spawn_file_actions_t Actions;
  ::posix_spawn_file_actions_init(&Actions);
  ::posix_spawn_file_actions_addopen(&Actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 1);
  ::posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 2);
  pid_t Process = -1;
  const int Error =
      ::posix_spawn(&Process, "/proc/self/exe", &Actions, nullptr,
                    pointers(Words).data(), pointers(Variables).data());
  ::posix_spawn_file_actions_destroy(&Actions);
  ::close(Pipe[1]);
  if (Error) {
    ::close(Pipe[0]);
    return systemError("cannot start a worker", Error);
  }
  Ended Out;
  const auto Until = Clock::now() + TimeOut;
  // A worker may close its output and stay, or leave it to a child of its own.
  if (!readUntil(Pipe[0], Until, Out.Output) ||
      !waitUntil(Process, Until, Out.Status)) {
    ::kill(Process, SIGKILL);
    constexpr std::chrono::seconds Dying(10);
    Out.How = waitUntil(Process, Clock::now() + Dying, Out.Status)
                  ? Ended::TimedOut
                  : Ended::Stuck;
  }
  ::close(Pipe[0]);
  return Out;
}

} // namespace kplan::probe
