//===- Dispatch.h - From a hook to its observers --------------------------===//
//
// Part of kplan. What every hook does: one test, then on to the driver.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_DISPATCH_H
#define KPLAN_RUNTIME_HOOKS_DISPATCH_H

#include "hooks/HookObserver.h"

#include <atomic>
#include <type_traits>

namespace kplan::runtime::hooks {

namespace detail {

extern std::atomic<uint32_t> Observed; ///< Bits of observedPurposes().

using CallThrough = CUresult (*)(void *Address, void *Arguments);

CUresult callObserved(DriverFunction F, void *Arguments, CallThrough Through,
                      void *Address);

} // namespace detail

/// Whether somebody observes calls of F.
template <DriverFunction F> inline bool isObserved() {
  constexpr uint32_t Mine = Purposes(infoOf(F).Purpose).bits();
  return detail::Observed.load(std::memory_order_relaxed) & Mine;
}

/// Tells the observers of F and calls the function at Address.
///
/// Not noexcept: a thread that is cancelled inside the driver unwinds through
/// here, as it would without kplan.
template <DriverFunction F, class Arguments>
CUresult callObserved(void *Address, Arguments &&A) {
  using Given = std::remove_reference_t<Arguments>;
  return detail::callObserved(
      F, &A,
      [](void *Real, void *These) {
        return static_cast<Given *>(These)->callWith(Real);
      },
      Address);
}

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_DISPATCH_H
