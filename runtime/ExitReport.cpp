//===- ExitReport.cpp - What is said at exit ------------------------------===//

#include "ExitReport.h"

#include "Environment.h"
#include "Log.h"
#include "Process.h"

#include <cstdlib>
#include <string>

using namespace kplan;
using namespace kplan::runtime;

namespace {

void report() {
  SealState &State = sealState();
  // A thread that was inside when the program left may hold it for ever.
  std::unique_lock Guard(State.Mutex, std::try_to_lock);
  if (!Guard)
    return;
  if (State.Seal.isClosed())
    if (auto Api = driver())
      State.Seal.look(**Api, LiveCode(registry(), loadedCode()));

  const auto &Escapes = State.Seal.escapes();
  if (Escapes.empty()) {
    logVerbose("no escapes after the seal");
    return;
  }
  logAlways(std::to_string(Escapes.size()) +
            (Escapes.size() == 1 ? " function was" : " functions were") +
            " first used after the seal:");
  for (const Seal::Escape &E : Escapes)
    logAlways("  " + (E.Symbol.empty() ? "(name unknown)" : E.Symbol) +
              " on device " + std::to_string(E.Device));
  logAlways("add them to the plan: each may have waited for, or held up, what "
            "was running on the device");
}

void atExit() {
  try {
    report();
  } catch (...) {
    // No memory at exit: there is nobody to tell.
  }
}

} // namespace

void kplan::runtime::reportEscapesAtExit() {
  if (environment().OnEscape != EscapeAction::Warn)
    return;
  static const bool Registered = std::atexit(atExit) == 0;
  if (!Registered)
    logOnce("escapes cannot be reported at exit: atexit failed");
}
