extern __device__ int helper(int);
__global__ void caller(int *p) { *p = helper(*p); }
