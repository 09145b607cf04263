//===- ResidentRows.cpp - A library that is on the device -----------------===//

#include "probe/Rows.h"
#include "probe/Steps.h"

namespace kplan::probe {

namespace {

/// A kernel whose library is resident, and which is itself not loaded.
CUkernel residentKernel(Bench &B, const char *Name) {
  CUlibrary L = loadLibrary(B);
  load(B, kernelOf(B, L, "other"));
  return kernelOf(B, L, Name);
}

/// The same by its function, as a list of its module has it: the functions that
/// cuModuleGetFunction and cuKernelGetFunction give out are loaded by them.
CUfunction residentFunction(Bench &B, const char *Name) {
  CUlibrary L = loadLibrary(B);
  CUmodule M = nullptr;
  CU(LibraryGetModule, &M, L);
  return listedFunction(B, M, Name);
}

/// A kernel that is loaded, by its kernel handle.
CUkernel loadedKernel(Bench &B, const char *Name) {
  CUkernel K = kernel(B, Name);
  load(B, K);
  return K;
}

/// The launch after a call that is to load the function.
void launchAfter(Bench &B, CUfunction_attribute A, int Value) {
  CUkernel K = residentKernel(B, "plain");
  CU(KernelSetAttribute, A, Value, K, B.Device);
  B.measure([&] { launch(B, K); });
}

void launchWith(Bench &B, CUlaunchAttribute Attribute) {
  CUfunction F = loadByName(B, "plain");
  CUlaunchConfig Config{};
  Config.gridDimX = 4;
  Config.gridDimY = Config.gridDimZ = 1;
  Config.blockDimX = Config.blockDimY = Config.blockDimZ = 1;
  Config.hStream = B.Split.StreamB;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  int *Out = B.Out;
  void *Arguments[] = {static_cast<void *>(&Out)};
  B.measure([&] { CU(LaunchKernelEx, &Config, F, Arguments, nullptr); });
}

void setAttribute(Bench &B, CUfunction_attribute A, int Value) {
  CUkernel K = loadedKernel(B, "uses_shared");
  B.measure([&] { CU(KernelSetAttribute, A, Value, K, B.Device); });
}

} // namespace

std::vector<Row> residentRows() {
  return {
      {"resident.first-launch", "the library is there, the kernel is not",
       [](Bench &B) {
         CUkernel K = residentKernel(B, "plain");
         B.measure([&] { launch(B, K); });
       },
       /*Quick=*/true},
      {"resident.cuKernelGetFunction", "first of that kernel",
       [](Bench &B) {
         CUkernel K = residentKernel(B, "plain");
         B.measure([&] { load(B, K); });
       }},
      {"resident.launch-after-cuKernelGetFunction", "",
       [](Bench &B) {
         CUfunction F = loadByName(B, "plain");
         B.measure([&] { launch(B, F); });
       },
       /*Quick=*/true},
      {"resident.launch-after-load-in-green-context",
       "the others are loaded with the primary context current",
       [](Bench &B) {
         CUfunction F = nullptr;
         B.on(B.Split.B, [&] { F = loadByName(B, "plain"); });
         B.measure([&] { launch(B, F); });
       }},
      {"resident.launch-after-cuKernelSetAttribute", "",
       [](Bench &B) {
         launchAfter(B, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);
       }},
      {"resident.launch-after-cuFuncLoad", "",
       [](Bench &B) {
         CUfunction F = residentFunction(B, "plain");
         CU(FuncLoad, F);
         B.measure([&] { launch(B, F); });
       }},
      {"resident.launch-after-cuFuncGetAttribute", "",
       [](Bench &B) {
         CUfunction F = residentFunction(B, "plain");
         int V = 0;
         CU(FuncGetAttribute, &V, CU_FUNC_ATTRIBUTE_NUM_REGS, F);
         B.measure([&] { launch(B, F); });
       }},
      {"resident.launch-after-occupancy", "",
       [](Bench &B) {
         CUkernel K = residentKernel(B, "plain");
         int Blocks = 0;
         CU(OccupancyMaxActiveBlocksPerMultiprocessor, &Blocks,
            reinterpret_cast<CUfunction>(K), 32, size_t(0));
         B.measure([&] { launch(B, K); });
       }},
      {"resident.set-shared-memory", "attribute 8",
       [](Bench &B) {
         setAttribute(B, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                      32768);
       },
       /*Quick=*/true},
      {"resident.set-carveout", "attribute 9",
       [](Bench &B) {
         setAttribute(B, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                      50);
       }},
      {"resident.set-non-portable-cluster", "attribute 14",
       [](Bench &B) {
         setAttribute(B, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                      1);
       }},
      {"resident.set-cache-config", "",
       [](Bench &B) {
         CUkernel K = loadedKernel(B, "uses_shared");
         B.measure([&] {
           CU(KernelSetCacheConfig, K, CU_FUNC_CACHE_PREFER_SHARED, B.Device);
         });
       }},
      {"resident.cluster-launch", "",
       [](Bench &B) {
         CUlaunchAttribute A{};
         A.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
         A.value.clusterDim.x = 2;
         A.value.clusterDim.y = A.value.clusterDim.z = 1;
         launchWith(B, A);
       }},
      {"resident.cooperative-launch", "",
       [](Bench &B) {
         CUfunction F = loadByName(B, "plain");
         int *Out = B.Out;
         void *Arguments[] = {static_cast<void *>(&Out)};
         B.measure([&] {
           CU(LaunchCooperativeKernel, F, 1U, 1U, 1U, 1U, 1U, 1U, 0U,
              B.Split.StreamB, Arguments);
         });
       }},
      {"resident.global-asked-before", "",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         CUdeviceptr P = 0;
         size_t N = 0;
         CU(LibraryGetGlobal, &P, &N, L, "program_global");
         B.measure([&] { CU(LibraryGetGlobal, &P, &N, L, "program_global"); });
       }},
      {"resident.global-after-kernel", "only a kernel was touched before",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         load(B, kernelOf(B, L, "plain"));
         CUdeviceptr P = 0;
         size_t N = 0;
         B.measure([&] { CU(LibraryGetGlobal, &P, &N, L, "program_global"); });
       }},
      {"resident.cuFuncIsLoaded", "asked of every function",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         load(B, kernelOf(B, L, "other"));
         CUkernel K = kernelOf(B, L, "plain");
         CUmodule M = nullptr;
         unsigned Loaded = 0;
         B.measure([&] {
           CU(LibraryGetModule, &M, L);
           Loaded = functionsLoaded(B, M);
         });
         B.note(std::to_string(Loaded) + " loaded");
         const Sample S = B.measure([&] { launch(B, K); });
         B.note(std::string("a first launch afterwards: ") + nameOf(S.What));
       }},
  };
}

} // namespace kplan::probe
