//===- NoMalloc.cpp - Looks up driver functions without an allocator ------===//
//
// Allocators call dlsym while they start; what dlsym allocates then comes back
// to them.
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {
bool Forbidden = false;
unsigned Allocations = 0;
void count() { Allocations += Forbidden; }
} // namespace

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

__attribute__((visibility("default"))) void *malloc(size_t Size) {
  count();
  return __libc_malloc(Size);
}
__attribute__((visibility("default"))) void *calloc(size_t Count, size_t Size) {
  count();
  return __libc_calloc(Count, Size);
}
__attribute__((visibility("default"))) void *realloc(void *Old, size_t Size) {
  count();
  return __libc_realloc(Old, Size);
}
}

int main() {
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Driver)
    return 1;
  Forbidden = true;
  void *Free = dlsym(Driver, "cuMemFree_v2");
  void *Get = dlsym(Driver, "cuGetProcAddress_v2");
  void *Init = dlsym(Driver, "cuInit");
  void *Abort = dlsym(RTLD_DEFAULT, "abort");
  Forbidden = false;
  if (!Free || !Get || !Init || !Abort)
    return 1;
  std::printf("%u allocations\n", Allocations);
  return 0;
}
