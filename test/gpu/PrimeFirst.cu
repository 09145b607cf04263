//===- PrimeFirst.cu - Priming as the first CUDA call ---------------------===//
//
// No context exists when kplan_prime() is called. What it loads must still be
// there when the program makes its own first CUDA call. One line a fact; exit
// status 1 at the first that does not hold.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <kplan/kplan.h>

__global__ void answer(int *Out) { *Out = 42; }

static void require(bool Holds, const char *What) {
  if (!Holds) {
    std::printf("does not hold: %s\n", What);
    std::exit(1);
  }
}

static unsigned contextState() {
  unsigned Flags = 0;
  int Active = -1;
  require(cuDevicePrimaryCtxGetState(0, &Flags, &Active) == CUDA_SUCCESS,
          "the primary context's state can be read");
  return static_cast<unsigned>(Active);
}

int main() {
  kplan_options Options = KPLAN_OPTIONS_INIT;
  Options.device = 0;
  kplan_report *Report = nullptr;
  const kplan_status Status = kplan_prime(&Options, &Report);
  std::printf("%s\n", kplan_report_text(Report));
  require(Status == KPLAN_OK, kplan_status_name(Status));
  kplan_report_destroy(Report);
  std::printf("primary context active after priming: %u\n", contextState());

  require(cudaSetDevice(0) == cudaSuccess, "the device can be set");
  cudaKernel_t Kernel = nullptr;
  require(cudaGetKernel(&Kernel, reinterpret_cast<const void *>(answer)) ==
              cudaSuccess,
          "the kernel is known");
  CUlibrary Library = nullptr;
  CUmodule Module = nullptr;
  require(cuKernelGetLibrary(&Library, reinterpret_cast<CUkernel>(Kernel)) ==
                  CUDA_SUCCESS &&
              cuLibraryGetModule(&Module, Library) == CUDA_SUCCESS,
          "its library has a module");
  CUfunction Function = nullptr;
  CUfunctionLoadingState State = CU_FUNCTION_LOADING_STATE_UNLOADED;
  require(cuModuleEnumerateFunctions(&Function, 1, Module) == CUDA_SUCCESS &&
              cuFuncIsLoaded(&State, Function) == CUDA_SUCCESS,
          "its state can be read");
  std::printf("kernel loaded before its first use: %d\n",
              State == CU_FUNCTION_LOADING_STATE_LOADED);

  int *Out = nullptr;
  require(cudaMallocHost(&Out, sizeof(int)) == cudaSuccess, "host memory");
  answer<<<1, 1>>>(Out);
  require(cudaDeviceSynchronize() == cudaSuccess && *Out == 42,
          "the kernel's result is right");
  std::printf("result right\n");
  return 0;
}
