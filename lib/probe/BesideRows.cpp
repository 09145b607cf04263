//===- BesideRows.cpp - What programs call beside running work ------------===//

#include "probe/Rows.h"
#include "probe/Steps.h"

namespace kplan::probe {

std::vector<Row> besideRows() {
  return {
      {"beside.cuMemAlloc", "64 MB; cudaMalloc calls it",
       [](Bench &B) {
         CUdeviceptr P = 0;
         B.measure([&] { CU(MemAlloc, &P, size_t(64) << 20); });
       }},
      {"beside.cuMemFree", "cudaFree calls it",
       [](Bench &B) {
         CUdeviceptr P = 0;
         CU(MemAlloc, &P, size_t(64) << 20);
         B.measure([&] { CU(MemFree, P); });
       },
       /*Quick=*/true},
      {"beside.cuMemAllocAsync", "the first; cudaMallocAsync calls it",
       [](Bench &B) {
         CUdeviceptr P = 0;
         B.measure(
             [&] { CU(MemAllocAsync, &P, size_t(64) << 20, B.Split.StreamB); });
       }},
      {"beside.cuMemHostAlloc", "16 MB; cudaHostAlloc calls it",
       [](Bench &B) {
         void *P = nullptr;
         B.measure([&] { CU(MemHostAlloc, &P, size_t(16) << 20, 0U); });
       }},
      {"beside.cuMemFreeHost", "",
       [](Bench &B) {
         void *P = nullptr;
         CU(MemHostAlloc, &P, size_t(16) << 20, 0U);
         B.measure([&] { CU(MemFreeHost, P); });
       }},
      {"beside.cuMemGetInfo", "",
       [](Bench &B) { B.measure([&] { (void)B.freeBytes(); }); }},
      {"beside.cuStreamCreate", "",
       [](Bench &B) {
         CUstream S = nullptr;
         B.measure([&] { CU(StreamCreate, &S, CU_STREAM_NON_BLOCKING); });
       }},
      {"beside.cuStreamDestroy", "",
       [](Bench &B) {
         CUstream S = nullptr;
         CU(StreamCreate, &S, CU_STREAM_NON_BLOCKING);
         B.measure([&] { CU(StreamDestroy, S); });
       }},
      {"beside.cuEventCreate", "",
       [](Bench &B) {
         CUevent E = nullptr;
         B.measure([&] { CU(EventCreate, &E, CU_EVENT_DISABLE_TIMING); });
       }},
      {"beside.cuCtxSetLimit-stack-higher", "",
       [](Bench &B) {
         B.measure(
             [&] { CU(CtxSetLimit, CU_LIMIT_STACK_SIZE, size_t(16384)); });
       }},
      {"beside.cuCtxSetLimit-stack-same", "",
       [](Bench &B) {
         size_t Old = 0;
         CU(CtxGetLimit, &Old, CU_LIMIT_STACK_SIZE);
         B.measure([&] { CU(CtxSetLimit, CU_LIMIT_STACK_SIZE, Old); });
       }},
      {"beside.launch-and-wait-on-primary", "a loaded kernel",
       [](Bench &B) {
         CUfunction F = loadByName(B, "plain");
         int *Out = B.Out;
         void *Arguments[] = {static_cast<void *>(&Out)};
         B.measure([&] {
           B.onPrimary([&] {
             CU(LaunchKernel, F, 1U, 1U, 1U, 1U, 1U, 1U, 0U, B.PrimaryStream,
                Arguments, nullptr);
             CU(StreamSynchronize, B.PrimaryStream);
           });
         });
       }},
  };
}

} // namespace kplan::probe
