// Values that the compiler can fold, and locals and arithmetic that it cannot.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
struct Storage { float a[10][10]; };
enum { Bytes = 300 };
constexpr int twice(int n) { return 2 * n; }
#define SET(n, value) \
  cudaFuncSetAttribute(k<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, value)
template <class T> void typed() { SET(5, sizeof(T) * 3); }
void go() {
  SET(1, 48 << 10);
  SET(2, sizeof(Storage));
  SET(3, Bytes);
  SET(4, twice(21));
  typed<double>();
  const size_t stages = 3;
  size_t bytes = stages * 16;
  bytes += 2;
  SET(6, bytes);
  int rows = 4;
  int total = rows * 8 + (rows > 2 ? 1 : 0);
  SET(7, total);
}
// CHECK: _Z1kILi1EEvPi
// CHECK: max_dynamic_shared_size_bytes: 49152{{$}}
// CHECK: _Z1kILi2EEvPi
// CHECK: max_dynamic_shared_size_bytes: 400{{$}}
// CHECK: _Z1kILi3EEvPi
// CHECK: max_dynamic_shared_size_bytes: 300{{$}}
// CHECK: _Z1kILi4EEvPi
// CHECK: max_dynamic_shared_size_bytes: 42{{$}}
// CHECK: _Z1kILi5EEvPi
// CHECK: max_dynamic_shared_size_bytes: 24{{$}}
// CHECK: _Z1kILi6EEvPi
// CHECK: max_dynamic_shared_size_bytes: 50{{$}}
// CHECK: _Z1kILi7EEvPi
// CHECK: max_dynamic_shared_size_bytes: 33{{$}}
