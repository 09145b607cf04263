//===- Control.cpp - Sealing from outside, and in time --------------------===//

#include "Control.h"

#include "Environment.h"
#include "Log.h"
#include "Process.h"
#include "control/ControlThread.h"
#include "kplan/kplan.h"

#include <cstdlib>
#include <pthread.h>

using namespace kplan;
using namespace kplan::runtime;
using control::ControlThread;

constinit std::atomic<bool> kplan::runtime::detail::ControlIsDue = true;

namespace {

constinit std::atomic<ControlThread *> Running = nullptr;
/// The time has come. Told before it is asked whether something is still to be
/// primed, and looked at after that is primed: one of the two threads seals.
constinit std::atomic<bool> SealIsDue = false;

void stopAtExit() {
  if (ControlThread *Thread = Running.load())
    Thread->stop();
}

/// The thread is not in the child, and the socket is the parent's.
void leaveInChild() {
  if (ControlThread *Thread = Running.exchange(nullptr))
    Thread->abandon();
  kplan::runtime::detail::ControlIsDue = true;
}

std::string outcome(kplan_status Status) {
  return Status == KPLAN_OK
             ? std::string("ok\n")
             : std::string("error: ") + kplan_status_name(Status) + "\n";
}

std::string report(bool Json) {
  if (sealing().isSealed())
    if (auto Api = driver())
      sealing().look(**Api);
  std::string Text = sealing().read(Json ? escapesAsJson : escapesAsText);
  if (!Text.ends_with('\n'))
    Text += '\n';
  return "ok\n" + Text;
}

} // namespace

void kplan::runtime::sealIfDue() {
  if (!SealIsDue.load(std::memory_order_relaxed) || !SealIsDue.exchange(false))
    return;
  if (kplan_status Status = kplan_seal())
    logAlways(std::string("KPLAN_SEAL_AFTER: not sealed: ") +
              kplan_status_name(Status));
}

std::string kplan::runtime::answerRequest(std::string_view Request) {
  if (Request == "seal")
    return outcome(kplan_seal());
  if (Request == "unseal")
    return outcome(kplan_unseal());
  if (Request == "escapes")
    return report(false);
  if (Request == "escapes json")
    return report(true);
  return "error: not a request: '" + std::string(Request) + "'\n";
}

void kplan::runtime::detail::startControl() {
  if (!ControlIsDue.exchange(false))
    return;
  const Environment &E = environment();
  if (E.Disabled)
    return;
  for (const std::string &Complaint : E.Complaints)
    logOnce(Complaint);
  if (!E.Socket && !E.SealAfter)
    return;

  control::ControlTask Task;
  Task.Listen = E.Socket;
  Task.Answer = answerRequest;
  if (E.SealAfter)
    Task.After = std::chrono::duration<double>(*E.SealAfter);
  Task.OnTime = [] {
    SealIsDue = true;
    if (!autoPrime().isAwaited())
      sealIfDue();
  };
  // Never destroyed: its thread uses it up to the end.
  auto *Thread = new ControlThread(std::move(Task));
  if (auto Problem = Thread->start())
    logOnce("cannot be asked to seal: " + Problem->Message);
  Running = Thread;
  if (!Thread->path().empty())
    logVerbose("listens on " + Thread->path());
  static const bool Registered =
      pthread_atfork(nullptr, nullptr, leaveInChild) == 0 &&
      std::atexit(stopAtExit) == 0;
  if (!Registered)
    logOnce("the socket may stay behind: atexit failed");
}
