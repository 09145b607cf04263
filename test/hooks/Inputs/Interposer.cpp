//===- Interposer.cpp - Another library that interposes -------------------===//
//
// Preloaded before or behind libkplan_preload.so; RTLD_NEXT must mean what
// stands behind this library.
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>

namespace {
void say(const char *Text, size_t Size) {
  [[maybe_unused]] ssize_t Written = write(STDERR_FILENO, Text, Size);
}
} // namespace

extern "C" __attribute__((visibility("default"))) CUresult
cuMemFree(CUdeviceptr Address) {
  constexpr char Text[] = "interposer: cuMemFree\n";
  say(Text, sizeof(Text) - 1);
  auto *Next =
      reinterpret_cast<decltype(&cuMemFree)>(dlsym(RTLD_NEXT, "cuMemFree_v2"));
  return Next(Address);
}

extern "C" __attribute__((visibility("default"))) int puts(const char *Line) {
  constexpr char Text[] = "interposer: puts\n";
  say(Text, sizeof(Text) - 1);
  return reinterpret_cast<int (*)(const char *)>(dlsym(RTLD_NEXT, "puts"))(
      Line);
}
