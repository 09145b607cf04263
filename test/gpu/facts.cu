//===- facts.cu - What the runtime relies on, measured again --------------===//
//
//   nvcc -arch=sm_90 facts.cu -o facts -lcuda && ./facts
//
// One row a fact, each in a process of its own (a first use happens once): the
// call, how long it held the host, when B's work was done, and whether the
// call or the work waited for the kernel that runs in the other green context.
// `expected` is what kplan is built on; rows with `?` are open questions.
//
//   facts [--json FILE] [--hold-ms N] [--only PREFIX] [--list]
//
// Exit status: 0 as expected, 1 a row differs, 2 a row could not be measured.
//
//===----------------------------------------------------------------------===//

#include "FactsBench.h"

#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

using namespace facts;

//===----------------------------------------------------------------------===//
// The program's own kernels. They make up one library, which nothing touches
// before a row does: the blocking kernel comes from PTX.
//===----------------------------------------------------------------------===//

__device__ int ProgramGlobal;

__global__ void plain(int *Out) { *Out = 1; }
__global__ void other(int *Out) { *Out = 2; }
__global__ void readsGlobal(int *Out) { *Out = ProgramGlobal; }
__global__ void shared(int *Out) {
  extern __shared__ int Buffer[];
  Buffer[threadIdx.x] = 3;
  *Out = Buffer[threadIdx.x];
}

static constexpr int BigLocalBytes = 16384;
__global__ void bigLocal(int *Out, int Index) {
  volatile char Buffer[BigLocalBytes];
  Buffer[Index] = 4;
  *Out = Buffer[Index * Index];
}
__global__ void prints(int *Out, int Go) {
  if (Go)
    printf("%d\n", Go);
  *Out = 5;
}
__global__ void asserts(int *Out, int Go) {
  assert(Go == 0);
  *Out = 6;
}
__global__ void allocates(int *Out, int Go) {
  if (Go) {
    void *Block = malloc(64);
    *Out = Block ? 7 : -1;
    free(Block);
  }
}

//===----------------------------------------------------------------------===//
// Small PTX kernels: candidates for what priming could launch itself.
//===----------------------------------------------------------------------===//

static std::string localPtx(unsigned Bytes) {
  // Two indices that the compiler cannot compare keep the array in memory.
  return R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry cure(.param .u64 out, .param .u32 index) {
  .local .align 16 .b8 buffer[)" +
         std::to_string(Bytes) + R"(];
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [index];
  mul.lo.u32 %r2, %r1, %r1;
  mov.u64 %rd2, buffer;
  cvt.u64.u32 %rd3, %r1;
  add.u64 %rd4, %rd2, %rd3;
  cvt.u64.u32 %rd5, %r2;
  add.u64 %rd6, %rd2, %rd5;
  mov.u32 %r3, 9;
  st.local.u8 [%rd4], %r3;
  ld.local.u8 %r4, [%rd6];
  st.u32 [%rd1], %r4;
  ret;
}
)";
}

static constexpr char PrintfPtx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 newline[2] = {10, 0};
.visible .entry cure(.param .u64 out, .param .u32 go) {
  .reg .pred %p1;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [go];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd1, newline;
  cvta.global.u64 %rd2, %rd1;
  mov.u64 %rd3, 0;
  {
    .param .b64 format;
    st.param.b64 [format], %rd2;
    .param .b64 arguments;
    st.param.b64 [arguments], %rd3;
    .param .b32 result;
    call.uni (result), vprintf, (format, arguments);
  }
DONE:
  ret;
}
)";

static constexpr char MallocPtx[] = R"(
.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 block);
.visible .entry cure(.param .u64 out, .param .u32 go) {
  .reg .pred %p1;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [go];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %rd1, 64;
  {
    .param .b64 bytes;
    st.param.b64 [bytes], %rd1;
    .param .b64 result;
    call.uni (result), malloc, (bytes);
    ld.param.b64 %rd2, [result];
  }
  {
    .param .b64 block;
    st.param.b64 [block], %rd2;
    call.uni free, (block);
  }
DONE:
  ret;
}
)";

