//===- Homes.h - Where code is resident -----------------------------------===//
//
// Part of kplan. Code that is resident in the primary context of a device is so
// in its green contexts, and the other way round: they are one home. A context
// made by cuCtxCreate is one by itself. Homes are small numbers, so that a
// handle and a home fit into one word.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_HOMES_H
#define KPLAN_RUNTIME_ESCAPES_HOMES_H

#include "DriverApi.h"

#include <atomic>
#include <cuda.h>
#include <map>
#include <mutex>

namespace kplan::runtime {

class Homes {
public:
  static constexpr int None = -1;

  Homes() { changed(); }

  /// What the hooks see: a device's primary or a green context is used, or a
  /// private one was made.
  void shared(CUdevice Device);
  void made(CUcontext Private, CUdevice Device);
  /// It ends; returns its home, which no other context gets.
  int ended(CUcontext Private);

  /// A context may have ended, so that its address may come again.
  void changed();

  static int ofDevice(CUdevice Device) { return Device; }
  CUdevice deviceOf(int Home) const;
  /// Null for the home of a device.
  CUcontext privateContext(int Home) const;

  /// Of the calling thread's current context. Where all calls go to one home,
  /// which is the common case, it asks nobody.
  int current(const DriverApi &Api) const {
    int Only = Sole.load(std::memory_order_relaxed);
    return Only >= 0 ? Only : find(Api);
  }

private:
  static constexpr int FirstPrivate = 256;
  static constexpr int LastPrivate = 65535;
  static constexpr int Unseen = -1, Several = -2;

  int find(const DriverApi &Api) const;
  void note(int Home);

  std::atomic<int> Sole = Unseen;
  mutable std::mutex Mutex;
  struct Private {
    int Home;
    CUdevice Device;
  };
  std::map<CUcontext, Private> Privates;
  int Next = FirstPrivate;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_HOMES_H
