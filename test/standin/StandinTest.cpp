//===- StandinTest.cpp - What waits, row by row ---------------------------===//
//
// Each row is one of test/gpu/facts.cu, where it was measured on a GPU. A
// kernel runs in green context A while the call is made for B; "waited" means
// that A's kernel was over when the call came back.
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <gtest/gtest.h>
#include <string>

namespace {

constexpr char Image[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 value = 7;
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.visible .entry plain() { ret; }
.visible .entry other() { ret; }
.visible .entry big() { .local .align 16 .b8 x[16384]; ret; }
.visible .entry prints() { call.uni (r), vprintf, (f, a); ret; }
.visible .entry allocates() { call.uni (r), malloc, (n); ret; }
)";
constexpr char HoldImage[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry _Z4holdPVKiy(.param .u64 release, .param .u64 limit) { ret; }
)";

#define OK(Call) ASSERT_EQ(Call, CUDA_SUCCESS)

class Standin : public testing::Test {
protected:
  void SetUp() override {
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&Primary, 0));
    OK(cuDevicePrimaryCtxReset(0)); // what earlier tests put in place
    OK(cuCtxSetCurrent(Primary));
    CUdevResource All, Half, Rest;
    unsigned Groups = 1;
    OK(cuDeviceGetDevResource(0, &All, CU_DEV_RESOURCE_TYPE_SM));
    OK(cuDevSmResourceSplitByCount(&Half, &Groups, &All, &Rest, 0, 64));
    green(Half, GreenA, A);
    green(Rest, GreenB, B);

