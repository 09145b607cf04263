//===- Process.h - What there is once a process ---------------------------===//
//
// Part of kplan. All mutable global state of the runtime. None of it is ever
// destroyed: exit handlers and other threads may still call.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PROCESS_H
#define KPLAN_RUNTIME_PROCESS_H

#include "AutoPrime.h"
#include "DriverApi.h"
#include "NoCancellation.h"
#include "Prime.h"
#include "Registry.h"
#include "escapes/Sealing.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kplan::runtime {

/// Constant-initialised: usable before any constructor has run.
Registry &registry();

/// Finds the driver behind the hooks.
Result<DriverApi> openDriver();

/// The driver, found on the first call that finds it.
Result<const DriverApi *> driver();

/// What is loaded in the driver; null where that cannot be seen. From the first
/// call on it is kept up to date.
CodeTable *loadedCode();

/// A plan, and the folder that paths in its store are relative to.
struct ReadPlan {
  kplan::Plan Plan;
  std::string Folder;
};

/// What has been primed. Its lock is held while priming, which can take long:
/// only a call of the C API waits for it.
struct PrimeState {
  std::mutex Mutex;
  std::vector<PrimedContext> Contexts;
  /// Primed last; null: everything was.
  std::shared_ptr<const ReadPlan> Plan;
};
PrimeState &primeState();

/// While one lives, this thread primes: what it calls is not to prime in turn,
/// and it cannot be cancelled.
class PrimingThread {
public:
  PrimingThread();
  ~PrimingThread();
  PrimingThread(const PrimingThread &) = delete;
  PrimingThread &operator=(const PrimingThread &) = delete;
  static bool isPriming();

private:
  NoCancellation Guard;
};

AutoPrime &autoPrime();

/// The seal, and what watches for escapes. Its locks are
/// held for short only, and taken after the one of PrimeState where both are.
Sealing &sealing();
EscapeWatch &escapeWatch();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PROCESS_H
