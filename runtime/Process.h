//===- Process.h - What there is once a process ---------------------------===//
//
// Part of kplan. All mutable global state of the runtime. None of it is ever
// destroyed: exit handlers and other threads may still call.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PROCESS_H
#define KPLAN_RUNTIME_PROCESS_H

#include "DriverApi.h"
#include "Prime.h"
#include "Registry.h"
#include "Seal.h"

#include <mutex>
#include <vector>

namespace kplan::runtime {

/// Constant-initialised: usable before any constructor has run.
Registry &registry();

/// How the driver is found; each library that is the runtime defines it.
Result<DriverApi> openDriver();

/// The driver, found on the first call that finds it.
Result<const DriverApi *> driver();

/// What has been primed. Its lock is held while priming, which can take long.
struct PrimeState {
  std::mutex Mutex;
  std::vector<PrimedContext> Contexts;
};
PrimeState &primeState();

/// The seal. Its lock is held for short only; taken after the one of
/// PrimeState where both are.
struct SealState {
  std::mutex Mutex;
  runtime::Seal Seal;
  /// A copy of PrimeState::Contexts as the last priming left it.
  std::vector<PrimedContext> Primed;
};
SealState &sealState();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PROCESS_H
