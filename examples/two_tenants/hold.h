//===- hold.h - A kernel that keeps a tenant busy ------------------------===//
//
// Stands for the neighbour's long-running work. It occupies every SM of its
// tenant until the host releases it, or until a time-out on the device's own
// clock: a call that waits for it would otherwise never return.
//
//===----------------------------------------------------------------------===//

#ifndef TWO_TENANTS_HOLD_H
#define TWO_TENANTS_HOLD_H

#include "green.h"

#include <chrono>

class Hold {
public:
  /// \param DeviceRuns false on a stand-in, where no kernel can report that
  ///        it has started.
  Hold(const Tenant &Where, std::chrono::nanoseconds TimeOut, bool DeviceRuns);
  ~Hold();
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

  /// Returns when every block runs.
  void start();
  /// Whether it still runs: it was not released and did not time out.
  bool running() const;
  /// Ends it at once and waits until it is gone.
  void release();

private:
  void launch(std::chrono::nanoseconds Limit);

  const Tenant &Where;
  const std::chrono::nanoseconds TimeOut;
  const bool DeviceRuns;
  /// Memory that host and device see: the host writes Release, block i
  /// Started[i], block 0 TimedOut.
  void *Shared = nullptr;
  volatile int *Release = nullptr, *TimedOut = nullptr, *Started = nullptr;
};

#endif // TWO_TENANTS_HOLD_H
