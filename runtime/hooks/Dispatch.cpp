//===- Dispatch.cpp - From a hook to its observers ------------------------===//

#include "hooks/Dispatch.h"

#include "hooks/LineBuffer.h"

#include <cerrno>
#include <exception>

using namespace kplan::runtime::hooks;

constinit std::atomic<uint32_t> detail::Observed = 0;

namespace {

struct Place {
  std::atomic<HookObserver *> Observer = nullptr;
  std::atomic<uint32_t> Wanted = 0;
};
constinit Place Places[MaxObservers];
constinit std::atomic<bool> Adding = false;

// A preloaded library has room in the block that every thread has from its
// start, so that a hook allocates nothing here.
[[gnu::tls_model("initial-exec")]] thread_local unsigned UnobservedDepth = 0;

void updateObserved() {
  uint32_t All = 0;
  for (Place &P : Places)
    All |= P.Wanted.load();
  detail::Observed.store(All);
}

/// It threw: it hears nothing any more.
void dismiss(Place &P, const char *Name, const char *Why) {
  if (P.Wanted.exchange(0) == 0)
    return; // Another thread said so.
  updateObserved();
  (LineBuffer() << "the " << Name << " failed (" << Why
                << ") and is switched off; the program goes on")
      .write();
}

/// Runs a part of an observer. The program sees nothing of it.
template <class Part> void protectedly(Place &P, Part Run) noexcept {
  int SavedErrno = errno;
  ++UnobservedDepth;
  HookObserver *Observer = P.Observer.load(std::memory_order_relaxed);
  try {
    Run(*Observer);
  } catch (const std::exception &E) {
    dismiss(P, Observer->name(), E.what());
  } catch (...) {
    dismiss(P, Observer->name(), "unknown exception");
  }
  --UnobservedDepth;
  errno = SavedErrno;
}

} // namespace

bool HookObserver::ignores(const DriverCall &) const noexcept { return false; }

std::optional<CUresult> HookObserver::before(const DriverCall &, uint64_t &) {
  return std::nullopt;
}

void HookObserver::after(const DriverCall &, CUresult, uint64_t &) {}

bool kplan::runtime::hooks::addObserver(HookObserver &Observer,
                                        Purposes Wanted) {
  if (Adding.exchange(true))
    return false;
  bool Added = false;
  for (Place &P : Places) {
    if (P.Observer.load())
      continue;
    P.Wanted.store(Wanted.bits());
    P.Observer.store(&Observer);
    updateObserved();
    Added = true;
    break;
  }
  Adding.store(false);
  return Added;
}

void kplan::runtime::hooks::changeObserved(HookObserver &Observer,
                                           Purposes Wanted) {
  for (Place &P : Places) {
    if (P.Observer.load() != &Observer)
      continue;
    uint32_t Old = P.Wanted.load();
    while (Old && !P.Wanted.compare_exchange_weak(Old, Wanted.bits()))
      ;
    updateObserved();
  }
}

bool kplan::runtime::hooks::isObserving(const HookObserver &Observer) {
  for (const Place &P : Places)
    if (P.Observer.load() == &Observer)
      return P.Wanted.load() != 0;
  return false;
}

Purposes kplan::runtime::hooks::observedPurposes() {
  return Purposes(detail::Observed.load(std::memory_order_relaxed));
}

Unobserved::Unobserved() { ++UnobservedDepth; }
Unobserved::~Unobserved() { --UnobservedDepth; }

/// The call, with its observers.
static CUresult tell(const DriverCall &Call, uint32_t Interested,
                     detail::CallThrough Through, void *Address) {
  uint64_t Memory[MaxObservers] = {};
  uint32_t Told = 0;
  std::optional<CUresult> Answer;
  for (size_t I = 0; I < MaxObservers && !Answer; ++I) {
    if (!(Interested & 1U << I))
      continue;
    Told |= 1U << I;
    protectedly(Places[I], [&](HookObserver &Observer) {
      Answer = Observer.before(Call, Memory[I]);
    });
  }
  CUresult Result = Answer ? *Answer : Through(Address, Call.Arguments);
  for (size_t I = MaxObservers; I-- > 0;)
    if (Told & 1U << I && Places[I].Wanted.load(std::memory_order_relaxed))
      protectedly(Places[I], [&](HookObserver &Observer) {
        Observer.after(Call, Result, Memory[I]);
      });
  return Result;
}

CUresult detail::callObserved(DriverFunction F, void *Arguments,
                              CallThrough Through, void *Address) {
  if (UnobservedDepth)
    return Through(Address, Arguments);

  DriverCall Call{F, Arguments};
  const uint32_t Mine = Purposes(infoOf(F).Purpose).bits();
  uint32_t Interested = 0; // A bit for each place.
  for (size_t I = 0; I < MaxObservers; ++I) {
    const HookObserver *Observer =
        Places[I].Observer.load(std::memory_order_acquire);
    if (!Observer)
      break; // They are filled in order.
    if (Places[I].Wanted.load(std::memory_order_acquire) & Mine &&
        !Observer->ignores(Call))
      Interested |= 1U << I;
  }
  return Interested ? tell(Call, Interested, Through, Address)
                    : Through(Address, Arguments);
}