/// Loads a PTX kernel on the primary context and launches one thread of it.
static void launchCure(Bench &B, const char *Ptx, CUmodule *Keep = nullptr) {
  B.onPrimary([&] {
    CUmodule Module;
    CUfunction Function;
    CHECK(cuModuleLoadData(&Module, Ptx));
    CHECK(cuModuleGetFunction(&Function, Module, "cure"));
    int *Out = B.Out;
    int Zero = 0;
    void *Arguments[] = {&Out, &Zero};
    CHECK(cuLaunchKernel(Function, 1, 1, 1, 1, 1, 1, 0, B.PrimaryStream,
                         Arguments, nullptr));
    CHECK(cuStreamSynchronize(B.PrimaryStream));
    if (Keep)
      *Keep = Module;
    else
      CHECK(cuModuleUnload(Module));
  });
}

/// A cubin of PTX text, made without touching the device.
static std::vector<char> cubinOf(const char *Ptx) {
  CUlinkState State;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &State));
  CHECK(cuLinkAddData(State, CU_JIT_INPUT_PTX, const_cast<char *>(Ptx),
                      std::strlen(Ptx) + 1, "facts", 0, nullptr, nullptr));
  void *Data;
  size_t Size;
  CHECK(cuLinkComplete(State, &Data, &Size));
  std::vector<char> Cubin(static_cast<char *>(Data),
                          static_cast<char *>(Data) + Size);
  CHECK(cuLinkDestroy(State));
  return Cubin;
}

//===----------------------------------------------------------------------===//
// Steps that several rows share.
//===----------------------------------------------------------------------===//

template <typename... Parameters>
static CUkernel kernelOf(void (*Stub)(Parameters...)) {
  cudaKernel_t Kernel;
  CHECK(cudaGetKernel(&Kernel, reinterpret_cast<const void *>(Stub)));
  return reinterpret_cast<CUkernel>(Kernel);
}

template <typename... Parameters>
static CUfunction load(void (*Stub)(Parameters...)) {
  CUfunction Function;
  CHECK(cuKernelGetFunction(&Function, kernelOf(Stub)));
  return Function;
}

static CUlibrary libraryOf(CUkernel Kernel) {
  CUlibrary Library;
  CHECK(cuKernelGetLibrary(&Library, Kernel));
  return Library;
}

template <typename... Parameters, typename... Values>
static void launch(Bench &B, void (*Stub)(Parameters...), Values... Rest) {
  int *Out = B.Out;
  void *Arguments[] = {&Out, &Rest...};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(Stub), 1, 1, Arguments,
                         0, B.StreamB));
}

/// Four blocks in clusters of two.
static void launchClusters(Bench &B, void (*Stub)(int *)) {
  cudaLaunchAttribute Cluster{};
  Cluster.id = cudaLaunchAttributeClusterDimension;
  Cluster.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t Config{};
  Config.gridDim = 4;
  Config.blockDim = 1;
  Config.stream = B.StreamB;
  Config.attrs = &Cluster;
  Config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&Config, Stub, B.Out));
}

/// Says in the note whether the program's library had been made resident: a
/// first touch of another kernel would wait.
static void noteResidency(Bench &B) {
  CUkernel Kernel = kernelOf(other);
  Sample S = B.measure([&] {
    CUfunction Function;
    CHECK(cuKernelGetFunction(&Function, Kernel));
  });
  B.note(S.What == Verdict::HostStall ? "does not make resident"
                                      : "library was resident after it");
}

static unsigned functionsLoaded(CUmodule Module) {
  unsigned Count = 0, Loaded = 0;
  CHECK(cuModuleGetFunctionCount(&Count, Module));
  std::vector<CUfunction> Functions(Count);
  CHECK(cuModuleEnumerateFunctions(Functions.data(), Count, Module));
  for (CUfunction Function : Functions) {
    CUfunctionLoadingState State;
    CHECK(cuFuncIsLoaded(&State, Function));
    Loaded += State == CU_FUNCTION_LOADING_STATE_LOADED;
  }
  return Loaded;
}

static double megabytes(size_t Before, size_t After) {
  return (static_cast<double>(Before) - static_cast<double>(After)) / 1048576.0;
}

