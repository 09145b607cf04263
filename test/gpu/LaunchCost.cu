//===- LaunchCost.cu - What a launch costs the host -----------------------===//
//
// Launches an empty kernel many times, in batches that fit the queue, and
// prints the cheapest and the median batch. Knows nothing of kplan: run it
// plainly, with a plan, with KPLAN_ESCAPES=all, and under kplan trace.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void empty() {}

int main() {
  constexpr int Batches = 2000, Launches = 200;
  cudaStream_t Stream;
  if (cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking))
    return 2;
  std::vector<double> Nanoseconds;
  for (int B = 0; B < Batches; ++B) {
    const auto Begin = std::chrono::steady_clock::now();
    for (int L = 0; L < Launches; ++L)
      empty<<<1, 1, 0, Stream>>>();
    const std::chrono::duration<double, std::nano> Took =
        std::chrono::steady_clock::now() - Begin;
    if (cudaStreamSynchronize(Stream))
      return 2;
    Nanoseconds.push_back(Took.count() / Launches);
  }
  std::sort(Nanoseconds.begin(), Nanoseconds.end());
  std::printf("ns a launch: least %.1f, 10th percentile %.1f, median %.1f\n",
              Nanoseconds.front(), Nanoseconds[Batches / 10],
              Nanoseconds[Batches / 2]);
  return 0;
}
