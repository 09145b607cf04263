//===- Process.cpp - What there is once a process -------------------------===//

#include "Process.h"

#include <pthread.h>
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
  static std::mutex Mutex;
  static const DriverApi *Found = nullptr;
  std::lock_guard Guard(Mutex);
  if (!Found) {
    Result<DriverApi> Loaded = openDriver();
    if (!Loaded)
      return Loaded.errors();
    Found = new DriverApi(*Loaded);
  }
  return Found;
}

PrimeState &kplan::runtime::primeState() {
  static auto *State = new PrimeState;
  return *State;
}

PrimingThread::PrimingThread() {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &CancelState);
  Priming = true;
}

PrimingThread::~PrimingThread() {
  Priming = false;
  pthread_setcancelstate(CancelState, nullptr);
}

bool PrimingThread::isPriming() { return Priming; }

AutoPrime &kplan::runtime::autoPrime() {
  static auto *State = new AutoPrime;
  return *State;
}

Sealing &kplan::runtime::sealing() {
  static auto *State = new Sealing(escapeWatch());
  return *State;
}
