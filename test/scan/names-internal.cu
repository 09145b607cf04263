// Symbols of what belongs to one TU: patterns that leave only nvcc's hash and
// module id open.
// RUN: %plan %s | FileCheck %s
// RUN: %plan %s -- -fgpu-rdc | FileCheck %s --check-prefix=RDC
struct Public {};
template <class T> struct Box {};
namespace {
struct T {};
template <int N> __global__ void hidden(int *) {}
namespace inner { __global__ void deep(T *, T) {} }
} // namespace
namespace ns { static __global__ void fixed(int *) {} }
static __global__ void fixed(int *) {}
extern "C" __global__ void plain(int *) {}
template <class U> __global__ void of(U *) {}
void go() {
  hidden<3><<<1, 1>>>(nullptr);
  inner::deep<<<1, 1>>>(nullptr, T());
  ns::fixed<<<1, 1>>>(nullptr);
  fixed<<<1, 1>>>(nullptr);
  plain<<<1, 1>>>(nullptr);
  of<<<1, 1>>>((T *)nullptr);
  of<<<1, 1>>>((Box<T> *)nullptr);
  of<<<1, 1>>>((T **)nullptr);
  of<<<1, 1>>>((Public *)nullptr);
}
// CHECK:      symbol: _Z2ofI3BoxIN*_GLOBAL__N__*_17_names_internal_cu_*1TEEEvPT_
// CHECK:      linkage: internal
// CHECK-NEXT: file: names-internal.cu
// CHECK:      symbol: _Z2ofI6PublicEvPT_
// CHECK:      linkage: external
// CHECK:      symbol: _Z2ofIN*_GLOBAL__N__*_17_names_internal_cu_*1TEEvPT_
// CHECK:      symbol: _Z2ofIPN*_GLOBAL__N__*_17_names_internal_cu_*1TEEvPT_
// CHECK:      symbol: _Z5fixedPi
// CHECK:      linkage: internal
// CHECK:      symbol: _ZN*_GLOBAL__N__*_17_names_internal_cu_*5inner4deepEPNS_1TES1_
// CHECK:      symbol: _ZN*_GLOBAL__N__*_17_names_internal_cu_*6hiddenILi3EEEvPi
// CHECK:      symbol: _ZN2ns5fixedEPi
// CHECK:      linkage: internal
// CHECK:      symbol: plain
// CHECK:      linkage: external
// RDC: symbol: _Z2ofI6PublicEvPT_
// RDC: symbol: _Z2ofIPN*_GLOBAL__N__*_17_names_internal_cu_*1TEEvPT_
// RDC: symbol: __nv_static_*__*_17_names_internal_cu_*__Z2ofI3BoxIN*_GLOBAL__N__*_17_names_internal_cu_*1TEEEvPT_
// RDC: symbol: __nv_static_*__*_17_names_internal_cu_*__Z2ofIN*_GLOBAL__N__*_17_names_internal_cu_*1TEEvPT_
// RDC: symbol: __nv_static_*__*_17_names_internal_cu_*__Z5fixedPi
// RDC: symbol: __nv_static_*__*_17_names_internal_cu_*__ZN*_GLOBAL__N__*_17_names_internal_cu_*5inner4deepEPNS_1TES1_
// RDC: symbol: plain
