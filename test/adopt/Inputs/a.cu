// An image that programs load by themselves.
extern "C" __device__ int Counter = 5;
extern "C" __global__ void first(int *P) { extern __shared__ int S[]; *P = S[0] + Counter; }
extern "C" __global__ void second(int *P) { *P = 2; }
extern "C" __global__ void other(int *P) { *P = 3; }
