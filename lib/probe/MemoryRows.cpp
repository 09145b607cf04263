//===- MemoryRows.cpp - Local memory, printf, assert, malloc --------------===//

#include "probe/Rows.h"
#include "probe/Steps.h"

namespace kplan::probe {

namespace {

void launchLoaded(Bench &B, const char *Name) {
  CUfunction F = loadByName(B, Name);
  B.measure([&] { launch(B, F); });
}

/// A first launch of `Name`, after one of the small kernel `Cure`.
void launchAfterCure(Bench &B, const char *Name, Text Cure) {
  CUfunction F = loadByName(B, Name);
  const size_t Before = B.freeBytes();
  launchCure(B, Cure);
  B.note("the launch before took " + megabytes(Before, B.freeBytes()));
  B.measure([&] { launch(B, F); });
}

void setStackLimit(Bench &B, CUcontext On, size_t Bytes) {
  B.on(On, [&] { CU(CtxSetLimit, CU_LIMIT_STACK_SIZE, Bytes); });
}

size_t stackLimit(Bench &B) {
  size_t Bytes = 0;
  CU(CtxGetLimit, &Bytes, CU_LIMIT_STACK_SIZE);
  return Bytes;
}

constexpr size_t EnoughStack = 16384 + 64;

} // namespace

std::vector<Row> memoryRows() {
  return {
      {"local.first-launch", "more local memory a thread than before",
       [](Bench &B) { launchLoaded(B, "big_local"); },
       /*Quick=*/true},
      {"local.after-launch-of-more", "",
       [](Bench &B) { launchAfterCure(B, "big_local", Text::LocalMore); }},
      {"local.after-launch-of-less", "",
       [](Bench &B) { launchAfterCure(B, "big_local", Text::LocalLess); }},
      {"local.after-stack-limit", "set on the primary context",
       [](Bench &B) {
         CUfunction F = loadByName(B, "big_local");
         const size_t Before = B.freeBytes();
         setStackLimit(B, B.Primary, EnoughStack);
         B.note("the limit took " + megabytes(Before, B.freeBytes()));
         B.measure([&] { launch(B, F); });
       }},
      {"local.after-stack-limit-on-green-context", "",
       [](Bench &B) {
         CUfunction F = loadByName(B, "big_local");
         setStackLimit(B, B.Split.B, EnoughStack);
         B.measure([&] { launch(B, F); });
       }},
      {"local.after-stack-limit-set-back", "",
       [](Bench &B) {
         CUfunction F = loadByName(B, "big_local");
         const size_t Old = stackLimit(B);
         setStackLimit(B, B.Primary, EnoughStack);
         setStackLimit(B, B.Primary, Old);
         B.measure([&] { launch(B, F); });
       }},
      {"printf.first-launch", "", [](Bench &B) { launchLoaded(B, "prints"); },
       /*Quick=*/true},
      {"assert.first-launch", "", [](Bench &B) { launchLoaded(B, "asserts"); }},
      {"printf.after-launch-of-another", "",
       [](Bench &B) { launchAfterCure(B, "prints", Text::Printf); }},
      {"assert.after-launch-of-printf", "",
       [](Bench &B) { launchAfterCure(B, "asserts", Text::Printf); }},
      {"printf.after-launch-of-malloc", "",
       [](Bench &B) { launchAfterCure(B, "prints", Text::Malloc); }},
      {"printf.after-load-of-another", "loaded, but not launched",
       [](Bench &B) {
         CUfunction F = loadByName(B, "prints");
         CUmodule M = nullptr;
         CU(ModuleLoadData, &M, B.code(Text::Printf));
         B.measure([&] { launch(B, F); });
       }},
      {"printf.limit-afterwards", "the buffer's size, to what it is",
       [](Bench &B) {
         launchCure(B, Text::Printf);
         size_t Old = 0;
         CU(CtxGetLimit, &Old, CU_LIMIT_PRINTF_FIFO_SIZE);
         CUresult Code = CUDA_SUCCESS;
         B.measure(
             [&] { Code = B.Api.CtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, Old); });
         B.note(B.Api.describe(Code, "cuCtxSetLimit"));
       }},
      {"malloc.first-launch", "device malloc",
       [](Bench &B) { launchLoaded(B, "allocates"); },
       /*Quick=*/true},
      {"malloc.after-launch-of-another", "",
       [](Bench &B) { launchAfterCure(B, "allocates", Text::Malloc); }},
      {"malloc.after-launch-of-printf", "",
       [](Bench &B) { launchAfterCure(B, "allocates", Text::Printf); }},
      {"malloc.limit-afterwards", "the heap's size, to what it is",
       [](Bench &B) {
         launchCure(B, Text::Malloc);
         size_t Old = 0;
         CU(CtxGetLimit, &Old, CU_LIMIT_MALLOC_HEAP_SIZE);
         CUresult Code = CUDA_SUCCESS;
         B.measure(
             [&] { Code = B.Api.CtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, Old); });
         B.note(B.Api.describe(Code, "cuCtxSetLimit"));
       }},
  };
}

} // namespace kplan::probe
