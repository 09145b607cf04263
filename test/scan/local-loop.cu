// In a loop a use sees what comes round.
// RUN: %plan %s | FileCheck %s
__global__ void a(int *) {}
__global__ void b(int *) {}
void go(int n) {
  auto kernel = a;
  for (int i = 0; i < n; ++i) {
    kernel<<<1, 1>>>(nullptr);
    kernel = b;
  }
}
// CHECK: symbol: _Z1aPi
// CHECK: symbol: _Z1bPi
