//===- FakeDriver.h - A driver in memory, for unit tests ------------------===//
//
// Part of kplan. A DriverApi whose functions keep a small model: devices with
// a primary context each, libraries, kernels, and per thread a context stack.
// Any call can be made to fail. One driver at a time, since the functions are
// plain C; it answers from several threads.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_FAKEDRIVER_H
#define KPLAN_RUNTIME_FAKEDRIVER_H

#include "DriverApi.h"
#include "Registry.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace kplan::runtime {

struct FakeContext {
  uint64_t Id = 0;
  int Device = 0;
  bool Green = false;
  bool Active = true; ///< A primary one can be current before it is.
};

struct FakeLibrary;

struct FakeKernel {
  FakeLibrary *Library = nullptr;
  std::string Symbol;
  bool Loaded = false;
  std::map<int, int> Attributes; ///< Those that can be set, and SHARED_SIZE.
  int LocalBytes = 0;
  int CacheConfigs = 0; ///< How often one was set.
};

struct FakeLibrary {
  bool Resident = false;
  bool FromImage = false; ///< By a load, not by a test.
  bool Unloaded = false;
  std::deque<FakeKernel> Kernels;
  std::vector<std::string> Globals;
};

class FakeDriver {
public:
  FakeDriver();
  ~FakeDriver();
  FakeDriver(const FakeDriver &) = delete;
  FakeDriver &operator=(const FakeDriver &) = delete;

  DriverApi Api; ///< A test may remove optional functions.

  /// The CUDA runtime of a link unit. Its failing calls go by the names
  /// "cudaGetKernel", "cudaGetSymbolAddress", "cudaGetDevice",
  /// "cudaInitDevice".
  static const kplan_link_unit *unit();

  /// Makes the calling thread's context current, as the program would.
  void makeCurrent(FakeContext *Context);
  FakeContext *activatePrimary(int Device = 0);
  FakeContext *createGreen(int Device = 0);
  FakeContext *createPrivate(int Device = 0);
  /// As cudaDeviceReset: all code is gone.
  void resetDevice(int Device);

  FakeLibrary &addLibrary() { return Libraries.emplace_back(); }
  FakeKernel &addKernel(FakeLibrary &Library, std::string Symbol);
  /// What the glue would register, for `Registry` or a snapshot: the kernel
  /// itself is its host stub.
  static RegisteredImage image(uint64_t Serial, FakeLibrary &Library);

  /// The `Nth` call (from 1) of `Call` fails; "KernelGetFunction".
  void fail(std::string Call, int Nth, CUresult Error = CUDA_ERROR_UNKNOWN);
  int calls(const std::string &Call) const;
  /// Whether the failure that was asked for happened.
  bool failed() const { return Failed; }

  /// What a program would find changed: empty, or a complaint.
  std::string disturbance() const;

  // The rest is for the functions of the table.
  CUresult enter(const char *Call);

  mutable std::recursive_mutex Mutex;
  std::deque<FakeContext> Contexts;
  std::deque<FakeLibrary> Libraries; ///< Deques: addresses are handles.
  struct Device {
    FakeContext *Primary = nullptr;
    int References = 0;
  };
  std::vector<Device> Devices{2};
  std::map<CUlimit, size_t> Limits{{CU_LIMIT_STACK_SIZE, 1024},
                                   {CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20},
                                   {CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20}};
  size_t FreeMemory = size_t(8) << 30;
  int OptInShared = 232448;
  int FrameLoss = 0;       ///< Frames of kplan's kernels come out smaller.
  static int &lastError(); ///< Of the CUDA runtime, the calling thread's.
  int CurrentDevice = 0;   ///< Of the CUDA runtime.
  int OpenStreams = 0;
  int RelaxedThreads = 0;
  int StackDepth = 0; ///< Pushed and not popped, all threads together.
  std::vector<std::string> Launched;   ///< Entries of kplan's own kernels.
  std::vector<int> GlobalsAsked;       ///< Of the CUDA runtime, by their value.
  std::vector<std::string> NamesAsked; ///< Of libraries and modules.

private:
  std::map<std::string, int> Calls;
  std::string FailCall;
  int FailAt = 0;
  CUresult FailWith = CUDA_SUCCESS;
  std::atomic<bool> Failed{false};
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_FAKEDRIVER_H
