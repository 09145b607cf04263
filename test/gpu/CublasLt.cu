//===- CublasLt.cu - A C++ program's first matrix products ----------------===//
//
// cuBLASLt loads one small library for each kind of product, when it is first
// asked for. Each row is a product of a new shape beside a running kernel in
// another green context; the results' sum tells whether they are the same from
// run to run. Knows nothing of kplan. Exit status 1 when any stalled.
//
//   cublaslt_first [MILLISECONDS]      how long the other kernel holds
//
//===----------------------------------------------------------------------===//

#include "FactsBench.h"

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

const char *why(cublasStatus_t Status) { return cublasLtGetStatusName(Status); }

#define CHECK_BLAS(CALL)                                                       \
  do {                                                                         \
    if (cublasStatus_t Code_ = (CALL))                                         \
      ::facts::fail(__FILE__, __LINE__, #CALL, why(Code_));                    \
  } while (false)

struct Product {
  const char *Name;
  cudaDataType_t Type;
  cublasComputeType_t Compute;
  int M, N, K;
};

constexpr Product Products[] = {
    {"bf16 1024x64x512", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 1024, 64, 512},
    {"bf16 1024x1x512", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 1024, 1, 512},
    {"bf16 4096x2048x4096", CUDA_R_16BF, CUBLAS_COMPUTE_32F, 4096, 2048, 4096},
    {"fp16 256x256x256", CUDA_R_16F, CUBLAS_COMPUTE_32F, 256, 256, 256},
    {"fp16 3072x17x1024", CUDA_R_16F, CUBLAS_COMPUTE_32F, 3072, 17, 1024},
    {"fp32 512x512x512", CUDA_R_32F, CUBLAS_COMPUTE_32F, 512, 512, 512},
    {"tf32 512x512x512", CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 512, 512,
     512},
    {"fp32 2048x3x1000", CUDA_R_32F, CUBLAS_COMPUTE_32F, 2048, 3, 1000},
};

constexpr size_t Bytes = 64 << 20;
constexpr size_t WorkspaceBytes = 32 << 20;

struct Buffers {
  CUdeviceptr A = 0, B = 0, C = 0, Workspace = 0;
};

/// Finds an algorithm and enqueues the product: what a program does at its
/// first matrix product of a shape.
void multiply(cublasLtHandle_t Handle, const Product &P, const Buffers &Data,
              CUstream Stream) {
  cublasLtMatmulDesc_t Operation;
  CHECK_BLAS(cublasLtMatmulDescCreate(&Operation, P.Compute, CUDA_R_32F));
  cublasLtMatrixLayout_t A, B, C;
  CHECK_BLAS(cublasLtMatrixLayoutCreate(&A, P.Type, P.M, P.K, P.M));
  CHECK_BLAS(cublasLtMatrixLayoutCreate(&B, P.Type, P.K, P.N, P.K));
  CHECK_BLAS(cublasLtMatrixLayoutCreate(&C, P.Type, P.M, P.N, P.M));
  cublasLtMatmulPreference_t Preference;
  CHECK_BLAS(cublasLtMatmulPreferenceCreate(&Preference));
  size_t Room = WorkspaceBytes;
  CHECK_BLAS(cublasLtMatmulPreferenceSetAttribute(
      Preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &Room,
      sizeof Room));
  cublasLtMatmulHeuristicResult_t Found;
  int Count = 0;
  CHECK_BLAS(cublasLtMatmulAlgoGetHeuristic(Handle, Operation, A, B, C, C,
                                            Preference, 1, &Found, &Count));
  if (!Count)
    facts::fail(__FILE__, __LINE__, P.Name, "no algorithm");
  const float One = 1, Zero = 0;
  auto At = [](CUdeviceptr Address) {
    return reinterpret_cast<void *>(Address);
  };
  CHECK_BLAS(cublasLtMatmul(Handle, Operation, &One, At(Data.A), A, At(Data.B),
                            B, &Zero, At(Data.C), C, At(Data.C), C, &Found.algo,
                            At(Data.Workspace), WorkspaceBytes, Stream));
  cublasLtMatmulPreferenceDestroy(Preference);
  for (cublasLtMatrixLayout_t Layout : {A, B, C})
    cublasLtMatrixLayoutDestroy(Layout);
  cublasLtMatmulDescDestroy(Operation);
}

/// FNV-1a of the product's bytes.
uint64_t digest(const Product &P, const Buffers &Data) {
  const size_t Element = P.Type == CUDA_R_32F ? 4 : 2;
  std::vector<unsigned char> Result(Element * P.M * P.N);
  CHECK(cuMemcpyDtoH(Result.data(), Data.C, Result.size()));
  uint64_t Hash = 0xcbf29ce484222325;
  for (unsigned char Byte : Result)
    Hash = (Hash ^ Byte) * 0x100000001b3;
  return Hash;
}

} // namespace

int main(int Count, char **Arguments) {
  const double HoldMs = Count > 1 ? std::atof(Arguments[1]) : 400;
  facts::Bench Bench(HoldMs, true);
  Buffers Data;
  for (CUdeviceptr *P : {&Data.A, &Data.B, &Data.C})
    CHECK(cuMemAlloc(P, Bytes));
  CHECK(cuMemAlloc(&Data.Workspace, WorkspaceBytes));
  // 0x3f803f80: ones, more or less, in every type.
  for (CUdeviceptr P : {Data.A, Data.B})
    CHECK(cuMemsetD32(P, 0x3f803f80, Bytes / 4));
  CHECK(cuStreamSynchronize(Bench.PrimaryStream));

  int Stalls = 0;
  auto Row = [&](const char *Name, facts::Sample S) {
    std::printf("%-22s host %8.1f ms   B done %8.1f ms   %s\n", Name, S.HostMs,
                S.DoneMs, facts::name(S.What));
    Stalls += S.What != facts::Verdict::Ok;
  };
  cublasLtHandle_t Handle;
  Row("handle", Bench.measure([&] { CHECK_BLAS(cublasLtCreate(&Handle)); }));
  std::string Digests;
  for (const Product &P : Products) {
    Row(P.Name,
        Bench.measure([&] { multiply(Handle, P, Data, Bench.StreamB); }));
    char Text[32];
    std::snprintf(Text, sizeof Text, " %016llx",
                  static_cast<unsigned long long>(digest(P, Data)));
    Digests += Text;
  }
  std::printf("results%s\nstalls %d\n", Digests.c_str(), Stalls);
  CHECK_BLAS(cublasLtDestroy(Handle));
  return Stalls != 0;
}
