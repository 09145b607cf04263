//===- Signals.h - Signals that end a program -----------------------------===//
//
// Part of kplan. No signal handler runs: signals are held back and read from a
// descriptor, or delivered a moment later.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_SIGNALS_H
#define KPLAN_SCAN_SIGNALS_H

#include <csignal>

namespace kplan::scan {

/// SIGINT, SIGTERM and SIGHUP, but for those that whoever started the program
/// chose to ignore (`nohup`, `&` in a script).
sigset_t endingSignals();

/// Holds signals back for as long as it lives, so that a file is written and
/// renamed, or not begun; or so that they can be read from a descriptor.
class SignalDelay {
public:
  explicit SignalDelay(const sigset_t &Signals = endingSignals()) {
    sigprocmask(SIG_BLOCK, &Signals, &Before);
  }
  ~SignalDelay() { sigprocmask(SIG_SETMASK, &Before, nullptr); }
  SignalDelay(const SignalDelay &) = delete;
  SignalDelay &operator=(const SignalDelay &) = delete;

  /// The mask as it was, for processes that are started meanwhile.
  const sigset_t &before() const { return Before; }

private:
  sigset_t Before;
};

/// Ends this process by the signal, as its default action does; a shell then
/// sees why.
[[noreturn]] void endBySignal(int Signal);

} // namespace kplan::scan

#endif // KPLAN_SCAN_SIGNALS_H
