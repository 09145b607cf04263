//===- Actor.cpp - A program that does what its arguments say -------------===//
//
// Calls the driver, one action for each argument, on the primary context of
// device 0. X is `one` or `two`, an image with the kernels X_a and X_b and the
// variable X_v; kernels and variables are named by their symbols.
//
//   load:X module:X unload:X          a library or a module
//   kernel:S                          asks for the handle alone
//   set:S launch:S attribute:S function:S global:S
//   bench:S                           launches it many times: what one costs
//   free stream                       allocates and frees, makes and destroys
//   device:N                          goes on on the primary context of it
//   seal unseal count details text json    the C API, found as Python finds it
//   until-sealed                      frees until that is an escape
//   say:TEXT                          to standard output
//   read                              waits for a line on standard input
//   fork                              goes on in a child, and waits for it
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <kplan/kplan.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Code {
  CUlibrary Library = nullptr;
  CUmodule Module = nullptr;
  std::string Ptx;
};
std::map<std::string, Code> Codes;

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "actor: %s\n", Why.c_str());
  std::exit(3);
}

void check(CUresult Result, const std::string &What) {
  if (Result != CUDA_SUCCESS)
    fail(What + ": error " + std::to_string(Result));
}

template <class F> F *kplanFunction(const char *Name) {
  void *Found = dlsym(RTLD_DEFAULT, Name);
  if (!Found)
    fail(std::string(Name) + " is not there");
  return reinterpret_cast<F *>(Found);
}
#define KPLAN(Name) kplanFunction<decltype(Name)>(#Name)

std::string ptx(const std::string &X) {
  return ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 " + X +
         "_v;\n.visible .entry " + X + "_a()\n{\n  ret;\n}\n.visible .entry " +
         X + "_b()\n{\n  ret;\n}\n";
}

Code &codeOf(const std::string &Symbol) {
  return Codes[Symbol.substr(0, Symbol.find('_'))];
}

CUkernel kernel(const std::string &Symbol) {
  CUkernel K = nullptr;
  check(cuLibraryGetKernel(&K, codeOf(Symbol).Library, Symbol.c_str()), Symbol);
  return K;
}

CUfunction function(const std::string &Symbol) {
  if (!codeOf(Symbol).Module)
    return reinterpret_cast<CUfunction>(kernel(Symbol));
  CUfunction F = nullptr;
  check(cuModuleGetFunction(&F, codeOf(Symbol).Module, Symbol.c_str()), Symbol);
  return F;
}

