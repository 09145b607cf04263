//===- Sealing.cpp - The seal of a process --------------------------------===//

#include "escapes/Sealing.h"

#include "Environment.h"
#include "Log.h"
#include "Milestones.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
#include <utility>

using namespace kplan::runtime;

uint64_t Sealing::nanoseconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 +
         static_cast<uint64_t>(T.tv_nsec);
}

void Sealing::seal(const DriverApi &Api) {
  std::lock_guard Guard(SealMutex);
  if (isSealed())
    return;
  Watch.seal(Api);
  ++Seals;
  SealedAt = nanoseconds();
  Sealed = true;
  if (auto *Listener = milestoneListener())
    Listener->sealed(true);
}

void Sealing::unseal(const DriverApi &Api) {
  look(Api);
  std::lock_guard Guard(SealMutex);
  const bool Was = Sealed.exchange(false);
  Watch.unseal();
  if (auto *Listener = milestoneListener(); Listener && Was)
    Listener->sealed(false);
}

void Sealing::look(const DriverApi &Api) {
  lookWith(std::unique_lock(SealMutex), Api);
}

void Sealing::lookUnlessBusy(const DriverApi &Api) {
  if (std::unique_lock Lock(SealMutex, std::try_to_lock); Lock)
    lookWith(std::move(Lock), Api);
}

void Sealing::lookWith(std::unique_lock<std::mutex> Lock,
                       const DriverApi &Api) {
  std::vector<Escape> Found;
  if (isSealed())
    Found = Watch.look(Api);
  Lock.unlock();
  for (Escape &E : Found)
    add(std::move(E));
}

void Sealing::primed(const DriverApi &Api,
                     const std::vector<PrimedContext> &Contexts) {
  std::lock_guard Guard(SealMutex);
  Watch.primed(Api, Contexts);
}

void Sealing::add(Escape E) {
  const EscapeAction Action = environment().OnEscape;
  if (auto *Listener = milestoneListener())
    Listener->escaped(
        E.SinceSeal < 0
            ? 0
            : SealedAt + static_cast<uint64_t>(std::llround(E.SinceSeal * 1e6)),
        E);
  std::string Line;
  {
    std::lock_guard Guard(LogMutex);
    const Escape *New = Log.add(std::move(E));
    if (New && Action != EscapeAction::Count)
      Line = "escape: " + describe(*New);
  }
  if (Line.empty())
    return;
  logAlways(Line);
  if (Action != EscapeAction::Abort)
    return;
  logAlways("the process ends here, as KPLAN_ON_ESCAPE=abort asks for");
  std::abort();
}

double Sealing::sinceSeal(uint64_t Nanoseconds) const {
  uint64_t At = SealedAt;
  return At && Nanoseconds >= At ? static_cast<double>(Nanoseconds - At) * 1e-6
                                 : -1;
}

EscapeSituation Sealing::situation() const {
  EscapeSituation S;
  S.Process = ::getpid();
  S.Program = program_invocation_short_name;
  S.Sealed = isSealed();
  S.Seals = Seals;
  S.Launches = Watch.seesLaunches();
  if (S.Seals)
    S.Limits = Watch.limits();
  return S;
}
