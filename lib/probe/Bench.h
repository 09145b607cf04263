//===- Bench.h - One call beside a running kernel -------------------------===//
//
// Part of kplan. Two halves of a device: A runs a blocking kernel on each of
// its SMs, B is where the call under test is made. measure() tells whether the
// call (host) or the work that it put on B (device) waited for A: it asks
// whether A's kernel is still running. That kernel ends when the host says so,
// or by the device's clock.
//
// One Bench a process, since a first use happens once; whatever goes wrong ends
// that process, which says why.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_BENCH_H
#define KPLAN_PROBE_BENCH_H

#include "probe/CodeStore.h"
#include "probe/Driver.h"
#include "probe/Setting.h"

#include <functional>
#include <string>

namespace kplan::probe {

enum class Verdict { Ok, HostStall, DeviceStall };

/// A call that waits takes at least this part of the neighbour's kernel; one
/// that returned after that kernel and took less was disturbed.
inline constexpr double StallFraction = 0.9;

struct Sample {
  double HostMs = 0; ///< Until the call returned.
  double DoneMs = 0; ///< Until B's work was done.
  Verdict What = Verdict::Ok;
};

/// Two parts of one device, each with a stream.
struct Halves {
  bool Green = false;
  CUcontext B = nullptr; ///< Where B's calls are made.
  CUstream StreamA = nullptr, StreamB = nullptr;
  unsigned SmsA = 0, SmsB = 0;
};

class Bench {
public:
  Bench(const Driver &Api, const Setting &Use, const CodeSet &Code);

  /// Makes `Call` beside A's running kernel. The first measurement is the
  /// row's result; later ones are for notes.
  Sample measure(const std::function<void()> &Call);

  /// Calls a driver function; what goes wrong ends the process.
  template <typename F, typename... Arguments>
  void call(const char *Name, F *Function, Arguments... Values) const {
    if (!Function)
      giveUp(std::string("the driver has no ") + Name);
    if (CUresult Error = Function(Values...))
      fail(Api.describe(Error, Name));
  }
  /// The row could not be measured: something went wrong.
  [[noreturn]] static void fail(const std::string &Why);
  /// The row cannot be measured here.
  [[noreturn]] static void giveUp(const std::string &Why);

  /// Appends to the row's remark.
  void note(const std::string &Text);

  /// Runs `Body` with the given context current.
  void on(CUcontext Context, const std::function<void()> &Body) const;
  void onPrimary(const std::function<void()> &Body) const { on(Primary, Body); }

  const char *code(Text Which) const;
  size_t freeBytes() const;
  /// Another device of this machine; gives up where there is none.
  CUdevice otherDevice() const;

  const Driver &Api;
  const Setting &Use;
  CUdevice Device = 0;
  CUcontext Primary = nullptr;
  CUstream PrimaryStream = nullptr;
  Halves Split;
  int *Out = nullptr; ///< One mapped word that kernels write.

  bool Measured = false;
  Sample Result;
  std::string Note;

private:
  static constexpr unsigned MostSms = 4096;

  Halves split() const;
  Halves splitGreen(const CUdevResource &All) const;
  bool holds() const;
  void startHold(double Milliseconds);

  const CodeSet &Code;
  bool Simulated = false;
  CUfunction Hold = nullptr;
  volatile int *Release = nullptr, *Ended = nullptr, *Started = nullptr;
};

/// A driver call of a row: CU(KernelGetFunction, &Function, Kernel).
#define KPLAN_PROBE_CALL(B, Name, ...)                                         \
  (B).call("cu" #Name, (B).Api.Name __VA_OPT__(, ) __VA_ARGS__)

/// Whether this is the driver of kplan's own tests, which runs no device code.
bool isSimulated(const Driver &Api, CUdevice Device);

} // namespace kplan::probe

#endif // KPLAN_PROBE_BENCH_H
