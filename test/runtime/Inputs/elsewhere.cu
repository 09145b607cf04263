__global__ void elsewhere(int *P) { *P = 3; }
void launchElsewhere() { elsewhere<<<1, 1>>>(nullptr); }