//===----------------------------------------------------------------------===//
// The rows.
//===----------------------------------------------------------------------===//

struct Row {
  const char *Name;
  const char *Expected; ///< "ok", "host stall", "device stall", "?".
  void (*Body)(Bench &);
};

/// A row whose set-up and measured call are each one statement.
#define ROW(NAME, EXPECTED, SETUP, ...)                                        \
  {                                                                            \
    NAME, EXPECTED, [](Bench &B) {                                             \
      SETUP;                                                                   \
      B.measure([&] { __VA_ARGS__; });                                         \
    }                                                                          \
  }
/// A call that must neither wait nor make the library resident.
#define NO_TOUCH(NAME, SETUP, CALL)                                            \
  {                                                                            \
    NAME, "ok", [](Bench &B) {                                                 \
      SETUP;                                                                   \
      B.measure([&] { CALL; });                                                \
      noteResidency(B);                                                        \
    }                                                                          \
  }

static const Row Rows[] = {
    // First touch of a library.
    ROW("touch cuKernelSetAttribute", "host stall",
        CUkernel K = kernelOf(shared),
        CHECK(cuKernelSetAttribute(
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, K,
            B.Device))),
    ROW("touch cuKernelGetFunction", "host stall", CUkernel K = kernelOf(plain);
        CUfunction F, CHECK(cuKernelGetFunction(&F, K))),
    ROW("touch cuLibraryGetModule", "host stall",
        CUlibrary L = libraryOf(kernelOf(plain));
        CUmodule M, CHECK(cuLibraryGetModule(&M, L))),
    ROW("touch cudaFuncSetAttribute", "host stall", kernelOf(plain),
        CHECK(cudaFuncSetAttribute(
            shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536))),
    ROW("touch cudaFuncGetAttributes", "host stall", kernelOf(plain);
        cudaFuncAttributes Attributes,
        CHECK(cudaFuncGetAttributes(&Attributes, plain))),
    ROW("touch occupancy query", "host stall", kernelOf(plain); int Blocks,
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 32,
                                                            0))),
    ROW("touch launch", "host stall", kernelOf(plain), launch(B, plain)),
    ROW("touch cuLibraryGetGlobal", "host stall",
        CUlibrary L = libraryOf(kernelOf(plain));
        CUdeviceptr P; size_t N,
        CHECK(cuLibraryGetGlobal(&P, &N, L, "ProgramGlobal"))),
    ROW("touch cudaGetSymbolAddress", "host stall", kernelOf(plain); void *P,
        CHECK(cudaGetSymbolAddress(&P, ProgramGlobal))),
    ROW("touch cudaMemcpyToSymbolAsync", "host stall", kernelOf(plain),
        CHECK(cudaMemcpyToSymbolAsync(ProgramGlobal, B.Out, 4, 0,
                                      cudaMemcpyHostToDevice, B.StreamB))),

    // Calls that leave a library where it is.
    NO_TOUCH("no touch cudaGetKernel", , kernelOf(plain)),
    NO_TOUCH("no touch cuKernelGetLibrary", CUkernel K = kernelOf(plain),
             libraryOf(K)),
    NO_TOUCH("no touch cuKernelGetName", CUkernel K = kernelOf(plain);
             const char *Name, CHECK(cuKernelGetName(&Name, K))),
    NO_TOUCH("no touch cuLibraryGetKernel",
             CUlibrary L = libraryOf(kernelOf(plain));
             CUkernel K, CHECK(cuLibraryGetKernel(&K, L, "_Z5otherPi"))),
    NO_TOUCH("no touch cuLibraryEnumerateKernels",
             CUlibrary L = libraryOf(kernelOf(plain));
             CUkernel K[4], CHECK(cuLibraryEnumerateKernels(K, 4, L))),
    NO_TOUCH(
        "no touch cuKernelGetAttribute local", CUkernel K = kernelOf(bigLocal);
        int V, CHECK(cuKernelGetAttribute(
                   &V, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, K, B.Device));
        B.note("local %d", V)),
    NO_TOUCH("no touch cuKernelGetAttribute shared",
             CUkernel K = kernelOf(shared);
             int V,
             CHECK(cuKernelGetAttribute(
                 &V, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, K,
                 B.Device))),
    NO_TOUCH("no touch cuKernelGetParamInfo", CUkernel K = kernelOf(plain);
             size_t Offset; size_t Size,
             CHECK(cuKernelGetParamInfo(K, 0, &Offset, &Size))),
    NO_TOUCH(
        "no touch cuModuleGetLoadingMode", kernelOf(plain);
        CUmoduleLoadingMode Mode, CHECK(cuModuleGetLoadingMode(&Mode));
        B.note("mode %s", Mode == CU_MODULE_LAZY_LOADING ? "lazy" : "eager")),

    // A resident library.
    ROW("resident first launch", "device stall", load(other), launch(B, plain)),
    ROW("resident second cuKernelGetFunction", "?", load(other); load(plain),
        load(plain)),
    ROW("resident first cuKernelGetFunction", "?", load(other), load(plain)),
    ROW("resident launch after cuKernelGetFunction", "ok", load(plain),
        launch(B, plain)),
    ROW("resident launch after primary cuKernelGetFunction", "ok",
        B.onPrimary([&] { load(plain); }), launch(B, plain)),
    ROW("resident launch after cuKernelSetAttribute", "ok",
        CHECK(cuKernelSetAttribute(
            CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50,
            kernelOf(plain), B.Device)),
        launch(B, plain)),
    ROW("resident cudaFuncSetAttribute", "ok", load(shared),
        CHECK(cudaFuncSetAttribute(
            shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536))),
    ROW("resident cuKernelSetCacheConfig", "ok", load(shared),
        CHECK(cuKernelSetCacheConfig(kernelOf(shared),
                                     CU_FUNC_CACHE_PREFER_SHARED, B.Device))),
    ROW("resident occupancy query", "ok", load(plain); int Blocks,
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 32,
                                                            0))),
    ROW("resident cluster launch", "ok", load(plain), launchClusters(B, plain)),
    ROW("resident cooperative launch", "ok", load(plain); int *Out = B.Out;
        void *Arguments[] = {&Out},
        CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(plain),
                                          1, 1, Arguments, 0, B.StreamB))),
    ROW("resident global asked before", "ok",
        void *P;
        CHECK(cudaGetSymbolAddress(&P, ProgramGlobal)),
        CHECK(cudaMemcpyToSymbolAsync(ProgramGlobal, B.Out, 4, 0,
                                      cudaMemcpyHostToDevice, B.StreamB))),
    ROW("resident global after cuLibraryGetGlobal", "ok", CUdeviceptr P;
        size_t N; CHECK(cuLibraryGetGlobal(&P, &N, libraryOf(kernelOf(plain)),
                                           "ProgramGlobal")),
        CHECK(cudaMemcpyToSymbolAsync(ProgramGlobal, B.Out, 4, 0,
                                      cudaMemcpyHostToDevice, B.StreamB))),
    ROW("resident global, only a kernel touched", "?", load(plain); void *P,
        CHECK(cudaGetSymbolAddress(&P, ProgramGlobal))),

    // Asking which functions are loaded.
    {"ask cuFuncIsLoaded on a resident library", "ok",
     [](Bench &B) {
       load(other);
       CUlibrary Library = libraryOf(kernelOf(plain));
       unsigned Loaded = 0;
       B.measure([&] {
         CUmodule Module;
         CHECK(cuLibraryGetModule(&Module, Library));
         Loaded = functionsLoaded(Module);
       });
       CUmodule Module;
       CHECK(cuLibraryGetModule(&Module, Library));
       B.note("%u loaded, %u when asked again", Loaded,
              functionsLoaded(Module));
       Sample S = B.measure([&] { launch(B, plain); });
       B.note("a first launch afterwards: %s", name(S.What));
     }},
    {"ask residency under a capturing stream", "?",
     [](Bench &B) {
       CUkernel Kernel = kernelOf(plain);
       CUresult Code = CUDA_SUCCESS;
       CUfunction Function;
       CUgraph Graph;
       CHECK(cuStreamBeginCapture(B.PrimaryStream,
                                  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
       B.measure([&] { Code = cuKernelGetFunction(&Function, Kernel); });
       CHECK(cuStreamEndCapture(B.PrimaryStream, &Graph));
       B.note("cuKernelGetFunction: %s", why(Code));
     }},

    // Local memory.
    ROW("local first launch", "host stall", load(bigLocal),
        launch(B, bigLocal, 1)),
    {"local after a PTX launch of as much", "?",
     [](Bench &B) {
       load(bigLocal);
       size_t Before = B.freeBytes();
       launchCure(B, localPtx(BigLocalBytes + 64).c_str());
       B.note("%.1f MB", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, bigLocal, 1); });
       B.note("%.1f MB after the launch", megabytes(Before, B.freeBytes()));
     }},
    {"local after a PTX launch of less", "host stall",
     [](Bench &B) {
       load(bigLocal);
       launchCure(B, localPtx(BigLocalBytes / 4).c_str());
       B.measure([&] { launch(B, bigLocal, 1); });
     }},
    {"local after the stack limit on the primary context", "?",
     [](Bench &B) {
       load(bigLocal);
       size_t Before = B.freeBytes();
       B.onPrimary([&] {
         CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, BigLocalBytes + 64));
       });
       B.note("%.1f MB", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, bigLocal, 1); });
       B.note("%.1f MB after the launch", megabytes(Before, B.freeBytes()));
     }},
    {"local after the stack limit on the green context", "?",
     [](Bench &B) {
       load(bigLocal);
       size_t Before = B.freeBytes();
       CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, BigLocalBytes + 64));
       B.note("%.1f MB", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, bigLocal, 1); });
     }},
    {"local after the stack limit, restored", "?",
     [](Bench &B) {
       load(bigLocal);
       size_t Before = B.freeBytes(), Old = 0;
       B.onPrimary([&] {
         CHECK(cuCtxGetLimit(&Old, CU_LIMIT_STACK_SIZE));
         CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, BigLocalBytes + 64));
         B.note("limit was %zu; %.1f MB", Old, megabytes(Before, B.freeBytes()));
         CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, Old));
       });
       B.note("%.1f MB when restored", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, bigLocal, 1); });
     }},
    {"local after a PTX launch, then the limit set to what it was", "?",
     [](Bench &B) {
       load(bigLocal);
       size_t Before = B.freeBytes(), Old = 0;
       launchCure(B, localPtx(BigLocalBytes + 64).c_str());
       B.onPrimary([&] {
         CHECK(cuCtxGetLimit(&Old, CU_LIMIT_STACK_SIZE));
         B.note("limit reads %zu", Old);
         CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, Old));
       });
       B.note("%.1f MB", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, bigLocal, 1); });
     }},

    // printf, assert, malloc.
    ROW("printf first launch", "device stall", load(prints),
        launch(B, prints, 0)),
    {"printf after a PTX launch", "?",
     [](Bench &B) {
       load(prints);
       size_t Before = B.freeBytes();
       launchCure(B, PrintfPtx);
       B.note("%.1f MB", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, prints, 0); });
     }},
    {"assert after a printf PTX launch", "?",
     [](Bench &B) {
       load(asserts);
       launchCure(B, PrintfPtx);
       B.measure([&] { launch(B, asserts, 0); });
     }},
    {"printf, the PTX module loaded but not launched", "device stall",
     [](Bench &B) {
       load(prints);
       B.onPrimary([&] {
         CUmodule Module;
         CHECK(cuModuleLoadData(&Module, PrintfPtx));
       });
       B.measure([&] { launch(B, prints, 0); });
     }},
    {"printf limit after a PTX launch", "ok",
     [](Bench &B) {
       launchCure(B, PrintfPtx);
       CUresult Code = CUDA_SUCCESS;
       size_t Old = 0;
       CHECK(cuCtxGetLimit(&Old, CU_LIMIT_PRINTF_FIFO_SIZE));
       B.measure([&] { Code = cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, Old); });
       B.note("same value: %s", why(Code));
     }},
    ROW("malloc first launch", "device stall", load(allocates),
        launch(B, allocates, 1)),
    {"malloc after a PTX launch", "?",
     [](Bench &B) {
       load(allocates);
       size_t Before = B.freeBytes();
       launchCure(B, MallocPtx);
       B.note("%.1f MB", megabytes(Before, B.freeBytes()));
       B.measure([&] { launch(B, allocates, 1); });
     }},
    {"malloc after a printf PTX launch", "?",
     [](Bench &B) {
       load(allocates);
       launchCure(B, PrintfPtx);
       B.measure([&] { launch(B, allocates, 1); });
     }},
    {"printf after a malloc PTX launch", "?",
     [](Bench &B) {
       load(prints);
       launchCure(B, MallocPtx);
       B.measure([&] { launch(B, prints, 0); });
     }},

    // Loads and unloads.
    ROW("load cuLibraryLoadData of PTX", "?", CUlibrary L,
        CHECK(cuLibraryLoadData(&L, PrintfPtx, nullptr, nullptr, 0, nullptr,
                                nullptr, 0))),
    ROW("load cuLibraryLoadData of a cubin", "ok",
        auto Cubin = cubinOf(PrintfPtx);
        CUlibrary L, CHECK(cuLibraryLoadData(&L, Cubin.data(), nullptr, nullptr,
                                             0, nullptr, nullptr, 0))),
    ROW("load cuModuleLoadData of PTX", "host stall", CUmodule M,
        CHECK(cuModuleLoadData(&M, PrintfPtx))),
    ROW("load cuModuleLoadData of a cubin", "host stall",
        auto Cubin = cubinOf(PrintfPtx);
        CUmodule M, CHECK(cuModuleLoadData(&M, Cubin.data()))),
    ROW("load cuLink of PTX to a cubin", "ok", , cubinOf(PrintfPtx)),
    ROW("unload cuModuleUnload", "host stall", CUmodule M;
        launchCure(B, PrintfPtx, &M), CHECK(cuModuleUnload(M))),
    ROW("unload cuLibraryUnload, untouched", "?", CUlibrary L;
        CHECK(cuLibraryLoadData(&L, PrintfPtx, nullptr, nullptr, 0, nullptr,
                                nullptr, 0)),
        CHECK(cuLibraryUnload(L))),
    ROW("unload cuLibraryUnload, touched", "host stall", CUlibrary L; CUmodule M;
        CHECK(cuLibraryLoadData(&L, PrintfPtx, nullptr, nullptr, 0, nullptr,
                                nullptr, 0));
        CHECK(cuLibraryGetModule(&M, L)), CHECK(cuLibraryUnload(L))),

    // What priming and the seal call beside running work.
    ROW("beside cuMemGetInfo", "?", size_t N; size_t T,
        CHECK(cuMemGetInfo(&N, &T))),
    ROW("beside cuStreamCreate", "?", CUstream S,
        CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING))),
    ROW("beside cuStreamCreate on the primary context", "?",
        CUstream S, B.onPrimary([&] {
          CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING));
        })),
    ROW("beside cuStreamDestroy", "?", CUstream S;
        CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING)),
        CHECK(cuStreamDestroy(S))),
    ROW("beside cuStreamSynchronize of another stream", "ok", load(plain);
        launch(B, plain), CHECK(cuStreamSynchronize(B.StreamB))),
    ROW("beside launch and synchronise on the primary context", "?",
        CUfunction F = load(plain);
        int *Out = B.Out; void *Arguments[] = {&Out}, B.onPrimary([&] {
          CHECK(cuLaunchKernel(F, 1, 1, 1, 1, 1, 1, 0, B.PrimaryStream,
                               Arguments, nullptr));
          CHECK(cuStreamSynchronize(B.PrimaryStream));
        })),
    ROW("beside cuCtxPushCurrent and Pop", "ok", , B.onPrimary([] {})),
    ROW("beside cuDevicePrimaryCtxRetain and Release", "?", CUcontext C,
        CHECK(cuDevicePrimaryCtxRetain(&C, B.Device));
        CHECK(cuDevicePrimaryCtxRelease(B.Device))),
    ROW("beside cuEventCreate", "?", CUevent E,
        CHECK(cuEventCreate(&E, CU_EVENT_DISABLE_TIMING))),
    ROW("beside cuCtxGetLimit", "ok", size_t N,
        CHECK(cuCtxGetLimit(&N, CU_LIMIT_STACK_SIZE))),
    ROW("beside cuCtxSetLimit stack, higher", "?", ,
        CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, BigLocalBytes))),
    ROW("beside cuCtxSetLimit stack, same", "?", size_t N;
        CHECK(cuCtxGetLimit(&N, CU_LIMIT_STACK_SIZE)),
        CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, N))),
    ROW("beside cuThreadExchangeStreamCaptureMode", "ok",
        CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED,
        CHECK(cuThreadExchangeStreamCaptureMode(&Mode))),
    ROW("beside cuMemAlloc of 64 MB", "ok", CUdeviceptr P,
        CHECK(cuMemAlloc(&P, 64 << 20))),
    ROW("beside cuMemFree", "host stall", CUdeviceptr P;
        CHECK(cuMemAlloc(&P, 64 << 20)), CHECK(cuMemFree(P))),
    ROW("beside cuMemHostAlloc of 16 MB", "ok", void *P,
        CHECK(cuMemHostAlloc(&P, 16 << 20, 0))),
    ROW("beside cuMemFreeHost", "?", void *P;
        CHECK(cuMemHostAlloc(&P, 16 << 20, 0)), CHECK(cuMemFreeHost(P))),

    // The blocking kernel itself.
    {"hold released by the host", "ok",
     [](Bench &B) {
       B.measure([] {});
       B.note("%s %.3f ms after the release",
              B.ended() == 1 ? "ended" : "TIMED OUT", B.ReleaseMs);
     }},
    {"hold ends by its time-out", "host stall",
     [](Bench &B) {
       B.measure([&] { CHECK(cuStreamSynchronize(B.StreamA)); });
       B.note("%s", B.ended() == 2 ? "timed out" : "RELEASED");
     }},
};

