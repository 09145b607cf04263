// A program with two images (elsewhere.cu is the other). It primes, seals,
// launches a kernel of each, and tells the report and the escapes.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <kplan/kplan.h>

void launchElsewhere();

__device__ int Offset = 1;
__global__ void planned(int *P) { extern __shared__ int S[]; *P = S[0] + Offset; }
__global__ void late(int *P) { *P = 2; }
__global__ void deep(int *P) {
  int Frame[1000];
  for (int I = 0; I < 1000; ++I)
    Frame[I] = *P * I;
  *P = Frame[*P];
}

int main(int Count, char **Arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // In order with standard error.
  kplan_options Options = KPLAN_OPTIONS_INIT;
  for (int I = 1; I < Count; ++I) {
    Options.strict |= !std::strcmp(Arguments[I], "--strict");
    Options.local_memory &= std::strcmp(Arguments[I], "--no-local") != 0;
  }
  for (int Again = 0; Again < 2; ++Again) {
    kplan_report *Report;
    kplan_status Status = kplan_prime(&Options, &Report);
    std::printf("%s\n%s\n", kplan_status_name(Status),
                kplan_report_text(Report));
    kplan_report_destroy(Report);
  }
  std::printf("last error: %d\n", cudaPeekAtLastError());

  kplan_seal();
  planned<<<1, 1>>>(nullptr);
  late<<<1, 1>>>(nullptr);
  launchElsewhere();

  kplan_escape Escapes[8];
  size_t Found = 0;
  kplan_escapes(Escapes, 8, &Found);
  std::printf("escapes: %zu\n", Found);
  for (size_t I = 0; I < Found; ++I)
    std::printf("%s %s\n", Escapes[I].kind, Escapes[I].symbol);
  return 0;
}
