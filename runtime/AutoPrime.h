//===- AutoPrime.h - Priming that happens by itself -----------------------===//
//
// Part of kplan. With KPLAN_PLAN: driver calls of the program say
// when there may be something to do. All of this runs under a hook, so:
//
// - the driver is called, and nothing else of CUDA; no library is opened;
// - nobody waits. One thread primes at a time; another that comes meanwhile
//   passes through, since the one that primes may wait for a kernel that waits
//   for this thread. So does a call from inside priming. What they loaded is
//   looked at by the next call that finds nobody priming;
// - the thread's context stack, errno and capture mode are as they were.
//
// A context is primed once in its life; green contexts are their primary. After
// the seal nothing is primed.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_AUTOPRIME_H
#define KPLAN_RUNTIME_AUTOPRIME_H

#include "CodeTable.h"
#include "DriverApi.h"
#include "Prime.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace kplan::runtime {

/// A home (see PrimeContext::homeId()) that has been primed.
struct PrimedHome {
  uint64_t HomeId = 0;
  ContextKind Kind = ContextKind::Primary;
  CUdevice Device = -1;
  CUcontext Context = nullptr; ///< Of a private one.
  bool Printf = false;         ///< Started by kplan.
  bool Malloc = false;
};

class AutoPrime {
public:
  /// A context may be current: primes its device, or what was loaded since.
  void contextSeen();
  /// The program has loaded something.
  void codeLoaded() { ++Generation; }

  /// Contexts of the program end. Each after the call that ended it.
  void privateEnded(CUcontext Context);
  void primaryReset(CUdevice Device);
  /// A reference on some primary context is gone, maybe the last.
  void primaryReleased();

  /// Whether the program sets a limit to the value in force, which the driver
  /// would refuse only because priming has started what it is the limit of.
  bool answersLimit(CUlimit Limit, size_t Value);

  /// After a priming, with the lock of PrimeState.
  void primed(const std::vector<PrimedContext> &Contexts);
  /// Forgets the contexts that have ended; with the lock of PrimeState.
  void dropEnded(std::vector<PrimedContext> &Contexts);

  /// Whether a plan is to be primed as soon as there is a context, and none has
  /// been: a seal would be the end of it.
  bool isAwaited() const;

  /// Whether each device of the machine is primed: only loads and contexts
  /// matter from here on.
  bool allDevicesPrimed() const { return AllPrimed.load(); }

private:
  /// Contexts that nothing was to be done for, at a generation.
  struct Settled {
    std::atomic<CUcontext> Context = nullptr;
    std::atomic<uint64_t> At = 0;
  };

  bool isSettled(CUcontext Context) const;
  void settle(CUcontext Context, uint64_t At);
  /// The generation up to which nothing is left to do here; none: no context
  /// could be worked in.
  std::optional<uint64_t> work(const DriverApi &Api);
  bool loadPlanOnce();
  void primeHere(const DriverApi &Api, const PrimeContext &Context);
  template <typename F> void end(F Which);

  std::atomic<bool> Armed = true; ///< Until the plan cannot be primed.
  std::atomic<bool> AllPrimed = false;
  std::atomic<bool> Began = false; ///< Some context was worked in.
  std::atomic<uint64_t> Generation = 1;
  std::array<Settled, 16> Slots;
  size_t NextSlot = 0; ///< With the lock of PrimeState.

  std::mutex Mutex; ///< Of what follows; held for short only.
  std::vector<PrimedHome> Homes;
  std::vector<uint64_t> Ended; ///< Homes that PrimeState is to forget.
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_AUTOPRIME_H
