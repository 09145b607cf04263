//===- State.h - What the stand-in driver keeps in memory -----------------===//
//
// Part of kplan's tests. Handles that programs see are addresses of these
// objects; State::find() tells a live one from anything else. One mutex guards
// everything; entry points hold it (Call.h) and give it up only while waiting.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_STANDIN_STATE_H
#define KPLAN_STANDIN_STATE_H

#include "image/Code.h"

#include <chrono>
#include <condition_variable>
#include <cuda.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace standin {

using Clock = std::chrono::steady_clock;
using Lock = std::unique_lock<std::mutex>;

inline constexpr int DeviceCount = 2;
inline constexpr int SmCount = 132;
inline constexpr int ThreadsPerSm = 2048;
inline constexpr int Arch = 90;
inline constexpr int DriverVersion = 13000;

struct Stream;

/// A blocking kernel. It is over when its release flag is set, or when
/// somebody has waited for it until its time ran out; never by the clock
/// alone, so that what a test sees does not depend on the machine's load.
struct Work {
  Stream *On = nullptr;
  const volatile int *Release = nullptr;
  std::chrono::nanoseconds TimeOut{0};
  std::vector<std::shared_ptr<Work>> After; ///< Must be over before it starts.
  Clock::time_point Deadline = Clock::time_point::max(); ///< Set at its start.
  bool Over = false;
};
using WorkList = std::vector<std::shared_ptr<Work>>;

struct Device {
  int Ordinal = 0;
  WorkList Running;
  uint64_t LocalBytes = 1024; ///< A thread, reserved; the stack limit.
  bool PrintfStarted = false;
  bool HeapStarted = false;
  size_t PrintfBytes = 1 << 20;
  size_t HeapBytes = 8 << 20;
  uint64_t Allocated = 0; ///< Through cuMemAlloc.
};

struct Context {
  Device *On = nullptr;
  uint64_t Id = 0;
  CUgreenCtx Green = nullptr; ///< Where it is a green context's.
  bool Primary = false;       ///< Active where it has been retained.
  std::unique_ptr<Stream> Default;
};

struct GreenContext {
  Device *On = nullptr;
  unsigned Sms = 0;
  Context *View = nullptr;
};

struct Stream {
  Context *In = nullptr;
  unsigned Flags = 0;
  WorkList Pending; ///< What the end of the stream waits for.
  CUgreenCtx Green = nullptr;
  bool CapturesGlobally = false;
};

struct Event {
  WorkList Pending;
  Clock::time_point Recorded{};
  bool IsRecorded = false;
};

struct Library;

/// A kernel of a library, or a function of a module; both kinds of handle
/// point here.
struct Kernel {
  Library *In = nullptr;
  kplan::image::KernelCode Code;
  int64_t MaxDynamicShared[DeviceCount];
  int64_t Attributes[DeviceCount][16] = {};
  CUfunc_cache Cache = CU_FUNC_CACHE_PREFER_NONE;
  bool Loaded[DeviceCount] = {};
};

/// Loaded by cuLibraryLoadData, or by cuModuleLoadData and its like.
struct Library {
  bool IsModule = false;
  uint64_t Home = 0; ///< Of a module: see State::home(); it goes with it.
  /// Its code could not be read (compressed): any name is a kernel of it.
  bool Opaque = false;
  std::map<std::string, std::unique_ptr<Kernel>> Kernels;
  std::map<std::string, std::vector<char>> Globals;
  bool Resident[DeviceCount] = {};

  Kernel *kernel(const std::string &Name);
};

class State {
public:
  static State &get();

  std::mutex Mutex;
  std::condition_variable Changed;
  bool Initialised = false;
  bool Eager = false;
  uint64_t NextContextId = 1;
  Device Devices[DeviceCount];
  Context *Primary[DeviceCount] = {};
  unsigned PrimaryCount[DeviceCount] = {};
  unsigned GlobalCaptures = 0; ///< Streams that capture in global mode.
  unsigned Waiting = 0;        ///< Threads that wait for work on a device.
  std::vector<std::string> Blockers; ///< Symbol patterns.

  template <typename T> using Handles = std::map<T *, std::unique_ptr<T>>;
  Handles<Context> Contexts;
  Handles<GreenContext> GreenContexts;
  Handles<Stream> Streams;
  Handles<Event> Events;
  Handles<Library> Libraries;
  std::set<Kernel *> Kernels; ///< Of all libraries.
  std::map<void *, size_t> DeviceMemory, HostMemory;

  template <typename T> static T *find(Handles<T> &In, void *Handle) {
    auto It = In.find(static_cast<T *>(Handle));
    return It == In.end() ? nullptr : It->first;
  }
  template <typename T> static T *add(Handles<T> &To, std::unique_ptr<T> What) {
    T *Handle = What.get();
    To.emplace(Handle, std::move(What));
    return Handle;
  }

  Kernel *kernel(void *Handle) {
    auto It = Kernels.find(static_cast<Kernel *>(Handle));
    return It == Kernels.end() ? nullptr : *It;
  }
  /// Also the default streams, of the current context. Null: no such stream.
  Stream *stream(CUstream Handle);

  /// The calling thread's context stack; the last is current.
  static std::vector<Context *> &stack();
  /// How it takes captures of others: cuThreadExchangeStreamCaptureMode.
  static CUstreamCaptureMode &captureMode();
  Context *current();
  Device *currentDevice();

  Context *createContext(Device &On);
  void destroyContext(Context *C);
  /// Not active yet where it is new.
  Context *primary(int Ordinal);
  Context *retainPrimary(int Ordinal);
  void releasePrimary(int Ordinal);
  void forgetDevice(int Ordinal); ///< What a reset takes away.
  /// What a module belongs to: the primary context, also of a green one; or a
  /// private context by itself.
  uint64_t home(const Context &C) const;
  void dropModules(uint64_t Home);
  void drop(Library *L);

  uint64_t memoryInUse(const Device &D) const;
  bool isBlocker(const std::string &Symbol) const;

private:
  State();
};

/// Whether a blocking kernel is over. \p MayTimeOut: the asker depends on it
/// from another stream, so that its time counts.
bool isOver(Work &W, bool MayTimeOut);
/// Waits until it is over: really, until its time is up.
void waitFor(State &S, Lock &L, const WorkList &List);
/// Every kernel that runs on the device.
void waitForDevice(State &S, Lock &L, Device &D);
/// Drops what is over.
void prune(WorkList &List);

} // namespace standin

#endif // KPLAN_STANDIN_STATE_H
