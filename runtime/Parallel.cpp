//===- Parallel.cpp - A few threads over a list of jobs -------------------===//

#include "Parallel.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <vector>

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

} // namespace

void kplan::runtime::runWorkers(
    size_t Jobs, unsigned Threads,
    const std::function<void(const NextJob &, bool OnCaller)> &Worker) {
  std::atomic<size_t> Next{0};
  const NextJob Take = [&](size_t &Index) {
    Index = Next.fetch_add(1, std::memory_order_relaxed);
    return Index < Jobs;
  };

  std::mutex Lock;
  std::exception_ptr Thrown;
  auto Run = [&](bool OnCaller) {
    try {
      Worker(Take, OnCaller);
    } catch (...) {
      std::lock_guard Guard(Lock);
      if (!Thrown)
        Thrown = std::current_exception();
    }
  };

  std::vector<std::thread> Others;
  size_t Wanted = std::min<size_t>(Threads, Jobs);
  if (Wanted > 1) {
    Others.reserve(Wanted - 1);
    BlockedSignals Mask;
    try {
      while (Others.size() < Wanted - 1)
        Others.emplace_back(Run, false);
    } catch (const std::system_error &) {
      // No more threads to be had: those that there are do the work.
    }
  }
  Run(true);
  for (std::thread &T : Others)
    T.join();
  if (Thrown)
    std::rethrow_exception(Thrown);
}
