//===- Process.cpp - What there is once a process -------------------------===//

#include "Process.h"

#include <atomic>
#include <type_traits>

using namespace kplan;
using namespace kplan::runtime;

namespace {

constinit Registry TheRegistry;
// An exit handler that runs late must still find it.
static_assert(std::is_trivially_destructible_v<Registry>);

constinit thread_local bool Priming = false;

} // namespace

Registry &kplan::runtime::registry() { return TheRegistry; }

Result<const DriverApi *> kplan::runtime::driver() {
  // Asked for in each hooked call, and in children of a fork: no lock then.
  static constinit std::atomic<const DriverApi *> Known = nullptr;
  if (const DriverApi *Api = Known.load(std::memory_order_acquire))
    return Api;
  static std::mutex Mutex;
  std::lock_guard Guard(Mutex);
  if (const DriverApi *Api = Known.load(std::memory_order_acquire))
    return Api;
  Result<DriverApi> Loaded = openDriver();
  if (!Loaded)
    return Loaded.errors();
  const auto *Api = new DriverApi(*Loaded);
  Known.store(Api, std::memory_order_release);
  return Api;
}

PrimeState &kplan::runtime::primeState() {
  static auto *State = new PrimeState;
  return *State;
}

PrimingThread::PrimingThread() { Priming = true; }
PrimingThread::~PrimingThread() { Priming = false; }

bool PrimingThread::isPriming() { return Priming; }

AutoPrime &kplan::runtime::autoPrime() {
  static auto *State = new AutoPrime;
  return *State;
}

Sealing &kplan::runtime::sealing() {
  static auto *State = new Sealing(escapeWatch());
  return *State;
}