    OK(cuMemHostAlloc(&Memory, sizeof(int), CU_MEMHOSTALLOC_DEVICEMAP));
    Release = static_cast<int *>(Memory);
    OK(cuLibraryLoadData(&HoldLibrary, HoldImage, nullptr, nullptr, 0, nullptr,
                         nullptr, 0));
    CUkernel Kernel;
    OK(cuLibraryGetKernel(&Kernel, HoldLibrary, "_Z4holdPVKiy"));
    OK(cuKernelGetFunction(&Hold, Kernel));
    OK(cuLibraryLoadData(&Library, Image, nullptr, nullptr, 0, nullptr, nullptr,
                         0));
  }

  void TearDown() override {
    *Release = 1;
    cuStreamSynchronize(A);
    cuStreamDestroy(A);
    cuStreamDestroy(B);
    cuGreenCtxDestroy(GreenA);
    cuGreenCtxDestroy(GreenB);
    cuLibraryUnload(Library);
    cuLibraryUnload(HoldLibrary);
    cuMemFreeHost(Memory);
    cuDevicePrimaryCtxRelease(0);
  }

  static void green(CUdevResource Sms, CUgreenCtx &Green, CUstream &Stream) {
    CUdevResourceDesc Descriptor;
    OK(cuDevResourceGenerateDesc(&Descriptor, &Sms, 1));
    OK(cuGreenCtxCreate(&Green, Descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    OK(cuGreenCtxStreamCreate(&Stream, Green, CU_STREAM_NON_BLOCKING, 0));
  }

  CUkernel kernel(const char *Name) {
    CUkernel K = nullptr;
    EXPECT_EQ(cuLibraryGetKernel(&K, Library, Name), CUDA_SUCCESS);
    return K;
  }
  CUfunction function(const char *Name) {
    CUfunction F = nullptr;
    EXPECT_EQ(cuKernelGetFunction(&F, kernel(Name)), CUDA_SUCCESS);
    return F;
  }
  /// A launch by the kernel's own handle, which touches nothing beforehand.
  CUresult launch(const char *Name) {
    return cuLaunchKernel(reinterpret_cast<CUfunction>(kernel(Name)), 1, 1, 1,
                          1, 1, 1, 0, B, nullptr, nullptr);
  }
  void makeResident() {
    CUmodule M;
    OK(cuLibraryGetModule(&M, Library));
  }

  void startHold() {
    *Release = 0;
    unsigned long long Nanoseconds = 2'000'000;
    void *Arguments[] = {&Release, &Nanoseconds};
    OK(cuLaunchKernel(Hold, 64, 1, 1, 1, 1, 1, 0, A, Arguments, nullptr));
  }
  bool holdRuns() const { return cuStreamQuery(A) == CUDA_ERROR_NOT_READY; }

  enum Verdict { Ok, HostStall, DeviceStall };
  template <typename Use> Verdict beside(Use Do) {
    startHold();
    EXPECT_EQ(Do(), CUDA_SUCCESS);
    const bool RanAtReturn = holdRuns();
    EXPECT_EQ(cuStreamSynchronize(B), CUDA_SUCCESS);
    const bool RanWhenDone = holdRuns();
    *Release = 1;
    EXPECT_EQ(cuStreamSynchronize(A), CUDA_SUCCESS);
    return !RanAtReturn ? HostStall : !RanWhenDone ? DeviceStall : Ok;
  }

  CUcontext Primary = nullptr;
  CUgreenCtx GreenA = nullptr, GreenB = nullptr;
  CUstream A = nullptr, B = nullptr;
  CUlibrary Library = nullptr, HoldLibrary = nullptr;
  CUfunction Hold = nullptr;
  void *Memory = nullptr;
  int *Release = nullptr;
};

TEST_F(Standin, SaysThatItIsSimulated) {
  char Name[64];
  OK(cuDeviceGetName(Name, sizeof Name, 0));
  EXPECT_STREQ(Name, "kplan stand-in driver (simulated)");
}

TEST_F(Standin, KernelRunsUntilItIsReleased) {
  startHold();
  EXPECT_TRUE(holdRuns());
  *Release = 1;
  EXPECT_FALSE(holdRuns());
}

// First touch of a library.
TEST_F(Standin, FirstAttributeSetWaits) {
  EXPECT_EQ(beside([&] {
              return cuKernelSetAttribute(
                  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536,
                  kernel("plain"), 0);
            }),
            HostStall);
}
TEST_F(Standin, FirstGetFunctionWaits) {
  EXPECT_EQ(beside([&] {
              CUfunction F;
              return cuKernelGetFunction(&F, kernel("plain"));
            }),
            HostStall);
}
TEST_F(Standin, FirstLaunchOfALibraryWaits) {
  EXPECT_EQ(beside([&] { return launch("plain"); }), HostStall);
}
TEST_F(Standin, FirstGlobalWaits) {
  EXPECT_EQ(beside([&] {
              CUdeviceptr P;
              return cuLibraryGetGlobal(&P, nullptr, Library, "value");
            }),
            HostStall);
}
TEST_F(Standin, GetKernelTouchesNothing) {
  EXPECT_EQ(beside([&] {
              CUkernel K;
              return cuLibraryGetKernel(&K, Library, "plain");
            }),
            Ok);
  EXPECT_EQ(beside([&] { return launch("plain"); }), HostStall);
}
TEST_F(Standin, GetAttributeTouchesNothing) {
  EXPECT_EQ(beside([&] {
              int Bytes;
              return cuKernelGetAttribute(&Bytes,
                                          CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                          kernel("plain"), 0);
            }),
            Ok);
  EXPECT_EQ(beside([&] { return launch("plain"); }), HostStall);
}

// In a resident library.
TEST_F(Standin, FirstLaunchInAResidentLibraryHoldsTheDevice) {
  makeResident();
  EXPECT_EQ(beside([&] { return launch("plain"); }), DeviceStall);
  EXPECT_EQ(beside([&] { return launch("plain"); }), Ok);
}
TEST_F(Standin, OneFunctionLoadedDoesNotLoadAnother) {
  function("plain");
  EXPECT_EQ(beside([&] { return launch("plain"); }), Ok);
  EXPECT_EQ(beside([&] { return launch("other"); }), DeviceStall);
}
TEST_F(Standin, AskingWhatIsLoadedLoadsNothing) {
  makeResident();
  CUfunctionLoadingState Before, After;
  const auto F = reinterpret_cast<CUfunction>(kernel("plain"));
  OK(cuFuncIsLoaded(&Before, F));
  OK(cuFuncIsLoaded(&After, F));
  EXPECT_EQ(Before, CU_FUNCTION_LOADING_STATE_UNLOADED);
  EXPECT_EQ(After, CU_FUNCTION_LOADING_STATE_UNLOADED);
}
TEST_F(Standin, LaunchAfterAnAttributeSetIsFree) {
  OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          65536, kernel("plain"), 0));
  EXPECT_EQ(beside([&] { return launch("plain"); }), Ok);
}

