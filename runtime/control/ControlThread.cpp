//===- ControlThread.cpp - A thread that listens, and seals in time -------===//

#include "control/ControlThread.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime::control;
using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t StackBytes = 256 << 10;
/// One who asks and then says nothing must not keep out all others.
constexpr time_t SecondsForRequest = 2;
constexpr std::chrono::seconds PatienceAtExit{2};

Diagnostic systemError(std::string What, int Error) {
  return makeError(std::move(What) + ": " +
                   std::generic_category().message(Error));
}

constexpr Clock::time_point Never = Clock::time_point::max();

/// Milliseconds for poll(), rounded up; -1: for ever.
int pollTime(Clock::time_point Until) {
  if (Until == Never)
    return -1;
  auto Left = std::chrono::duration<double, std::milli>(Until - Clock::now());
  return static_cast<int>(std::clamp(std::ceil(Left.count()), 0.0, 3.6e6));
}

/// The first folder that is, or can be made, this user's alone.
Result<std::string> makeFolder() {
  std::vector<Diagnostic> Errors;
  for (const std::string &Path : folders()) {
    int Problem = ::mkdir(Path.c_str(), 0700) == 0 ? 0 : errno;
    auto IsThere = checkFolder(Path);
    if (IsThere && *IsThere)
      return Path;
    Errors.push_back(IsThere ? systemError(Path, Problem)
                             : IsThere.errors().front());
  }
  return Errors;
}

} // namespace

std::optional<Diagnostic> ControlThread::listen() {
  auto Folder = makeFolder();
  if (!Folder)
    return Folder.errors().front();
  std::string Name = socketPath(*Folder, ::getpid());
  auto Address = addressOf(Name);
  if (!Address)
    return Address.errors().front();
  // One of an earlier process of this id, or of this one before exec, is in
  // the way. One that is alive belongs to another namespace of process ids.
  if (connectTo(*Address))
    return makeError(Name + " is in use");
  ::unlink(Name.c_str());

  Descriptor New(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!New ||
      ::bind(New.get(), reinterpret_cast<const sockaddr *>(&*Address),
             sizeof(*Address)) != 0 ||
      ::listen(New.get(), 8) != 0)
    return systemError(Name, errno);
  Socket = std::move(New);
  Path = std::move(Name);
  return std::nullopt;
}

std::optional<Diagnostic> ControlThread::start() {
  Owner = ::getpid();
  std::optional<Diagnostic> Problem;
  if (Task.Listen)
    Problem = listen();
  if (!Socket && !Task.After)
    return Problem;

  sigset_t All, Before;
  sigfillset(&All);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&Attributes, StackBytes);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_t Thread;
  int Error = pthread_create(
      &Thread, &Attributes,
      [](void *Self) -> void * {
        static_cast<ControlThread *>(Self)->run();
        return nullptr;
      },
      this);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  pthread_attr_destroy(&Attributes);
  if (!Error) {
    pthread_setname_np(Thread, "kplan-control");
    return Problem;
  }
  if (!Path.empty())
    ::unlink(Path.c_str());
  return systemError("no thread can be started", Error);
}

void ControlThread::stop() {
  if (Owner != ::getpid())
    return;
  if (!Path.empty())
    ::unlink(Path.c_str());
  if (!Busy.try_lock_for(PatienceAtExit))
    return;
  Stopped = true;
  Busy.unlock();
}

void ControlThread::abandon() { Descriptor().swap(Socket); }

template <class F> void ControlThread::whileRunning(const F &Do) {
  std::lock_guard Guard(Busy);
  if (Stopped)
    return;
  try {
    Do();
  } catch (...) {
    // No memory. Whoever asked sees the connection end.
  }
}

void ControlThread::run() {
  Clock::time_point Until = Never;
  if (Task.After)
    Until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(*Task.After);
  while (Until != Never || Socket) {
    pollfd Waiting = {Socket.get(), POLLIN, 0}; // -1 is passed over.
    int Ready = ::poll(&Waiting, 1, pollTime(Until));
    if (Ready < 0 && errno != EINTR)
      return;
    if (Clock::now() >= Until) {
      Until = Never;
      whileRunning(Task.OnTime);
    }
    if (Ready > 0)
      serve();
  }
}

void ControlThread::serve() {
  Descriptor Other(::accept4(Socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!Other)
    return;
  auto Who = peerOf(Other.get());
  if (!Who || !isTrusted(*Who))
    return;
  timeval Limit = {SecondsForRequest, 0};
  ::setsockopt(Other.get(), SOL_SOCKET, SO_RCVTIMEO, &Limit, sizeof(Limit));
  ::setsockopt(Other.get(), SOL_SOCKET, SO_SNDTIMEO, &Limit, sizeof(Limit));
  auto Request = readAll(Other.get(), LongestRequest);
  if (!Request)
    return;
  std::string_view Line = *Request;
  Line = Line.substr(0, Line.find('\n'));
  whileRunning([&] { sendAll(Other.get(), Task.Answer(Line)); });
}
