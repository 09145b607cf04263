//===- Parallel.cpp - A few threads over a list of jobs -------------------===//

#include "Parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <dlfcn.h>
#include <exception>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>

using kplan::runtime::NextJob;

namespace {

/// New threads inherit the mask: blocked while they are created.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t All;
    sigfillset(&All);
    Blocked = pthread_sigmask(SIG_SETMASK, &All, &Before) == 0;
  }
  ~BlockedSignals() {
    if (Blocked)
      pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

private:
  sigset_t Before;
  bool Blocked = false;
};

/// What the threads of one call share. A thread that comes too late finds it
/// closed: by then the worker, which belongs to the caller, is gone.
class Team {
public:
  using Body = std::function<void(const NextJob &, bool OnCaller)>;

  Team(size_t Jobs, const Body &Worker) : Jobs(Jobs), Worker(&Worker) {}

  void run(bool OnCaller) {
    const NextJob Take = [this](size_t &Index) {
      Index = Next.fetch_add(1, std::memory_order_relaxed);
      return Index < Jobs;
    };
    try {
      (*Worker)(Take, OnCaller);
    } catch (...) {
      std::lock_guard Guard(Lock);
      if (!Thrown)
        Thrown = std::current_exception();
    }
  }

  bool join() {
    std::lock_guard Guard(Lock);
    if (Closed)
      return false;
    ++Working;
    Joined = true;
    Left.notify_all();
    return true;
  }

  void leave() {
    std::lock_guard Guard(Lock);
    --Working;
    Left.notify_all();
  }

  /// Until somebody joins, but not for ever: he may never be able to.
  void waitForOne(std::chrono::milliseconds Time) {
    std::unique_lock Guard(Lock);
    Left.wait_for(Guard, Time, [this] { return Joined; });
  }

  /// Waits for those that have joined; whether there were any.
  bool close() {
    std::unique_lock Guard(Lock);
    Closed = true;
    Left.wait(Guard, [this] { return Working == 0; });
    if (Thrown)
      std::rethrow_exception(Thrown);
    return Joined;
  }

private:
  const size_t Jobs;
  const Body *Worker;
  std::atomic<size_t> Next{0};
  std::mutex Lock;
  std::condition_variable Left;
  unsigned Working = 0;
  bool Joined = false;
  bool Closed = false;
  std::exception_ptr Thrown;
};

void takeLoaderLockOnce() {
  if (void *Program = dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD))
    dlclose(Program);
}

/// False: no thread can be created. The caller blocks signals.
bool startMember(const std::shared_ptr<Team> &Shared) {
  try {
    std::thread([Shared] {
      takeLoaderLockOnce();
      if (!Shared->join())
        return;
      Shared->run(false);
      Shared->leave();
    }).detach();
  } catch (const std::system_error &) {
    return false;
  }
  return true;
}

} // namespace

bool kplan::runtime::runElsewhere(const std::function<void()> &Job) {
  const Team::Body Worker = [&](const NextJob &, bool) { Job(); };
  auto Shared = std::make_shared<Team>(1, Worker);
  bool Started = false;
  {
    BlockedSignals Mask;
    Started = startMember(Shared);
  }
  using namespace std::chrono_literals;
  if (Started)
    Shared->waitForOne(100ms);
  return Shared->close();
}

void kplan::runtime::runWorkers(
    size_t Jobs, unsigned Threads,
    const std::function<void(const NextJob &, bool OnCaller)> &Worker) {
  auto Shared = std::make_shared<Team>(Jobs, Worker);
  size_t Wanted = std::min<size_t>(Threads, Jobs);
  if (Wanted > 1) {
    BlockedSignals Mask;
    // No more threads to be had: those that there are do the work.
    for (size_t I = 1; I < Wanted && startMember(Shared);)
      ++I;
  }
  Shared->run(true);
  Shared->close();
}
