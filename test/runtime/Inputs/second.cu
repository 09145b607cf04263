// The same names as in first.cu: another template instance of the TU's own, and
// another internal kernel.
template <typename T> __global__ void scale(T *P) { *P *= 2; }
static __global__ void count(int *P) { *P = 0; }

void second(int *P, float *F) {
  scale<<<1, 1>>>(F);
  count<<<1, 1>>>(P);
}
