//===- TwoRuntimes.cu - Two libraries, each with its own CUDA runtime -----===//
//
// Each library has a static CUDA runtime of its own, as vendors ship them: the
// process then has three, with the program's. Each row is a library's first
// use of something beside a running kernel in another green context. Knows
// nothing of kplan. Exit status 1 when any stalled.
//
//===----------------------------------------------------------------------===//

#include "FactsBench.h"

extern "C" int firstLibrary(int Step, CUstream Stream, int *Out);
extern "C" int secondLibrary(int Step, CUstream Stream, int *Out);

int main(int Count, char **Arguments) {
  facts::Bench Bench(Count > 1 ? std::atof(Arguments[1]) : 400, true);
  constexpr const char *Steps[] = {"plain launch", "shared memory of 96 KiB",
                                   "template kernel", "variable by name"};
  int Stalls = 0;
  for (int Step = 0; Step < 4; ++Step)
    for (auto [Name, Library] : {std::pair("first", firstLibrary),
                                 std::pair("second", secondLibrary)}) {
      auto S = Bench.measure([&, Use = Library] {
        CHECK(static_cast<cudaError_t>(Use(Step, Bench.StreamB, Bench.Out)));
      });
      std::printf("%-7s%-25s host %8.1f ms   B done %8.1f ms   %s\n", Name,
                  Steps[Step], S.HostMs, S.DoneMs, facts::name(S.What));
      Stalls += S.What != facts::Verdict::Ok;
    }
  std::printf("stalls %d\n", Stalls);
  return Stalls != 0;
}
