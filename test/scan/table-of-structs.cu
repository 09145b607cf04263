// Members of a table's elements.
// RUN: %plan %s | FileCheck %s
__global__ void a(int *) {}
__global__ void b(int *) {}
struct Entry {
  const char *name;
  void (*kernel)(int *);
  int bytes;
};
static const Entry entries[] = {{"a", a, 1000}, {"b", b, 2000}};
void go(int i) {
  const Entry &e = entries[i];
  cudaFuncSetAttribute((const void *)entries[i].kernel,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, 3000);
  e.kernel<<<1, 1>>>(nullptr);
}
// CHECK: symbol: _Z1aPi
// CHECK: max_dynamic_shared_size_bytes: 3000
// CHECK: kind: launch
// CHECK: symbol: _Z1bPi
// CHECK: max_dynamic_shared_size_bytes: 3000
// CHECK: kind: launch
// CHECK-NOT: unresolved:
