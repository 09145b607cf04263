// A thread loads code that is primed as it comes, while a kernel runs: priming
// waits for that kernel. It ends only when another thread, which has made
// driver calls meanwhile, says so.
#include <atomic>
#include <cstdio>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

extern "C" int cuStandinWaiting(void);

static std::string contents(const char *Path) {
  std::ifstream In(Path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(In), {});
}

static CUlibrary load(const std::string &Image) {
  CUlibrary Library = nullptr;
  cuLibraryLoadData(&Library, Image.c_str(), nullptr, nullptr, 0, nullptr,
                    nullptr, 0);
  return Library;
}

int main(int, char **Arguments) {
  const std::string Hold = contents(Arguments[1]),
                    Late = contents(Arguments[2]);
  cuInit(0);
  CUcontext Context;
  cuDevicePrimaryCtxRetain(&Context, 0);
  cuCtxSetCurrent(Context);

  volatile int Release = 0;
  volatile int *Pointer = &Release;
  unsigned long long Never = 1ULL << 62;
  void *Parameters[] = {&Pointer, &Never};
  CUkernel Kernel;
  CUstream Stream;
  cuLibraryGetKernel(&Kernel, load(Hold), "_Z4holdPViy");
  cuStreamCreate(&Stream, CU_STREAM_NON_BLOCKING);
  cuLaunchKernel(reinterpret_cast<CUfunction>(Kernel), 1, 1, 1, 1, 1, 1, 0,
                 Stream, Parameters, nullptr);

  std::thread Other([&] {
    cuCtxSetCurrent(Context);
    load(Late);
  });
  while (cuStandinWaiting() == 0)
    std::this_thread::yield();
  // Priming waits. This thread passes through: loads, touches, contexts.
  CUkernel Found;
  int Value = 0;
  cuCtxSetCurrent(Context);
  cuLibraryGetKernel(&Found, load(Late), "first");
  cuKernelGetAttribute(&Value, CU_FUNC_ATTRIBUTE_NUM_REGS, Found, 0);
  std::printf("passed through\n");
  Release = 1;
  Other.join();
  std::printf("primed\n");
}
