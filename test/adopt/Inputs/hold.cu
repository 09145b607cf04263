__global__ void hold(volatile int *Release, unsigned long long) { while (!*Release); }
