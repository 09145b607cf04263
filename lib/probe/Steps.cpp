//===- Steps.cpp - Steps that several rows share --------------------------===//

#include "probe/Steps.h"

#include <cstdio>
#include <vector>

namespace kplan::probe {

CUlibrary loadLibrary(Bench &B, Text Which) {
  CUlibrary L = nullptr;
  CU(LibraryLoadData, &L, B.code(Which), nullptr, nullptr, 0U, nullptr, nullptr,
     0U);
  return L;
}

CUkernel kernelOf(Bench &B, CUlibrary In, const char *Name) {
  CUkernel K = nullptr;
  CU(LibraryGetKernel, &K, In, Name);
  return K;
}

CUkernel kernel(Bench &B, const char *Name) {
  return kernelOf(B, loadLibrary(B), Name);
}

CUfunction load(Bench &B, CUkernel Of) {
  CUfunction F = nullptr;
  CU(KernelGetFunction, &F, Of);
  return F;
}

CUfunction loadByName(Bench &B, const char *Name) {
  return load(B, kernel(B, Name));
}

void launch(Bench &B, CUfunction Function) {
  int *Out = B.Out;
  unsigned Zero = 0;
  void *Arguments[] = {static_cast<void *>(&Out), &Zero};
  CU(LaunchKernel, Function, 1U, 1U, 1U, 1U, 1U, 1U, 0U, B.Split.StreamB,
     Arguments, nullptr);
}

void launch(Bench &B, CUkernel Of) {
  launch(B, reinterpret_cast<CUfunction>(Of));
}

CUmodule launchCure(Bench &B, Text Which) {
  CUmodule M = nullptr;
  B.onPrimary([&] {
    CUfunction F = nullptr;
    CU(ModuleLoadData, &M, B.code(Which));
    CU(ModuleGetFunction, &F, M, "cure");
    int *Out = B.Out;
    unsigned Zero = 0;
    void *Arguments[] = {static_cast<void *>(&Out), &Zero};
    CU(LaunchKernel, F, 1U, 1U, 1U, 1U, 1U, 1U, 0U, B.PrimaryStream, Arguments,
       nullptr);
    CU(StreamSynchronize, B.PrimaryStream);
  });
  return M;
}

void noteResidency(Bench &B, CUlibrary Of) {
  CUkernel K = kernelOf(B, Of, "reads_global");
  const Sample S = B.measure([&] { load(B, K); });
  B.note(S.What == Verdict::HostStall ? "does not make resident"
                                      : "the library is resident after it");
}

static std::vector<CUfunction> functionsOf(Bench &B, CUmodule In) {
  unsigned Count = 0;
  CU(ModuleGetFunctionCount, &Count, In);
  std::vector<CUfunction> Functions(Count);
  CU(ModuleEnumerateFunctions, Functions.data(), Count, In);
  return Functions;
}

CUfunction listedFunction(Bench &B, CUmodule In, std::string_view Name) {
  for (CUfunction F : functionsOf(B, In)) {
    const char *Is = nullptr;
    CU(FuncGetName, &Is, F);
    if (Is == Name)
      return F;
  }
  return nullptr;
}

unsigned functionsLoaded(Bench &B, CUmodule In) {
  unsigned Loaded = 0;
  for (CUfunction F : functionsOf(B, In)) {
    CUfunctionLoadingState State{};
    CU(FuncIsLoaded, &State, F);
    Loaded += State == CU_FUNCTION_LOADING_STATE_LOADED;
  }
  return Loaded;
}

const char *nameOf(Verdict V) {
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

std::string megabytes(size_t Before, size_t After) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f MB",
                (static_cast<double>(Before) - static_cast<double>(After)) /
                    1e6);
  return Text;
}

} // namespace kplan::probe
