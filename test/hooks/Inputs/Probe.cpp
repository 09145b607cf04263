//===- Probe.cpp - Looks at driver functions in unusual ways --------------===//

#include "EchoDriver.h"

#include "hooks/DriverCall.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kplan::runtime::hooks;

namespace {

// The program's own name of what it was linked with, if it was.
#ifdef LINKED
extern "C" CUresult linkedFree(CUdeviceptr) __asm__("cuMemFree_v2");
[[maybe_unused]] auto *volatile Linked = &linkedFree;
#endif

void *openDriver() {
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Driver) {
    std::printf("%s\n", dlerror());
    std::exit(1);
  }
  return Driver;
}

/// The file that an address lies in.
const char *where(void *Address) {
  Dl_info Info = {};
  if (!Address)
    return "nowhere";
  if (!dladdr(Address, &Info) || !Info.dli_fname)
    return "unknown";
  const char *Slash = std::strrchr(Info.dli_fname, '/');
  return Slash ? Slash + 1 : Info.dli_fname;
}

CUresult freeWith(void *Address, CUdeviceptr What) {
  return reinterpret_cast<MemFree_v2Arguments::Function *>(Address)(What);
}

constexpr int FreeResult =
    EchoResult + static_cast<int>(DriverFunction::MemFree_v2);

int pointers() {
  // Before anything is loaded, where the program itself is not linked with it.
  for (const char *Name : {"cuMemFree_v2", "cuInit", "cuLaunchKernel"})
    std::printf("default %s: %s\n", Name, where(dlsym(RTLD_DEFAULT, Name)));
  void *Driver = openDriver();
  for (const char *Name : {"cuMemFree_v2", "cuInit", "cuLaunchKernel",
                           "cuMemcpyHtoD_v2", "cuNotThere"}) {
    std::printf("driver %s: %s\n", Name, where(dlsym(Driver, Name)));
    std::printf("next %s: %s\n", Name, where(dlsym(RTLD_NEXT, Name)));
  }
  dlerror();
  dlsym(Driver, "cuNotThere");
  std::printf("dlerror: %s\n", dlerror() ? "set" : "not set");
  std::printf("puts: %s\n", where(dlsym(RTLD_DEFAULT, "puts")));
  return 0;
}

int status() {
  auto *Get = reinterpret_cast<GetProcAddress_v2Arguments::Function *>(
      dlsym(openDriver(), "cuGetProcAddress_v2"));
  struct {
    const char *Name;
    int Version;
    cuuint64_t Flags;
  } Questions[] = {
      {"cuMemFree", 12000, 0},
      {"cuMemFree", 2000, 0},
      {"cuMemFree", 1000, 0},
      {"cuNotThere", 12000, 0},
      {"cuCtxCreate", 3020, 0},
      {"cuCtxCreate", 11040, 0},
      {"cuCtxCreate", 13000, 0},
      {"cuLaunchKernel", 12000, 0},
      {"cuLaunchKernel", 6000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM},
      {"cuLaunchKernel", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM},
      {"cuMemFree", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM}};
  for (const auto &Q : Questions) {
    void *Address = nullptr;
    auto Status = static_cast<CUdriverProcAddressQueryResult>(77);
    CUresult Result = Get(Q.Name, &Address, Q.Version, Q.Flags, &Status);
    std::printf("%s %d %d: result %d, status %d, %s\n", Q.Name, Q.Version,
                static_cast<int>(Q.Flags), Result, Status, where(Address));
    // Nobody has to ask for the status.
    void *Again = nullptr;
    if (Get(Q.Name, &Again, Q.Version, Q.Flags, nullptr) != Result ||
        Again != Address)
      std::printf("%s differs without status\n", Q.Name);
  }
  return 0;
}

int future() {
  auto *Get = reinterpret_cast<GetProcAddress_v2Arguments::Function *>(
      dlsym(openDriver(), "cuGetProcAddress_v2"));
  for (const char *Name : {"cuFuncLoad", "cuFuncLoad", "cuFutureThing"}) {
    void *Address = nullptr;
    Get(Name, &Address, 99000, 0, nullptr);
    std::printf("%s: %s\n", Name, where(Address));
  }
  return 0;
}

int forked() {
  pid_t Child = fork();
  if (Child == 0) {
    CUresult Result = freeWith(dlsym(openDriver(), "cuMemFree_v2"), 1);
    std::printf("child: %s\n", Result == FreeResult ? "ok" : "wrong");
    std::fflush(stdout);
    _exit(0);
  }
  int State = 0;
  waitpid(Child, &State, 0);
  CUresult Result = freeWith(dlsym(openDriver(), "cuMemFree_v2"), 1);
  std::printf("parent: %s, child ended with %d\n",
              Result == FreeResult ? "ok" : "wrong", State);
  return 0;
}

