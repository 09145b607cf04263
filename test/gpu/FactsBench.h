//===- FactsBench.h - One call beside a running kernel --------------------===//
//
// Two green contexts of device 0: A runs a blocking kernel on every SM it has,
// B is where the call under test is made. measure() tells whether the call
// (host) or the work that it put on B (device) waited for A. The question is
// answered by asking whether A's kernel is still running, not by comparing
// times: the kernel ends by itself after a time-out or when the host says so,
// and writes down which of the two it was.
//
// One Bench a process: a first use happens once.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TEST_GPU_FACTSBENCH_H
#define KPLAN_TEST_GPU_FACTSBENCH_H

#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>
#include <string_view>
#include <vector>

namespace facts {

[[noreturn]] inline void fail(const char *File, int Line, const char *Call,
                              const char *Why) {
  std::fprintf(stderr, "%s:%d: error: %s: %s\n", File, Line, Call, Why);
  std::exit(2);
}
inline const char *why(CUresult Code) {
  const char *Name = nullptr;
  return cuGetErrorName(Code, &Name) == CUDA_SUCCESS ? Name : "unknown";
}
inline const char *why(cudaError_t Code) { return cudaGetErrorName(Code); }

#define CHECK(CALL)                                                            \
  do {                                                                         \
    if (auto Code_ = (CALL); static_cast<int>(Code_) != 0)                     \
      ::facts::fail(__FILE__, __LINE__, #CALL, ::facts::why(Code_));           \
  } while (false)

/// A's kernel. One thread a block; block i says that it runs in Started[i];
/// all leave when *Release is set or the device's clock passes the time-out.
inline constexpr const char HoldPtx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry hold(.param .u64 release, .param .u64 timeout,
                     .param .u64 started, .param .u64 ended) {
  .reg .pred %p<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [release];
  ld.param.u64 %rd2, [timeout];
  ld.param.u64 %rd3, [started];
  ld.param.u64 %rd4, [ended];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd6, %rd3, %rd5;
  mov.u32 %r2, 1;
  st.volatile.u32 [%rd6], %r2;
  membar.sys;
  mov.u64 %rd7, %globaltimer;
  add.u64 %rd8, %rd7, %rd2;
SPIN:
  ld.volatile.u32 %r3, [%rd1];
  mov.u32 %r4, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra DONE;
  mov.u64 %rd9, %globaltimer;
  setp.lt.u64 %p2, %rd9, %rd8;
  @%p2 bra SPIN;
  mov.u32 %r4, 2;
DONE:
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra LEAVE;
  st.volatile.u32 [%rd4], %r4;
  membar.sys;
LEAVE:
  ret;
}
)";

enum class Verdict { Ok, HostStall, DeviceStall };

inline const char *name(Verdict V) {
  switch (V) {
  case Verdict::HostStall:
    return "host stall";
  case Verdict::DeviceStall:
    return "device stall";
  case Verdict::Ok:
    break;
  }
  return "ok";
}

struct Sample {
  double HostMs = 0;
  double DoneMs = 0;
  Verdict What = Verdict::Ok;
};

class Bench {
public:
  /// \param GreenCurrent B's context is current, not the primary one.
  Bench(double HoldMs, bool GreenCurrent)
      : HoldNs(static_cast<uint64_t>(HoldMs * 1e6)) {
    CHECK(cudaSetDevice(0));
    CHECK(cuCtxGetCurrent(&Primary));
    CHECK(cuDeviceGet(&Device, 0));
    splitDevice();
    CHECK(cuMemHostAlloc(&Mapped, (MaxSms + 3) * sizeof(int),
                         CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
    Release = static_cast<volatile int *>(Mapped);
    Ended = Release + 1;
    Out = const_cast<int *>(Release + 2);
    Started = Release + 3;
    CHECK(cuCtxSetCurrent(Primary));
    CUmodule Module;
    CHECK(cuModuleLoadData(&Module, HoldPtx));
    CHECK(cuModuleGetFunction(&Hold, Module, "hold"));
    CHECK(cuStreamCreate(&PrimaryStream, CU_STREAM_NON_BLOCKING));
    if (GreenCurrent)
      CHECK(cuCtxSetCurrent(B));
    // Once for nothing, so that the blocking kernel has no first use.
    startHold(0);
    CHECK(cuStreamSynchronize(StreamA));
  }

  /// Makes `Call` beside A's running kernel. The first measurement is the
  /// row's result; later ones are for notes.
  template <typename Function> Sample measure(Function Call) {
    startHold(HoldNs);
    auto Begin = std::chrono::steady_clock::now();
    auto Elapsed = [&] {
      return std::chrono::duration<double, std::milli>(
                 std::chrono::steady_clock::now() - Begin)
          .count();
    };
    Sample S;
    Call();
    S.HostMs = Elapsed();
    const bool Returned = holds();
    CUresult Done;
    while ((Done = cuStreamQuery(StreamB)) == CUDA_ERROR_NOT_READY)
      ;
    CHECK(Done);
    S.DoneMs = Elapsed();
    S.What = !Returned ? Verdict::HostStall
             : holds() ? Verdict::Ok
                       : Verdict::DeviceStall;
    ReleaseMs = Elapsed();
    *Release = 1;
    CHECK(cuStreamSynchronize(StreamA));
    ReleaseMs = Elapsed() - ReleaseMs;
    if (!Measured)
      Result = S;
    Measured = true;
    return S;
  }

  /// Whether A's kernel is running.
  bool holds() const {
    return *Ended == 0 && cuStreamQuery(StreamA) == CUDA_ERROR_NOT_READY;
  }
  /// How A's last kernel ended: 1 the host released it, 2 the time-out.
  int ended() const { return *Ended; }

  /// Free device memory, in bytes.
  size_t freeBytes() {
    size_t Free = 0, Total = 0;
    CHECK(cuMemGetInfo(&Free, &Total));
    return Free;
  }

  /// Appends to the row's remark.
  [[gnu::format(printf, 2, 3)]] void note(const char *Format, ...) {
    char Text[256];
    va_list Arguments;
    va_start(Arguments, Format);
    std::vsnprintf(Text, sizeof Text, Format, Arguments);
    va_end(Arguments);
    Note += (Note.empty() ? "" : "; ") + std::string(Text);
  }

  /// Runs `Body` with the given context current.
  template <typename Function> void on(CUcontext Context, Function Body) {
    CHECK(cuCtxPushCurrent(Context));
    Body();
    CHECK(cuCtxPopCurrent(nullptr));
  }
  template <typename Function> void onPrimary(Function Body) {
    on(Primary, Body);
  }

  CUdevice Device = 0;
  CUcontext Primary = nullptr, A = nullptr, B = nullptr;
  CUstream StreamA = nullptr, StreamB = nullptr, PrimaryStream = nullptr;
  int SmsA = 0, SmsB = 0;
  int *Out = nullptr; ///< One mapped word that kernels write.
  double ReleaseMs = 0;
  Sample Result;
  bool Measured = false;
  std::string Note;

private:
  static constexpr int MaxSms = 1024;

  void splitDevice() {
    CUdevResource All{}, PartA{}, PartB{};
    CHECK(cuDeviceGetDevResource(Device, &All, CU_DEV_RESOURCE_TYPE_SM));
    // A count between two steps of 8 would be rounded up, at B's cost.
    unsigned Groups = 1;
    CHECK(cuDevSmResourceSplitByCount(&PartA, &Groups, &All, &PartB, 0,
                                      All.sm.smCount / 16 * 8));
    auto Create = [&](CUdevResource &Part, CUcontext &Context,
                      CUstream &Stream) {
      CUdevResourceDesc Descriptor;
      CHECK(cuDevResourceGenerateDesc(&Descriptor, &Part, 1));
      CUgreenCtx Green;
      CHECK(cuGreenCtxCreate(&Green, Descriptor, Device,
                             CU_GREEN_CTX_DEFAULT_STREAM));
      CHECK(cuCtxFromGreenCtx(&Context, Green));
      CHECK(cuGreenCtxStreamCreate(&Stream, Green, CU_STREAM_NON_BLOCKING, 0));
      return static_cast<int>(Part.sm.smCount);
    };
    SmsA = Create(PartA, A, StreamA);
    SmsB = Create(PartB, B, StreamB);
    if (SmsA > MaxSms)
      fail(__FILE__, __LINE__, "splitDevice", "more SMs than expected");
  }

  /// Returns when every block of A's kernel runs.
  void startHold(uint64_t Nanoseconds) {
    *Release = 0;
    *Ended = 0;
    for (int I = 0; I < SmsA; ++I)
      Started[I] = 0;
    const volatile int *ReleaseArgument = Release;
    const volatile int *StartedArgument = Started, *EndedArgument = Ended;
    void *Arguments[] = {&ReleaseArgument, &Nanoseconds, &StartedArgument,
                         &EndedArgument};
    onPrimary([&] {
      CHECK(cuLaunchKernel(Hold, SmsA, 1, 1, 1, 1, 1, 0, StreamA, Arguments,
                           nullptr));
    });
    for (int I = 0; I < SmsA; ++I)
      while (Started[I] == 0)
        if (cuStreamQuery(StreamA) == CUDA_SUCCESS && Started[I] == 0)
          fail(__FILE__, __LINE__, "hold", "ended before it started");
  }

  uint64_t HoldNs;
  CUfunction Hold = nullptr;
  void *Mapped = nullptr;
  volatile int *Release = nullptr, *Ended = nullptr, *Started = nullptr;
};

} // namespace facts

#endif // KPLAN_TEST_GPU_FACTSBENCH_H
