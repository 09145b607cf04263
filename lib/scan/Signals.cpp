//===- Signals.cpp - Signals that end a program ---------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Signals.h"

#include <initializer_list>
#include <unistd.h>

namespace kplan::scan {

sigset_t endingSignals() {
  sigset_t Signals;
  sigemptyset(&Signals);
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction Action{};
    if (sigaction(Signal, nullptr, &Action) == 0 &&
        Action.sa_handler != SIG_IGN)
      sigaddset(&Signals, Signal);
  }
  return Signals;
}

void endBySignal(int Signal) {
  signal(Signal, SIG_DFL);
  sigset_t Only;
  sigemptyset(&Only);
  sigaddset(&Only, Signal);
  sigprocmask(SIG_UNBLOCK, &Only, nullptr);
  raise(Signal);
  _exit(128 + Signal); // Not reached, unless the signal does not end us.
}

} // namespace kplan::scan
