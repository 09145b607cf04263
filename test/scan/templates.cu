// Sites in templates that nothing instantiates are listed, as written.
// RUN: %plan %s | FileCheck %s
template <int N> __global__ void k(int *) {}
template <class T> struct Lazy {
  static void init() {
    cudaFuncSetAttribute(k<T::n>, cudaFuncAttributeMaxDynamicSharedMemorySize, T::n);
    k<T::n><<<1, 1>>>(nullptr);
  }
};
template <class T> void ask() {
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, k<sizeof(T)>);
}
template <class T> void used() { k<sizeof(T)><<<1, 1>>>(nullptr); }
void go() {
  used<int>();
  auto unused = [](auto n) { k<decltype(n)::value><<<1, 1>>>(nullptr); };
  (void)unused;
}
// CHECK:      symbol: _Z1kILi4EEvPi
// CHECK:      templates:
// CHECK-NEXT: - {kind: set, at: "templates.cu:6:5", kernel: "k<T::n>", attribute: max_dynamic_shared_size_bytes, value: "T::n"}
// CHECK-NEXT: - {kind: launch, at: "templates.cu:7:5", kernel: "k<T::n>"}
// CHECK-NEXT: - {kind: query, at: "templates.cu:12:3", kernel: "k<sizeof(T)>"}
// CHECK-NEXT: - {kind: launch, at: "templates.cu:17:30", kernel: "k<decltype(n)::value>"}
// CHECK-NOT: {{.}}