//===----------------------------------------------------------------------===//
// One process a row.
//===----------------------------------------------------------------------===//

static int measureRow(const Row &R, double HoldMs) {
  Bench B(HoldMs);
  R.Body(B);
  CHECK(cuCtxSetCurrent(B.Primary));
  CHECK(cuCtxSynchronize());
  std::printf("\n@\t%.4f\t%.4f\t%s\t%s\n", B.Result.HostMs, B.Result.DoneMs,
              name(B.Result.What), B.Note.c_str());
  std::fflush(stdout);
  _exit(0); // what the row left behind dies with the process
}

struct Outcome {
  bool Measured = false;
  std::string HostMs, DoneMs, Verdict, Note;
};

static Outcome runRow(const char *Self, size_t Index, double HoldMs) {
  std::string Command = "exec timeout 60 '" + std::string(Self) + "' --row " +
                        std::to_string(Index) + " --hold-ms " +
                        std::to_string(HoldMs);
  Outcome Result;
  std::fflush(stdout);
  FILE *Child = popen(Command.c_str(), "r");
  if (!Child)
    return Result;
  std::string Text;
  char Buffer[4096];
  while (size_t Count = std::fread(Buffer, 1, sizeof Buffer, Child))
    Text.append(Buffer, Count);
  int Status = pclose(Child);
  size_t At = Text.rfind("\n@\t");
  if (Status != 0 || At == std::string::npos) {
    Result.Note = "not measured, exit status " +
                  std::to_string(WIFEXITED(Status) ? WEXITSTATUS(Status) : -1);
    return Result;
  }
  std::string *Fields[] = {&Result.HostMs, &Result.DoneMs, &Result.Verdict,
                           &Result.Note};
  size_t Begin = At + 3;
  for (std::string *Field : Fields) {
    size_t End = Text.find_first_of("\t\n", Begin);
    *Field = Text.substr(Begin, End - Begin);
    Begin = End + 1;
  }
  Result.Measured = true;
  return Result;
}

