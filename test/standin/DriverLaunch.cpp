//===- DriverLaunch.cpp - Launches ----------------------------------------===//
//
// A kernel does nothing here; what matters is what its launch waits for. On an
// H200 (test/gpu/facts.cu): the first touch of a library and more local memory
// than before hold the host; a function that is not loaded, the first printf
// and the first malloc hold the device.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <algorithm>

using namespace standin;

namespace {

struct Launch {
  void *Function = nullptr;
  unsigned Grid[3] = {1, 1, 1};
  unsigned Block[3] = {1, 1, 1};
  unsigned Cluster[3] = {0, 0, 0};
  unsigned DynamicShared = 0;
  bool Cooperative = false;
  CUstream On = nullptr;
  void **Arguments = nullptr;
};

bool uses(const Kernel &K, kplan::Use What) {
  return std::find(K.Code.Uses.begin(), K.Code.Uses.end(), What) !=
         K.Code.Uses.end();
}

CUresult check(const Launch &L, const Kernel &K, int Ordinal) {
  for (int I = 0; I < 3; ++I)
    if (L.Grid[I] == 0 || L.Block[I] == 0)
      return CUDA_ERROR_INVALID_VALUE;
  const unsigned Threads = L.Block[0] * L.Block[1] * L.Block[2];
  const unsigned MostThreads =
      K.Code.MaxThreadsPerBlock ? K.Code.MaxThreadsPerBlock : 1024;
  if (Threads > MostThreads || L.DynamicShared > K.MaxDynamicShared[Ordinal])
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned Cluster = L.Cluster[0] * L.Cluster[1] * L.Cluster[2];
  if (Cluster == 0)
    return CUDA_SUCCESS;
  const bool Large =
      K.Attributes[Ordinal]
                  [CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] != 0;
  if (Cluster > (Large ? 16u : 8u))
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  for (int I = 0; I < 3; ++I)
    if (L.Grid[I] % L.Cluster[I] != 0)
      return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/// What the launch holds up: the host at once; for the device, true.
bool prepare(Call &C, Device &D, Kernel &K) {
  bool DeviceStall = false;
  const bool Touched = C.touch(D, *K.In);
  if (!K.Loaded[D.Ordinal]) {
    K.Loaded[D.Ordinal] = true;
    DeviceStall = !Touched;
  }
  if (K.Code.LocalBytes > D.LocalBytes) {
    waitForDevice(C.S, C.L, D);
    D.LocalBytes = K.Code.LocalBytes;
  }
  if (!D.PrintfStarted &&
      (uses(K, kplan::Use::Printf) || uses(K, kplan::Use::Assert)))
    D.PrintfStarted = DeviceStall = true;
  if (!D.HeapStarted && uses(K, kplan::Use::Malloc))
    D.HeapStarted = DeviceStall = true;
  return DeviceStall;
}

CUresult launch(const char *Function, const Launch &L) {
  return callOnDevice(Function, [&](Call &C, Device &D) {
    Kernel *K = C.S.kernel(L.Function);
    Stream *S = C.S.stream(L.On);
    if (!K || !S)
      return CUDA_ERROR_INVALID_HANDLE;
    C.Subject = K->Code.Symbol;
    if (CUresult R = check(L, *K, D.Ordinal))
      return R;
    const bool DeviceStall = prepare(C, D, *K);
    // The lock may have been given up: the stream may be gone.
    S = C.S.stream(L.On);
    if (!S)
      return CUDA_ERROR_INVALID_HANDLE;
    prune(S->Pending);
    prune(D.Running);
    if (DeviceStall)
      S->Pending.insert(S->Pending.end(), D.Running.begin(), D.Running.end());
    if (!C.S.isBlocker(K->Code.Symbol) || !L.Arguments)
      return CUDA_SUCCESS;
    auto W = std::make_shared<Work>();
    W->On = S;
    W->Release = *static_cast<const volatile int **>(L.Arguments[0]);
    W->TimeOut = std::chrono::nanoseconds(
        *static_cast<unsigned long long *>(L.Arguments[1]));
    W->After = S->Pending;
    isOver(*W, false); // starts its clock
    S->Pending.push_back(W);
    D.Running.push_back(W);
    return CUDA_SUCCESS;
  });
}

} // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction F, unsigned GridX, unsigned GridY,
                        unsigned GridZ, unsigned BlockX, unsigned BlockY,
                        unsigned BlockZ, unsigned DynamicShared, CUstream On,
                        void **Arguments, void **Extra) {
  if (Arguments && Extra)
    return CUDA_ERROR_INVALID_VALUE;
  Launch L;
  L.Function = F;
  L.Grid[0] = GridX, L.Grid[1] = GridY, L.Grid[2] = GridZ;
  L.Block[0] = BlockX, L.Block[1] = BlockY, L.Block[2] = BlockZ;
  L.DynamicShared = DynamicShared;
  L.On = On;
  L.Arguments = Arguments;
  return launch("cuLaunchKernel", L);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *Config, CUfunction F,
                          void **Arguments, void **Extra) {
  if (!Config || (Arguments && Extra))
    return CUDA_ERROR_INVALID_VALUE;
  Launch L;
  L.Function = F;
  L.Grid[0] = Config->gridDimX, L.Grid[1] = Config->gridDimY,
  L.Grid[2] = Config->gridDimZ;
  L.Block[0] = Config->blockDimX, L.Block[1] = Config->blockDimY,
  L.Block[2] = Config->blockDimZ;
  L.DynamicShared = Config->sharedMemBytes;
  L.On = Config->hStream;
  L.Arguments = Arguments;
  for (unsigned I = 0; I < Config->numAttrs; ++I) {
    const CUlaunchAttribute &A = Config->attrs[I];
    if (A.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      L.Cluster[0] = A.value.clusterDim.x;
      L.Cluster[1] = A.value.clusterDim.y;
      L.Cluster[2] = A.value.clusterDim.z;
    } else if (A.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
      L.Cooperative = A.value.cooperative != 0;
    }
  }
  return launch("cuLaunchKernelEx", L);
}

CUresult cuLaunchCooperativeKernel(CUfunction F, unsigned GridX, unsigned GridY,
                                   unsigned GridZ, unsigned BlockX,
                                   unsigned BlockY, unsigned BlockZ,
                                   unsigned DynamicShared, CUstream On,
                                   void **Arguments) {
  Launch L;
  L.Function = F;
  L.Grid[0] = GridX, L.Grid[1] = GridY, L.Grid[2] = GridZ;
  L.Block[0] = BlockX, L.Block[1] = BlockY, L.Block[2] = BlockZ;
  L.DynamicShared = DynamicShared;
  L.Cooperative = true;
  L.On = On;
  L.Arguments = Arguments;
  return launch("cuLaunchCooperativeKernel", L);
}

} // extern "C"
