//===- hold.cu - A kernel that keeps a tenant busy -----------------------===//

#include "hold.h"

#include "check.h"

static __device__ unsigned long long deviceClock() {
  unsigned long long Nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Nanoseconds));
  return Nanoseconds;
}

// One thread a block, one block an SM.
__global__ void hold(const volatile int *Release, unsigned long long TimeOut,
                     volatile int *Started, volatile int *TimedOut) {
  const unsigned long long Begin = deviceClock();
  Started[blockIdx.x] = 1;
  __threadfence_system();
  while (*Release == 0) {
    if (deviceClock() - Begin < TimeOut)
      continue;
    if (blockIdx.x == 0) {
      *TimedOut = 1;
      __threadfence_system();
    }
    return;
  }
}

Hold::Hold(const Tenant &Where, std::chrono::nanoseconds TimeOut,
           bool DeviceRuns)
    : Where(Where), TimeOut(TimeOut), DeviceRuns(DeviceRuns) {
  check(cuMemHostAlloc(&Shared, (2 + Where.sms()) * sizeof(int),
                       CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
        "cuMemHostAlloc");
  Release = static_cast<volatile int *>(Shared);
  TimedOut = Release + 1;
  Started = Release + 2;
  // Its own first use happens here, where nobody is disturbed.
  launch(std::chrono::nanoseconds(0));
  check(cuStreamSynchronize(Where.stream()), "first launch of hold");
}

Hold::~Hold() {
  *Release = 1;
  cuStreamSynchronize(Where.stream());
  cuMemFreeHost(Shared);
}

void Hold::launch(std::chrono::nanoseconds Limit) {
  *Release = 0;
  *TimedOut = 0;
  for (unsigned I = 0; I < Where.sms(); ++I)
    Started[I] = 0;
  hold<<<Where.sms(), 1, 0, Where.stream()>>>(Release, Limit.count(), Started,
                                              TimedOut);
  check(cudaGetLastError(), "launch of hold");
}

void Hold::start() {
  launch(TimeOut);
  if (!DeviceRuns)
    return;
  for (unsigned I = 0; I < Where.sms(); ++I)
    while (Started[I] == 0)
      if (!running())
        throw Failure("the blocking kernel ended before all of its blocks ran; "
                      "give it more time with --hold-ms");
}

bool Hold::running() const {
  return *TimedOut == 0 &&
         cuStreamQuery(Where.stream()) == CUDA_ERROR_NOT_READY;
}

void Hold::release() {
  *Release = 1;
  check(cuStreamSynchronize(Where.stream()), "end of hold");
}
