// A template kernel, one with internal linkage, one in an anonymous namespace,
// and device variables.
__device__ int Counter;
__constant__ float Coefficients[4];

template <typename T> __global__ void scale(T *P) { *P *= Coefficients[1]; }
static __global__ void count(int *P) { *P = ++Counter; }
namespace {
template <int N> __global__ void fill(int *P) { *P = N; }
} // namespace

void first(int *P, float *F) {
  scale<<<1, 1>>>(F);
  count<<<1, 1>>>(P);
  fill<3><<<1, 1>>>(P);
}
