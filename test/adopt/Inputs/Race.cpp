// Many threads find the first context at the same moment, then load the same
// image: one of them gets what was loaded ahead.
#include <cstdio>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <latch>
#include <string>
#include <thread>
#include <vector>

int main(int, char **Arguments) {
  std::ifstream In(Arguments[1], std::ios::binary);
  const std::string Image{std::istreambuf_iterator<char>(In), {}};
  constexpr int Threads = 8;
  std::latch Ready(Threads), Primed(Threads);
  cuInit(0);
  CUcontext Context;
  cuDevicePrimaryCtxRetain(&Context, 0);
  std::vector<CUlibrary> Libraries(Threads);
  std::vector<std::thread> All;
  for (int I = 0; I < Threads; ++I)
    All.emplace_back([&, I] {
      Ready.arrive_and_wait();
      cuCtxSetCurrent(Context);
      Primed.arrive_and_wait();
      cuLibraryLoadData(&Libraries[I], Image.c_str(), nullptr, nullptr, 0,
                        nullptr, nullptr, 0);
    });
  for (std::thread &T : All)
    T.join();
  int Failed = 0;
  for (CUlibrary L : Libraries)
    Failed += cuLibraryUnload(L) != CUDA_SUCCESS; // Each is its thread's own.
  std::printf("%d failed\n", Failed);
}
