__device__ int helper(int x) { return 3 * x; }
__global__ void other(int *p) { *p = helper(*p) + 1; }