/// Nanoseconds of a launch: the cheapest of many batches.
void bench(const std::string &Symbol) {
  using Clock = std::chrono::steady_clock;
  constexpr int Batches = 300, Launches = 1000;
  CUfunction F = function(Symbol);
  double Least = 1e9;
  for (int B = 0; B < Batches; ++B) {
    const Clock::time_point Begin = Clock::now();
    for (int L = 0; L < Launches; ++L)
      check(cuLaunchKernel(F, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            "launch");
    const std::chrono::duration<double, std::nano> Took = Clock::now() - Begin;
    Least = std::min(Least, Took.count() / Launches);
    check(cuStreamSynchronize(nullptr), "synchronize");
  }
  std::printf("ns a launch: %.1f\n", Least);
}

size_t countEscapes() {
  size_t Count = 0;
  KPLAN(kplan_escapes)(nullptr, 0, &Count);
  return Count;
}

void freeMemory() {
  CUdeviceptr Memory = 0;
  check(cuMemAlloc(&Memory, 16), "cuMemAlloc");
  check(cuMemFree(Memory), "cuMemFree");
}

void printReport(int Json) {
  size_t Length = 0;
  KPLAN(kplan_escape_report)(Json, nullptr, 0, &Length);
  std::string Text(Length + 1, '\0');
  KPLAN(kplan_escape_report)(Json, Text.data(), Text.size(), &Length);
  std::printf("%s%s", Text.c_str(), Json ? "" : "\n");
}

void printDetails() {
  kplan_escape_info Info = {};
  Info.size = sizeof(Info);
  for (size_t I = 0; !KPLAN(kplan_escape_details)(I, &Info); ++I)
    std::printf("%s '%s' by '%s' image %d device %d thread %d time %d %d count "
                "%d\n",
                Info.kind, Info.symbol, Info.api, *Info.image != 0, Info.device,
                Info.thread == gettid(), Info.since_seal_ms >= 0,
                Info.host_ms >= 0, static_cast<int>(Info.count));
}

void useCode(const std::string &What, const std::string &Of) {
  if (What == "load" || What == "module") {
    Code &C = Codes[Of];
    C.Ptx = ptx(Of);
    check(What == "load" ? cuLibraryLoadData(&C.Library, C.Ptx.c_str(), nullptr,
                                             nullptr, 0, nullptr, nullptr, 0)
                         : cuModuleLoadData(&C.Module, C.Ptx.c_str()),
          What);
  } else if (What == "unload") {
    Code C = Codes[Of];
    Codes.erase(Of);
    check(C.Library ? cuLibraryUnload(C.Library) : cuModuleUnload(C.Module),
          What);
  } else if (What == "kernel") {
    kernel(Of);
  } else if (What == "set") {
    int Attribute = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
    check(cuKernelSetAttribute(static_cast<CUfunction_attribute>(Attribute), 50,
                               kernel(Of), 0),
          What);
  } else if (What == "launch") {
    check(cuLaunchKernel(function(Of), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                         nullptr),
          What);
  } else if (What == "attribute") {
    int Value = 0;
    check(
        cuKernelGetAttribute(&Value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel(Of), 0),
        What);
  } else if (What == "function") {
    CUfunction F = nullptr;
    if (codeOf(Of).Module)
      function(Of);
    else
      check(cuKernelGetFunction(&F, kernel(Of)), What);
  } else if (What == "global") {
    CUdeviceptr Address = 0;
    size_t Size = 0;
    check(cuLibraryGetGlobal(&Address, &Size, codeOf(Of).Library, Of.c_str()),
          What);
  } else {
    fail("unknown action " + What);
  }
}

void goOnInChild() {
  pid_t Child = fork();
  if (Child == 0)
    return;
  int State = 0;
  waitpid(Child, &State, 0);
  std::exit(WIFEXITED(State) ? WEXITSTATUS(State) : 4);
}

void act(const std::string &Word) {
  std::string What = Word.substr(0, Word.find(':'));
  std::string Of = What == Word ? "" : Word.substr(What.size() + 1);
  if (What == "seal")
    std::printf("%s\n", KPLAN(kplan_status_name)(KPLAN(kplan_seal)()));
  else if (What == "unseal")
    KPLAN(kplan_unseal)();
  else if (What == "count")
    std::printf("escapes: %zu\n", countEscapes());
  else if (What == "details")
    printDetails();
  else if (What == "text" || What == "json")
    printReport(What == "json");
  else if (What == "until-sealed")
    while (!countEscapes())
      freeMemory();
  else if (What == "free")
    freeMemory();
  else if (What == "bench")
    bench(Of);
  else if (What == "say")
    std::printf("%s\n", Of.c_str());
  else if (What == "read")
    (void)!std::getchar();
  else if (What == "fork")
    goOnInChild();
  else if (What == "device") {
    CUcontext Context = nullptr;
    check(cuDevicePrimaryCtxRetain(&Context, std::atoi(Of.c_str())), Word);
    check(cuCtxSetCurrent(Context), Word);
  } else if (What == "stream") {
    CUstream Stream = nullptr;
    check(cuStreamCreate(&Stream, CU_STREAM_NON_BLOCKING), Word);
    check(cuStreamDestroy(Stream), Word);
  } else {
    useCode(What, Of);
  }
}

} // namespace

int main(int Count, char **Words) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // In order with standard error.
  for (int I = 1; I < Count; ++I) {
    if (I == 1 && std::strcmp(Words[1], "fork") != 0) {
      check(cuInit(0), "cuInit");
      act("device:0");
    }
    act(Words[I]);
    if (I == 1 && !std::strcmp(Words[1], "fork")) {
      check(cuInit(0), "cuInit");
      act("device:0");
    }
  }
  return 0;
}