// Local memory, printf, malloc.
TEST_F(Standin, MoreLocalMemoryThanBeforeWaits) {
  function("big");
  EXPECT_EQ(beside([&] { return launch("big"); }), HostStall);
  EXPECT_EQ(beside([&] { return launch("big"); }), Ok);
}
TEST_F(Standin, LocalMemoryCostsDeviceMemory) {
  size_t Before, After, Total;
  OK(cuMemGetInfo(&Before, &Total));
  OK(launch("big"));
  OK(cuMemGetInfo(&After, &Total));
  EXPECT_EQ(Before - After, (16384u - 1024u) * 132 * 2048);
}
TEST_F(Standin, FirstPrintfHoldsTheDevice) {
  function("prints");
  EXPECT_EQ(beside([&] { return launch("prints"); }), DeviceStall);
  EXPECT_EQ(beside([&] { return launch("prints"); }), Ok);
}
TEST_F(Standin, PrintfDoesNotStartTheHeap) {
  function("allocates");
  OK(launch("prints"));
  EXPECT_EQ(beside([&] { return launch("allocates"); }), DeviceStall);
}
TEST_F(Standin, PrintfBufferCannotBeResizedAfterwards) {
  OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
  OK(launch("prints"));
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20),
            CUDA_ERROR_INVALID_VALUE);
}

// Loads, unloads, memory, limits.
TEST_F(Standin, LibraryLoadIsFreeModuleLoadWaits) {
  CUlibrary L = nullptr;
  CUmodule M = nullptr;
  EXPECT_EQ(beside([&] {
              return cuLibraryLoadData(&L, Image, nullptr, nullptr, 0, nullptr,
                                       nullptr, 0);
            }),
            Ok);
  EXPECT_EQ(beside([&] { return cuModuleLoadData(&M, Image); }), HostStall);
  OK(cuLibraryUnload(L));
  OK(cuModuleUnload(M));
}
TEST_F(Standin, UnloadWaitsWhereTheLibraryWasTouched) {
  CUlibrary L = nullptr;
  OK(cuLibraryLoadData(&L, Image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_EQ(beside([&] { return cuLibraryUnload(L); }), Ok);
  OK(cuLibraryLoadData(&L, Image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUmodule M;
  OK(cuLibraryGetModule(&M, L));
  EXPECT_EQ(beside([&] { return cuLibraryUnload(L); }), HostStall);
}
TEST_F(Standin, FreeWaitsAllocationDoesNot) {
  CUdeviceptr P;
  EXPECT_EQ(beside([&] { return cuMemAlloc(&P, 1 << 20); }), Ok);
  EXPECT_EQ(beside([&] { return cuMemFree(P); }), HostStall);
}
TEST_F(Standin, RaisingTheStackLimitWaits) {
  EXPECT_EQ(beside([] { return cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024); }),
            Ok);
  EXPECT_EQ(beside([] { return cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096); }),
            HostStall);
}
TEST_F(Standin, ResidencyIsPerDevice) {
  makeResident();
  CUcontext Second;
  OK(cuDevicePrimaryCtxRetain(&Second, 1));
  OK(cuCtxPushCurrent(Second));
  CUstream S;
  OK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING));
  CUmodule M;
  EXPECT_EQ(cuLibraryGetModule(&M, Library), CUDA_SUCCESS);
  OK(cuStreamDestroy(S));
  CUcontext Popped;
  OK(cuCtxPopCurrent(&Popped));
  // A load on device 1 does not wait for device 0.
  EXPECT_EQ(beside([&] {
              cuCtxPushCurrent(Second);
              CUmodule Loaded;
              const CUresult R = cuModuleLoadData(&Loaded, Image);
              CUcontext Out;
              cuCtxPopCurrent(&Out);
              return R;
            }),
            Ok);
  OK(cuDevicePrimaryCtxRelease(1));
}

// Errors, as a driver reports them.
TEST_F(Standin, TooMuchDynamicSharedMemoryIsAnInvalidValue) {
  EXPECT_EQ(cuLaunchKernel(function("plain"), 1, 1, 1, 1, 1, 1, 65536, B,
                           nullptr, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}
TEST_F(Standin, UnknownHandlesAreRefused) {
  int Storage = 0;
  EXPECT_EQ(cuStreamQuery(reinterpret_cast<CUstream>(&Storage)),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuLibraryUnload(reinterpret_cast<CUlibrary>(&Storage)),
            CUDA_ERROR_INVALID_HANDLE);
}
TEST_F(Standin, UnknownKernelIsNotFound) {
  CUkernel K;
  EXPECT_EQ(cuLibraryGetKernel(&K, Library, "nobody"), CUDA_ERROR_NOT_FOUND);
}
TEST_F(Standin, BytesThatAreNoImageAreRefused) {
  CUmodule M;
  EXPECT_EQ(cuModuleLoadData(&M, "no image at all"), CUDA_ERROR_INVALID_IMAGE);
}

} // namespace
