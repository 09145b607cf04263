// Uses CUDA from a constructor, that is with the dynamic loader's lock held.
#include <cstdio>
#include <cuda.h>

namespace {
struct Constructor {
  Constructor() {
    CUcontext Context;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&Context, 0);
    cuCtxSetCurrent(Context);
    std::printf("constructed\n");
  }
} Instance;
} // namespace
