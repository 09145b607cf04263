//===- LoadRows.cpp - Loads and unloads of code ---------------------------===//

#include "probe/Rows.h"
#include "probe/Steps.h"

#include "probe/Compile.h"

#include <atomic>
#include <thread>

namespace kplan::probe {

namespace {

void loadModule(Bench &B, const char *Image) {
  CUmodule M = nullptr;
  B.measure([&] { CU(ModuleLoadData, &M, Image); });
}

/// B launches a resident kernel while another thread waits inside a load.
void launchBesideWaitingLoad(Bench &B) {
  CUfunction F = loadByName(B, "plain");
  std::atomic<bool> Calling = false;
  std::thread Loader;
  B.measure([&] {
    Loader = std::thread([&] {
      CU(CtxSetCurrent, B.Primary);
      CUmodule M = nullptr;
      Calling = true;
      CU(ModuleLoadData, &M, B.code(Text::Printf));
    });
    while (!Calling)
      std::this_thread::yield();
    // So that the call is inside the driver; a tenth of the kernel at most.
    std::this_thread::sleep_for(
        std::chrono::duration<double, std::milli>(B.Use.HoldMs / 10));
    launch(B, F);
  });
  Loader.join();
}

} // namespace

std::vector<Row> loadRows() {
  return {
      {"load.cuLibraryLoadData", "of a cubin, lazy loading",
       [](Bench &B) { B.measure([&] { loadLibrary(B); }); },
       /*Quick=*/true},
      {"load.cuLibraryLoadData-of-PTX", "",
       [](Bench &B) {
         const std::string Ptx = ptxOf(Text::Printf);
         CUlibrary L = nullptr;
         B.measure([&] {
           CU(LibraryLoadData, &L, Ptx.c_str(), nullptr, nullptr, 0U, nullptr,
              nullptr, 0U);
         });
       }},
      {"load.cuLibraryLoadData-eager", "CUDA_MODULE_LOADING=EAGER",
       [](Bench &B) { B.measure([&] { loadLibrary(B); }); },
       /*Quick=*/false, /*Eager=*/true},
      {"load.cuModuleLoadData", "of a cubin",
       [](Bench &B) { loadModule(B, B.code(Text::Printf)); },
       /*Quick=*/true},
      {"load.cuModuleLoadData-of-PTX", "",
       [](Bench &B) { loadModule(B, ptxOf(Text::Printf).c_str()); }},
      {"load.cuLinkComplete", "PTX to a cubin, by the driver",
       [](Bench &B) {
         B.measure([&] {
           auto Code = compile(B.Api, Text::Printf);
           if (!Code)
             Bench::fail(Code.errors().front().Message);
         });
       }},
      {"load.spreads-to-a-launch",
       "of a resident kernel, while another thread waits in cuModuleLoadData",
       launchBesideWaitingLoad},
      {"unload.cuModuleUnload", "",
       [](Bench &B) {
         CUmodule M = launchCure(B, Text::Printf);
         B.measure([&] { CU(ModuleUnload, M); });
       },
       /*Quick=*/true},
      {"unload.cuLibraryUnload-untouched", "",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         B.measure([&] { CU(LibraryUnload, L); });
       }},
      {"unload.cuLibraryUnload-touched", "",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         CUmodule M = nullptr;
         CU(LibraryGetModule, &M, L);
         B.measure([&] { CU(LibraryUnload, L); });
       }},
  };
}

} // namespace kplan::probe
