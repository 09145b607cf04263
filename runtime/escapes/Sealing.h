//===- Sealing.h - The seal of a process ----------------------------------===//
//
// Part of kplan. Whether the concurrent phase has started, the escapes since
// then, and what is done about each (KPLAN_ON_ESCAPE). What finds them is a
// watch (EscapeObserver).
//
// Thread-safe. Nothing here waits for the device.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_SEALING_H
#define KPLAN_RUNTIME_ESCAPES_SEALING_H

#include "Prime.h"
#include "escapes/Escape.h"
#include "escapes/EscapeLog.h"
#include "escapes/EscapeReport.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace kplan::runtime {

class EscapeWatch {
public:
  /// Starts with what is in use now.
  virtual void seal(const DriverApi &Api) = 0;
  virtual void unseal() = 0;
  /// What was used for the first time since the last look, and not told yet.
  virtual std::vector<Escape> look(const DriverApi &Api) = 0;
  /// What priming did is no escape. Also while not sealed.
  virtual void primed(const DriverApi &Api,
                      const std::vector<PrimedContext> &Contexts) = 0;
  /// What may escape its notice, a line each.
  virtual std::vector<std::string> limits() const = 0;
  /// Whether launches are hooked.
  virtual bool seesLaunches() const = 0;

protected:
  ~EscapeWatch() = default;
};

class Sealing {
public:
  explicit Sealing(EscapeWatch &Watch) : Watch(Watch) {}

  void seal(const DriverApi &Api);
  void unseal(const DriverApi &Api);
  /// The process ends: nothing is an escape from here on.
  void end() { Sealed = false; }
  bool isSealed() const { return Sealed.load(std::memory_order_relaxed); }
  /// Whether it was sealed ever.
  bool wasSealed() const { return Seals != 0; }
  /// Looks for what the watch has not told yet.
  void look(const DriverApi &Api);
  /// The same at exit: not where another thread is at it, which may never end.
  void lookUnlessBusy(const DriverApi &Api);
  /// After each priming; look() before it.
  void primed(const DriverApi &Api, const std::vector<PrimedContext> &Contexts);

  /// Counts an escape, and names it or ends the process where that is asked
  /// for. Not called with a lock held.
  void add(Escape E);
  /// Milliseconds from the seal to a time (as nanoseconds() has it); negative
  /// where it was not sealed then.
  double sinceSeal(uint64_t Nanoseconds) const;
  static uint64_t nanoseconds();

  /// With the log locked: do not call back.
  template <class F> auto read(F Use) const {
    EscapeSituation S = situation();
    std::lock_guard Guard(LogMutex);
    return Use(S, Log);
  }

private:
  EscapeSituation situation() const;
  /// With SealMutex, which it gives up.
  void lookWith(std::unique_lock<std::mutex> Lock, const DriverApi &Api);

  EscapeWatch &Watch;
  std::mutex SealMutex; ///< Before the watch's and LogMutex.
  std::atomic<bool> Sealed = false;
  std::atomic<uint64_t> SealedAt = 0;
  std::atomic<uint64_t> Seals = 0;
  mutable std::mutex LogMutex;
  EscapeLog Log;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_SEALING_H