/// The driver goes and comes back elsewhere.
int reload() {
  void *First = nullptr;
  for (int Round = 1; Round <= 2; ++Round) {
    void *Driver = openDriver();
    auto *Own = reinterpret_cast<void *(*)(const char *)>(
        dlsym(Driver, "kplanEchoAddress"));
    void *Address = Own("cuMemFree_v2");
    std::printf("round %d: %s, result %s\n", Round,
                Address == First ? "the same address" : "a new address",
                freeWith(dlsym(Driver, "cuMemFree_v2"), 1) == FreeResult
                    ? "ok"
                    : "wrong");
    First = Address;
    dlclose(Driver);
    if (Dl_info Info; dladdr(Address, &Info)) {
      std::printf("round %d: still loaded\n", Round);
      return 1;
    }
    // Nothing shall be loaded where it was.
    long Page = sysconf(_SC_PAGESIZE);
    mmap(reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(Address) &
                                  ~static_cast<uintptr_t>(Page - 1)),
         static_cast<size_t>(Page), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
  return 0;
}

int threads() {
  void *Driver = openDriver();
  constexpr int Count = 8;
  std::atomic<int> Waiting = Count;
  std::vector<std::vector<void *>> Found(Count);
  std::vector<std::thread> Threads;
  for (int T = 0; T < Count; ++T)
    Threads.emplace_back([&, T] {
      --Waiting;
      while (Waiting)
        ;
      auto *Get = reinterpret_cast<GetProcAddress_v2Arguments::Function *>(
          dlsym(Driver, "cuGetProcAddress_v2"));
      for (const DriverFunctionInfo &Info : HookedFunctions) {
        void *Address = nullptr;
        Get(std::string(Info.Base).c_str(), &Address, Info.Version, 0, nullptr);
        Found[static_cast<size_t>(T)].push_back(Address);
        Found[static_cast<size_t>(T)].push_back(dlsym(Driver, Info.Symbol));
      }
    });
  for (std::thread &T : Threads)
    T.join();
  for (const auto &Other : Found)
    if (Other != Found[0])
      return std::puts("threads found different pointers"), 1;
  return std::puts("threads agree"), 0;
}

/// What a hook costs that nobody observes.
int bench() {
  void *Driver = openDriver();
  auto *Own = reinterpret_cast<void *(*)(const char *)>(
      dlsym(Driver, "kplanEchoAddress"));
  auto Nanoseconds = [](void *Address) {
    constexpr int Rounds = 20, Calls = 1000000;
    double Best = 0;
    for (int Round = 0; Round < Rounds; ++Round) {
      auto Start = std::chrono::steady_clock::now();
      for (int Call = 0; Call < Calls; ++Call)
        freeWith(Address, 1);
      std::chrono::duration<double, std::nano> Taken =
          std::chrono::steady_clock::now() - Start;
      if (Round == 0 || Taken.count() / Calls < Best)
        Best = Taken.count() / Calls;
    }
    return Best;
  };
  double Direct = Nanoseconds(Own("cuMemFree_v2"));
  double Hooked = Nanoseconds(dlsym(Driver, "cuMemFree_v2"));
  std::printf("call of an empty driver function: %.1f ns; hooked, unobserved: "
              "%.1f ns (+%.1f)\n",
              Direct, Hooked, Hooked - Direct);
  return 0;
}

/// Calls into a plugin that is linked with the driver.
int plugin(const char *Path, const char *How) {
  std::string Mode = How;
  void *Plugin =
      Mode == "namespace"
          ? dlmopen(LM_ID_NEWLM, Path, RTLD_NOW)
          : dlopen(Path, RTLD_NOW | (Mode == "deepbind" ? RTLD_DEEPBIND : 0));
  if (!Plugin)
    return std::printf("%s\n", dlerror()), 1;
  auto *Run = reinterpret_cast<int (*)()>(dlsym(Plugin, "runPlugin"));
  std::printf("plugin: %s\n", Run() == FreeResult ? "ok" : "wrong");
  return 0;
}

} // namespace

int main(int Count, char **Arguments) {
  // In order with what the hooks say.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  std::string What = Count > 1 ? Arguments[1] : "";
  if (What == "pointers")
    return pointers();
  if (What == "status")
    return status();
  if (What == "future")
    return future();
  if (What == "fork")
    return forked();
  if (What == "reload")
    return reload();
  if (What == "threads")
    return threads();
  if (What == "bench")
    return bench();
  if (What == "plugin" && Count == 4)
    return plugin(Arguments[2], Arguments[3]);
  return 2;
}
