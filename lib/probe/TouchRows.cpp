//===- TouchRows.cpp - The first touch of a library -----------------------===//

#include "probe/Rows.h"
#include "probe/Steps.h"

namespace kplan::probe {

std::vector<Row> touchRows() {
  return {
      {"touch.cuKernelSetAttribute", "cudaFuncSetAttribute calls it",
       [](Bench &B) {
         CUkernel K = kernel(B, "uses_shared");
         B.measure([&] {
           CU(KernelSetAttribute,
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 32768, K,
              B.Device);
         });
       },
       /*Quick=*/true},
      {"touch.cuKernelGetFunction", "",
       [](Bench &B) {
         CUkernel K = kernel(B, "plain");
         B.measure([&] { load(B, K); });
       },
       /*Quick=*/true},
      {"touch.cuLibraryGetModule", "",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         CUmodule M = nullptr;
         B.measure([&] { CU(LibraryGetModule, &M, L); });
       }},
      {"touch.occupancy", "cudaOccupancyMaxActiveBlocksPerMultiprocessor too",
       [](Bench &B) {
         CUkernel K = kernel(B, "plain");
         int Blocks = 0;
         B.measure([&] {
           CU(OccupancyMaxActiveBlocksPerMultiprocessor, &Blocks,
              reinterpret_cast<CUfunction>(K), 32, size_t(0));
         });
       }},
      {"touch.launch", "<<<>>> and cudaLaunchKernel call it",
       [](Bench &B) {
         CUkernel K = kernel(B, "plain");
         B.measure([&] { launch(B, K); });
       },
       /*Quick=*/true},
      {"touch.cuLibraryGetGlobal",
       "cudaGetSymbolAddress and cudaMemcpyToSymbol call it",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         CUdeviceptr P = 0;
         size_t N = 0;
         B.measure([&] { CU(LibraryGetGlobal, &P, &N, L, "program_global"); });
       },
       /*Quick=*/true},
      {"touch.cuKernelGetParamInfo", "",
       [](Bench &B) {
         CUkernel K = kernel(B, "plain");
         size_t Offset = 0, Size = 0;
         B.measure(
             [&] { CU(KernelGetParamInfo, K, size_t(0), &Offset, &Size); });
       }},
      {"no-touch.cuLibraryGetKernel", "cudaGetKernel calls it",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         B.measure([&] { kernelOf(B, L, "other"); });
         noteResidency(B, L);
       }},
      {"no-touch.cuKernelGetAttribute", "",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         CUkernel K = kernelOf(B, L, "big_local");
         int V = 0;
         B.measure([&] {
           CU(KernelGetAttribute, &V, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, K,
              B.Device);
         });
         B.note(std::to_string(V) + " bytes of local memory");
         noteResidency(B, L);
       }},
      {"no-touch.cuModuleGetLoadingMode", "",
       [](Bench &B) {
         CUlibrary L = loadLibrary(B);
         CUmoduleLoadingMode Mode = CU_MODULE_EAGER_LOADING;
         B.measure([&] { CU(ModuleGetLoadingMode, &Mode); });
         B.note(Mode == CU_MODULE_LAZY_LOADING ? "lazy" : "eager");
         noteResidency(B, L);
       }},
  };
}

} // namespace kplan::probe
