//===- median.cu - A kernel with a large stack frame ---------------------===//
//
// The counts of one window are indexed by data, so they live in local memory:
// 4 KB a thread. The driver has to grow its local memory before the first
// launch of such a kernel.
//
//===----------------------------------------------------------------------===//

#include "check.h"
#include "first_uses.h"

#include <algorithm>
#include <vector>

static constexpr int Window = 128;
static constexpr int Windows = Work::Count / Window;
static_assert(Windows <= Work::Values, "results do not fit");

__global__ void windowMedian(const int *Samples, int *Result) {
  int Counts[Work::Values];
  for (int &Count : Counts)
    Count = 0;
  const int Index = blockIdx.x * blockDim.x + threadIdx.x;
  for (int I = 0; I < Window; ++I)
    ++Counts[Samples[Index * Window + I]];
  int Value = 0;
  for (int Below = Counts[0]; Below <= Window / 2; Below += Counts[Value])
    ++Value;
  Result[Index] = Value;
}

void median(const Work &W, cudaStream_t Stream) {
  windowMedian<<<Windows / 128, 128, 0, Stream>>>(W.Samples, W.Result);
  check(cudaGetLastError(), "launch of windowMedian");
}

bool medianIsRight(const Work &W) {
  for (int Index = 0; Index < Windows; ++Index) {
    const int *Begin = W.Samples + Index * Window;
    std::vector<int> Sorted(Begin, Begin + Window);
    std::nth_element(Sorted.begin(), Sorted.begin() + Window / 2, Sorted.end());
    if (W.Result[Index] != Sorted[Window / 2])
      return false;
  }
  return true;
}
