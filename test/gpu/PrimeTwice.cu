//===- PrimeTwice.cu - Priming again changes nothing ----------------------===//
//
// Primes without a plan (every registered kernel), twice, and looks at what
// the program could notice. One line a fact; exit status 1 at the first that
// does not hold.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <kplan/kplan.h>

__device__ int Offset = 40;

__global__ void addOffset(int *Out, int Value) { *Out = Value + Offset; }

__global__ void lookUp(int *Out, int Index) {
  int Table[512];
  for (int I = 0; I < 512; ++I)
    Table[I] = I * Offset;
  *Out = Table[Index];
}

static void require(bool Holds, const char *What) {
  if (!Holds) {
    std::printf("does not hold: %s\n", What);
    std::exit(1);
  }
}

static uint64_t primeOnce(const char *Which, uint64_t &DeviceBytes) {
  kplan_report *Report = nullptr;
  const kplan_status Status = kplan_prime(nullptr, &Report);
  std::printf("%s: %s\n", Which, kplan_report_text(Report));
  require(Status == KPLAN_OK, kplan_status_name(Status));
  DeviceBytes = kplan_report_count(Report, KPLAN_COUNT_DEVICE_BYTES);
  const uint64_t Functions = kplan_report_count(Report, KPLAN_COUNT_FUNCTIONS);
  kplan_report_destroy(Report);
  return Functions;
}

struct Limits {
  size_t Stack = 0, Heap = 0, Printf = 0;
  Limits() {
    require(
        cuCtxGetLimit(&Stack, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS &&
            cuCtxGetLimit(&Heap, CU_LIMIT_MALLOC_HEAP_SIZE) == CUDA_SUCCESS &&
            cuCtxGetLimit(&Printf, CU_LIMIT_PRINTF_FIFO_SIZE) == CUDA_SUCCESS,
        "limits can be read");
  }
  /// Local memory that is reserved shows in the stack limit, as it does after
  /// the program's own first launch of such a kernel.
  bool followOn(const Limits &Old) const {
    return Stack >= Old.Stack && Heap == Old.Heap && Printf == Old.Printf;
  }
};

int main() {
  require(cudaSetDevice(0) == cudaSuccess, "there is a device");
  CUcontext Before = nullptr, After = nullptr;
  cuCtxGetCurrent(&Before);
  const Limits Old;

  uint64_t FirstBytes = 0, SecondBytes = 0;
  const uint64_t First = primeOnce("first", FirstBytes);
  const uint64_t Second = primeOnce("second", SecondBytes);

  cuCtxGetCurrent(&After);
  require(Before && Before == After, "the current context is as it was");
  std::printf("context unchanged\n");
  require(Limits().followOn(Old), "heap and printf limits are as they were");
  std::printf("limits kept\n");
  require(First >= 2 && First == Second, "both found the same functions");
  require(SecondBytes == 0, "the second took no device memory");
  std::printf("the same functions, no more memory\n");

  int *Out = nullptr;
  require(cudaMallocHost(&Out, 2 * sizeof(int)) == cudaSuccess, "host memory");
  addOffset<<<1, 1>>>(Out, 2);
  lookUp<<<1, 1>>>(Out + 1, 3);
  require(cudaDeviceSynchronize() == cudaSuccess, "the kernels run");
  require(Out[0] == 42 && Out[1] == 120, "their results are right");
  std::printf("results right\n");
  return 0;
}