static void writeJson(FILE *File, const Row &R, const Outcome &O) {
  // Names, verdicts and notes hold neither quotes nor control characters.
  std::fprintf(File,
               "{\"row\": \"%s\", \"expected\": \"%s\", \"host_ms\": %s, "
               "\"done_ms\": %s, \"verdict\": \"%s\", \"note\": \"%s\"}\n",
               R.Name, R.Expected, O.Measured ? O.HostMs.c_str() : "null",
               O.Measured ? O.DoneMs.c_str() : "null", O.Verdict.c_str(),
               O.Note.c_str());
  std::fflush(File);
}

static void printDevice() {
  // No context is made: this process holds nothing beside the rows'.
  int Driver = 0;
  CHECK(cuInit(0));
  CHECK(cuDriverGetVersion(&Driver));
  char Name[128];
  CHECK(cuDeviceGetName(Name, sizeof Name, 0));
  const char *Loading = std::getenv("CUDA_MODULE_LOADING");
  std::printf("%s, driver API %d.%d, CUDA_MODULE_LOADING=%s\n\n", Name,
              Driver / 1000, Driver % 1000 / 10, Loading ? Loading : "(unset)");
}

int main(int Count, char **Arguments) {
  double HoldMs = 150;
  const char *Only = "", *JsonPath = nullptr;
  long Index = -1;
  for (int I = 1; I < Count; ++I) {
    std::string_view Option = Arguments[I];
    const char *Value = I + 1 < Count ? Arguments[I + 1] : nullptr;
    if (Option == "--list") {
      for (const Row &R : Rows)
        std::printf("%s\n", R.Name);
      return 0;
    }
    if (Option == "--json" && Value)
      JsonPath = Value, ++I;
    else if (Option == "--hold-ms" && Value)
      HoldMs = std::atof(Value), ++I;
    else if (Option == "--only" && Value)
      Only = Value, ++I;
    else if (Option == "--row" && Value)
      Index = std::atol(Value), ++I;
    else {
      std::fprintf(stderr,
                   "usage: %s [--json FILE] [--hold-ms N] "
                   "[--only PREFIX] [--list]\n",
                   Arguments[0]);
      return 2;
    }
  }
  constexpr long RowCount = sizeof Rows / sizeof *Rows;
  if (Index >= 0 && Index < RowCount)
    return measureRow(Rows[Index], HoldMs);

  FILE *Json = JsonPath ? std::fopen(JsonPath, "w") : nullptr;
  if (JsonPath && !Json) {
    std::fprintf(stderr, "facts: error: cannot write %s\n", JsonPath);
    return 2;
  }
  char Self[4096] = "";
  if (readlink("/proc/self/exe", Self, sizeof Self - 1) < 0) {
    std::fprintf(stderr, "facts: error: cannot read /proc/self/exe\n");
    return 2;
  }
  printDevice();
  std::printf("%-58s %10s %10s  %-13s %-13s %s\n", "call", "host ms",
              "B done ms", "verdict", "expected", "");
  int AsExpected = 0, Differ = 0, Open = 0, Failed = 0;
  for (long I = 0; I < RowCount; ++I) {
    const Row &R = Rows[I];
    if (std::strncmp(R.Name, Only, std::strlen(Only)) != 0)
      continue;
    Outcome O = runRow(Self, I, HoldMs);
    const bool IsOpen = std::strcmp(R.Expected, "?") == 0;
    const bool Differs = O.Measured && !IsOpen && O.Verdict != R.Expected;
    Failed += !O.Measured;
    Differ += Differs;
    Open += O.Measured && IsOpen;
    AsExpected += O.Measured && !IsOpen && !Differs;
    std::printf("%-58s %10s %10s  %-13s %-13s %s%s\n", R.Name, O.HostMs.c_str(),
                O.DoneMs.c_str(), O.Verdict.c_str(), R.Expected,
                Differs ? "DIFFERS; " : "", O.Note.c_str());
    std::fflush(stdout);
    if (Json)
      writeJson(Json, R, O);
  }
  if (Json)
    std::fclose(Json);
  std::printf("\n%d rows as expected, %d differ, %d open questions measured, "
              "%d not measured\n",
              AsExpected, Differ, Open, Failed);
  return Failed ? 2 : Differ ? 1 : 0;
}
