//===- HookObserver.h - Who looks at driver calls -------------------------===//
//
// Part of kplan. The recorder, the adopter and the counter of escapes are
// observers: each says which purposes it wants to see, and is told before and
// after each such call.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_HOOKOBSERVER_H
#define KPLAN_RUNTIME_HOOKS_HOOKOBSERVER_H

#include "hooks/DriverCall.h"

#include <optional>

namespace kplan::runtime::hooks {

/// Called from any thread, from several at once, with the program's locks held.
/// What an observer throws does not reach the program: it is said once, and the
/// observer is told nothing from then on. Driver calls that it makes are not
/// observed. errno is kept. An observer calls no function that is a
/// cancellation point (write, open, ...): it could not be unwound.
class HookObserver {
public:
  /// "recorder"; static storage.
  virtual const char *name() const = 0;

  /// Whether a call is of no interest: neither before() nor after() is called
  /// then. Asked first and often, so it takes a few nanoseconds, and nothing
  /// protects it: it does not throw, allocate, or set errno.
  virtual bool ignores(const DriverCall &Call) const noexcept;

  /// Before the call. An answer takes the place of the driver's: the call does
  /// not happen, and observers added later do not hear of it. Arguments may be
  /// changed.
  /// \param Memory is the observer's own until after(); it begins as 0.
  virtual std::optional<CUresult> before(const DriverCall &Call,
                                         uint64_t &Memory);

  /// After it; in the reverse order of before(), for each before().
  virtual void after(const DriverCall &Call, CUresult Result, uint64_t &Memory);

protected:
  ~HookObserver() = default;
};

/// How many observers there can be.
constexpr size_t MaxObservers = 6;

/// Adds an observer, which must live as long as the process. Those added first
/// hear first. False: there are too many, or two threads add at once.
bool addObserver(HookObserver &Observer, Purposes Wanted);

/// What an observer wants to see from now on; nothing where it was switched
/// off.
void changeObserved(HookObserver &Observer, Purposes Wanted);

/// Whether it was added, and not switched off since.
bool isObserving(const HookObserver &Observer);

/// What somebody observes now.
Purposes observedPurposes();

/// While one lives, this thread's driver calls are not observed.
class Unobserved {
public:
  Unobserved();
  ~Unobserved();
  Unobserved(const Unobserved &) = delete;
  Unobserved &operator=(const Unobserved &) = delete;
};

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_HOOKOBSERVER_H
