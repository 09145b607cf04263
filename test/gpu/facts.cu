//===- facts.cu - What the runtime relies on, measured again --------------===//
//
//   nvcc -arch=sm_90 facts.cu -o facts -lcuda && ./facts
//
// One row a fact, each in a process of its own (a first use happens once): the
// call, how long it held the host, when B's work was done, and whether the
// call or the work waited for the kernel that runs in the other green context.
// `expected` is what kplan is built on; rows with `?` are open questions.
//
//   facts [--green] [--json FILE] [--hold-ms N] [--only PREFIX] [--list]
//
// B's stream belongs to its green context either way; with --green that context
// is also the current one, otherwise the primary context is.
//
// Exit status: 0 as expected, 1 a row differs, 2 a row could not be measured.
//
//===----------------------------------------------------------------------===//

#include "FactsReport.h"

#include <cassert>
#include <iterator>

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
  return (static_cast<double>(Before) - static_cast<double>(After)) / 1e6;
}

//===----------------------------------------------------------------------===//
// The rows.
//===----------------------------------------------------------------------===//

static const Row Rows[] = {
    // First touch of a library.
    {"touch cuKernelSetAttribute", "host stall",
     [](Bench &B) {
       CUkernel K = kernelOf(shared);
       B.measure([&] {
         CHECK(cuKernelSetAttribute(
             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, K,
             B.Device));
       });
     }},
    {"touch cuKernelGetFunction", "host stall",
     [](Bench &B) {
       CUkernel K = kernelOf(plain);
       CUfunction F;
       B.measure([&] { CHECK(cuKernelGetFunction(&F, K)); });
     }},
    {"touch cuLibraryGetModule", "host stall",
     [](Bench &B) {
       CUlibrary L = libraryOf(kernelOf(plain));
       CUmodule M;
       B.measure([&] { CHECK(cuLibraryGetModule(&M, L)); });
     }},
    {"touch cudaFuncSetAttribute", "host stall",
     [](Bench &B) {
       kernelOf(plain);
       B.measure([&] {
         CHECK(cudaFuncSetAttribute(
             shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
       });
     }},
    {"touch cudaFuncGetAttributes", "host stall",
     [](Bench &B) {
       kernelOf(plain);
       cudaFuncAttributes Attributes;
       B.measure([&] { CHECK(cudaFuncGetAttributes(&Attributes, plain)); });
     }},
    {"touch occupancy query", "host stall",
     [](Bench &B) {
       kernelOf(plain);
       int Blocks;
       B.measure([&] {
         CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 32,
                                                             0));
       });
     }},
    {"touch launch", "host stall",
     [](Bench &B) {
       kernelOf(plain);
       B.measure([&] { launch(B, plain); });
     }},
    {"touch cuLibraryGetGlobal", "host stall",
     [](Bench &B) {
       CUlibrary L = libraryOf(kernelOf(plain));
       CUdeviceptr P;
       size_t N;
       B.measure(
           [&] { CHECK(cuLibraryGetGlobal(&P, &N, L, "ProgramGlobal")); });
     }},
    {"touch cudaGetSymbolAddress", "host stall",
     [](Bench &B) {
       kernelOf(plain);
       void *P;
       B.measure([&] { CHECK(cudaGetSymbolAddress(&P, ProgramGlobal)); });
     }},
    {"touch cudaMemcpyToSymbolAsync", "host stall",
     [](Bench &B) {
       kernelOf(plain);
       B.measure([&] {
         CHECK(cudaMemcpyToSymbolAsync(ProgramGlobal, B.Out, 4, 0,
                                       cudaMemcpyHostToDevice, B.StreamB));
       });
     }},

    // Calls that leave a library where it is.
    {"no touch cudaGetKernel", "ok",
     [](Bench &B) {
       B.measure([&] { kernelOf(plain); });
       noteResidency(B);
     }},
    {"no touch cuKernelGetLibrary", "ok",
     [](Bench &B) {
       CUkernel K = kernelOf(plain);
       B.measure([&] { libraryOf(K); });
       noteResidency(B);
     }},
    {"no touch cuKernelGetName", "ok",
     [](Bench &B) {
       CUkernel K = kernelOf(plain);
       const char *Name;
       B.measure([&] { CHECK(cuKernelGetName(&Name, K)); });
       noteResidency(B);
     }},
    {"no touch cuLibraryGetKernel", "ok",
     [](Bench &B) {
       CUlibrary L = libraryOf(kernelOf(plain));
       CUkernel K;
       B.measure([&] { CHECK(cuLibraryGetKernel(&K, L, "_Z5otherPi")); });
       noteResidency(B);
     }},
    {"no touch cuLibraryEnumerateKernels", "ok",
     [](Bench &B) {
       CUlibrary L = libraryOf(kernelOf(plain));
       CUkernel K[4];
       B.measure([&] { CHECK(cuLibraryEnumerateKernels(K, 4, L)); });
       noteResidency(B);
     }},
    {"no touch cuKernelGetAttribute local", "ok",
     [](Bench &B) {
       CUkernel K = kernelOf(bigLocal);
       int V;
       B.measure([&] {
         CHECK(cuKernelGetAttribute(&V, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, K,
                                    B.Device));
         B.note("local %d", V);
       });
       noteResidency(B);
     }},
    {"no touch cuKernelGetAttribute shared", "ok",
     [](Bench &B) {
       CUkernel K = kernelOf(shared);
       int V;
       B.measure([&] {
         CHECK(cuKernelGetAttribute(
             &V, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, K, B.Device));
       });
       noteResidency(B);
     }},
    {"touch cuKernelGetParamInfo", "host stall",
     [](Bench &B) {
       CUkernel K = kernelOf(plain);
       size_t Offset;
       size_t Size;
       B.measure([&] { CHECK(cuKernelGetParamInfo(K, 0, &Offset, &Size)); });
       noteResidency(B);
     }},
    {"no touch cuModuleGetLoadingMode", "ok",
     [](Bench &B) {
       kernelOf(plain);
       CUmoduleLoadingMode Mode;
       B.measure([&] {
         CHECK(cuModuleGetLoadingMode(&Mode));
         B.note("mode %s", Mode == CU_MODULE_LAZY_LOADING ? "lazy" : "eager");
       });
       noteResidency(B);
     }},

    // A resident library.
    {"resident first launch", "device stall",
     [](Bench &B) {
       load(other);
       B.measure([&] { launch(B, plain); });
     }},
    {"resident second cuKernelGetFunction", "?",
     [](Bench &B) {
       load(other);
       load(plain);
       B.measure([&] { load(plain); });
     }},
    {"resident first cuKernelGetFunction", "?",
     [](Bench &B) {
       load(other);
       B.measure([&] { load(plain); });
     }},
    {"resident launch after cuKernelGetFunction", "ok",
     [](Bench &B) {
       load(plain);
       B.measure([&] { launch(B, plain); });
     }},
    {"resident launch after cuKernelGetFunction in the green context", "ok",
     [](Bench &B) {
       B.on(B.B, [&] { load(plain); });
       B.measure([&] { launch(B, plain); });
     }},
    {"resident launch after cuKernelSetAttribute", "ok",
     [](Bench &B) {
       CHECK(cuKernelSetAttribute(
           CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50,
           kernelOf(plain), B.Device));
       B.measure([&] { launch(B, plain); });
     }},
    {"resident cudaFuncSetAttribute", "ok",
     [](Bench &B) {
       load(shared);
       B.measure([&] {
         CHECK(cudaFuncSetAttribute(
             shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
       });
     }},
    {"resident cuKernelSetCacheConfig", "ok",
     [](Bench &B) {
       load(shared);
       B.measure([&] {
         CHECK(cuKernelSetCacheConfig(kernelOf(shared),
                                      CU_FUNC_CACHE_PREFER_SHARED, B.Device));
       });
     }},
    {"resident occupancy query", "ok",
     [](Bench &B) {
       load(plain);
       int Blocks;
       B.measure([&] {
         CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 32,
                                                             0));
       });
     }},
    {"resident cluster launch", "ok",
     [](Bench &B) {
       load(plain);
       B.measure([&] { launchClusters(B, plain); });
     }},
    {"resident cooperative launch", "ok",
     [](Bench &B) {
       load(plain);
       int *Out = B.Out;
       void *Arguments[] = {&Out};
       B.measure([&] {
         CHECK(
             cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(plain),
                                         1, 1, Arguments, 0, B.StreamB));
       });
     }},
    {"resident global asked before", "ok",
     [](Bench &B) {
       void *P;
       CHECK(cudaGetSymbolAddress(&P, ProgramGlobal));
       B.measure([&] {
         CHECK(cudaMemcpyToSymbolAsync(ProgramGlobal, B.Out, 4, 0,
                                       cudaMemcpyHostToDevice, B.StreamB));
       });
     }},
    {"resident global after cuLibraryGetGlobal", "ok",
     [](Bench &B) {
       CUdeviceptr P;
       size_t N;
       CHECK(cuLibraryGetGlobal(&P, &N, libraryOf(kernelOf(plain)),
                                "ProgramGlobal"));
       B.measure([&] {
         CHECK(cudaMemcpyToSymbolAsync(ProgramGlobal, B.Out, 4, 0,
                                       cudaMemcpyHostToDevice, B.StreamB));
       });
     }},
    {"resident global, only a kernel touched", "?",
     [](Bench &B) {
       load(plain);
       void *P;
       B.measure([&] { CHECK(cudaGetSymbolAddress(&P, ProgramGlobal)); });
     }},

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
    {"ask cuFuncGetName on a resident library", "ok",
     [](Bench &B) {
       load(other);
       CUmodule Module;
       CHECK(cuLibraryGetModule(&Module, libraryOf(kernelOf(plain))));
       unsigned Before = functionsLoaded(Module);
       B.measure([&] {
         unsigned Count = 0;
         CHECK(cuModuleGetFunctionCount(&Count, Module));
         std::vector<CUfunction> Functions(Count);
         CHECK(cuModuleEnumerateFunctions(Functions.data(), Count, Module));
         for (CUfunction Function : Functions) {
           const char *Name;
           CHECK(cuFuncGetName(&Name, Function));
         }
       });
       B.note("%u loaded, %u after asking for every name", Before,
              functionsLoaded(Module));
     }},

    // Local memory.
    {"local first launch", "host stall",
     [](Bench &B) {
       load(bigLocal);
       B.measure([&] { launch(B, bigLocal, 1); });
     }},
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
       B.on(B.B, [&] {
         CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, BigLocalBytes + 64));
       });
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
         B.note("limit was %zu; %.1f MB", Old,
                megabytes(Before, B.freeBytes()));
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
    {"printf first launch", "device stall",
     [](Bench &B) {
       load(prints);
       B.measure([&] { launch(B, prints, 0); });
     }},
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
    {"malloc first launch", "device stall",
     [](Bench &B) {
       load(allocates);
       B.measure([&] { launch(B, allocates, 1); });
     }},
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
    {"load cuLibraryLoadData of PTX", "?",
     [](Bench &B) {
       CUlibrary L;
       B.measure([&] {
         CHECK(cuLibraryLoadData(&L, PrintfPtx, nullptr, nullptr, 0, nullptr,
                                 nullptr, 0));
       });
     }},
    {"load cuLibraryLoadData of a cubin", "ok",
     [](Bench &B) {
       auto Cubin = cubinOf(PrintfPtx);
       CUlibrary L;
       B.measure([&] {
         CHECK(cuLibraryLoadData(&L, Cubin.data(), nullptr, nullptr, 0, nullptr,
                                 nullptr, 0));
       });
     }},
    {"load cuModuleLoadData of PTX", "host stall",
     [](Bench &B) {
       CUmodule M;
       B.measure([&] { CHECK(cuModuleLoadData(&M, PrintfPtx)); });
     }},
    {"load cuModuleLoadData of a cubin", "host stall",
     [](Bench &B) {
       auto Cubin = cubinOf(PrintfPtx);
       CUmodule M;
       B.measure([&] { CHECK(cuModuleLoadData(&M, Cubin.data())); });
     }},
    {"load cuLink of PTX to a cubin", "ok",
     [](Bench &B) { B.measure([&] { cubinOf(PrintfPtx); }); }},
    {"unload cuModuleUnload", "host stall",
     [](Bench &B) {
       CUmodule M;
       launchCure(B, PrintfPtx, &M);
       B.measure([&] { CHECK(cuModuleUnload(M)); });
     }},
    {"unload cuLibraryUnload, untouched", "?",
     [](Bench &B) {
       CUlibrary L;
       CHECK(cuLibraryLoadData(&L, PrintfPtx, nullptr, nullptr, 0, nullptr,
                               nullptr, 0));
       B.measure([&] { CHECK(cuLibraryUnload(L)); });
     }},
    {"unload cuLibraryUnload, touched", "host stall",
     [](Bench &B) {
       CUlibrary L;
       CUmodule M;
       CHECK(cuLibraryLoadData(&L, PrintfPtx, nullptr, nullptr, 0, nullptr,
                               nullptr, 0));
       CHECK(cuLibraryGetModule(&M, L));
       B.measure([&] { CHECK(cuLibraryUnload(L)); });
     }},

    // What priming and the seal call beside running work.
    {"beside cuMemGetInfo", "?",
     [](Bench &B) {
       size_t N;
       size_t T;
       B.measure([&] { CHECK(cuMemGetInfo(&N, &T)); });
     }},
    {"beside cuStreamCreate", "?",
     [](Bench &B) {
       CUstream S;
       B.measure([&] { CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING)); });
     }},
    {"beside cuStreamGetGreenCtx of cuStreamCreate's stream", "?",
     [](Bench &B) {
       CUstream S;
       CUgreenCtx Green = nullptr;
       B.on(B.B, [&] { CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING)); });
       B.measure([&] { CHECK(cuStreamGetGreenCtx(S, &Green)); });
       B.note(Green ? "knows the green context" : "knows no green context");
     }},
    {"beside cuStreamCreate on the primary context", "?",
     [](Bench &B) {
       CUstream S;
       B.measure([&] {
         B.onPrimary(
             [&] { CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING)); });
       });
     }},
    {"beside cuStreamDestroy", "?",
     [](Bench &B) {
       CUstream S;
       CHECK(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING));
       B.measure([&] { CHECK(cuStreamDestroy(S)); });
     }},
    {"beside cuStreamSynchronize of another stream", "ok",
     [](Bench &B) {
       load(plain);
       launch(B, plain);
       B.measure([&] { CHECK(cuStreamSynchronize(B.StreamB)); });
     }},
    {"beside launch and synchronise on the primary context", "?",
     [](Bench &B) {
       CUfunction F = load(plain);
       int *Out = B.Out;
       void *Arguments[] = {&Out};
       B.measure([&] {
         B.onPrimary([&] {
           CHECK(cuLaunchKernel(F, 1, 1, 1, 1, 1, 1, 0, B.PrimaryStream,
                                Arguments, nullptr));
           CHECK(cuStreamSynchronize(B.PrimaryStream));
         });
       });
     }},
    {"beside cuCtxPushCurrent and Pop", "ok",
     [](Bench &B) { B.measure([&] { B.onPrimary([] {}); }); }},
    {"beside cuDevicePrimaryCtxRetain and Release", "?",
     [](Bench &B) {
       CUcontext C;
       B.measure([&] {
         CHECK(cuDevicePrimaryCtxRetain(&C, B.Device));
         CHECK(cuDevicePrimaryCtxRelease(B.Device));
       });
     }},
    {"beside cuEventCreate", "?",
     [](Bench &B) {
       CUevent E;
       B.measure([&] { CHECK(cuEventCreate(&E, CU_EVENT_DISABLE_TIMING)); });
     }},
    {"beside cuCtxGetLimit", "ok",
     [](Bench &B) {
       size_t N;
       B.measure([&] { CHECK(cuCtxGetLimit(&N, CU_LIMIT_STACK_SIZE)); });
     }},
    {"beside cuCtxSetLimit stack, higher", "?",
     [](Bench &B) {
       B.measure(
           [&] { CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, BigLocalBytes)); });
     }},
    {"beside cuCtxSetLimit stack, same", "?",
     [](Bench &B) {
       size_t N;
       CHECK(cuCtxGetLimit(&N, CU_LIMIT_STACK_SIZE));
       B.measure([&] { CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, N)); });
     }},
    {"beside cuThreadExchangeStreamCaptureMode", "ok",
     [](Bench &B) {
       CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED;
       B.measure([&] { CHECK(cuThreadExchangeStreamCaptureMode(&Mode)); });
     }},
    {"beside cuMemAlloc of 64 MB", "ok",
     [](Bench &B) {
       CUdeviceptr P;
       B.measure([&] { CHECK(cuMemAlloc(&P, 64 << 20)); });
     }},
    {"beside cuMemFree", "host stall",
     [](Bench &B) {
       CUdeviceptr P;
       CHECK(cuMemAlloc(&P, 64 << 20));
       B.measure([&] { CHECK(cuMemFree(P)); });
     }},
    {"beside cuMemHostAlloc of 16 MB", "ok",
     [](Bench &B) {
       void *P;
       B.measure([&] { CHECK(cuMemHostAlloc(&P, 16 << 20, 0)); });
     }},
    {"beside cuMemFreeHost", "?",
     [](Bench &B) {
       void *P;
       CHECK(cuMemHostAlloc(&P, 16 << 20, 0));
       B.measure([&] { CHECK(cuMemFreeHost(P)); });
     }},

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

int main(int Count, char **Arguments) {
  return runRows(Rows, std::size(Rows), Count, Arguments);
}
