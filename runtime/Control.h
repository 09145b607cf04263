//===- Control.h - Sealing from outside, and in time ----------------------===//
//
// Part of kplan. What KPLAN_SOCKET and KPLAN_SEAL_AFTER ask for: a thread that
// answers `kplan seal PID`, and seals when it is time. It makes driver calls,
// none of the CUDA runtime.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_CONTROL_H
#define KPLAN_RUNTIME_CONTROL_H

#include <atomic>
#include <string>
#include <string_view>

namespace kplan::runtime {

namespace detail {
extern std::atomic<bool> ControlIsDue;
void startControl();
} // namespace detail

/// Whether ensureControl() has something to do.
inline bool isControlDue() {
  return detail::ControlIsDue.load(std::memory_order_relaxed);
}

/// Once a process: at its start, and again in a forked child. Not under a lock
/// of the loader: not in dlsym.
inline void ensureControl() {
  if (isControlDue()) [[unlikely]]
    detail::startControl();
}

/// Seals where KPLAN_SEAL_AFTER is over and waited for the plan to be primed.
/// After each priming that happened by itself.
void sealIfDue();

/// What a request is answered: "seal", "unseal", "escapes", "escapes json".
std::string answerRequest(std::string_view Request);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_CONTROL_H
