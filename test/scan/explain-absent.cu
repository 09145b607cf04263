// --explain: why a kernel is not in the plan, also where bodies are dropped.
// RUN: kplan-scan --explain alone %s --root %S | FileCheck %s --check-prefix=ALONE --match-full-lines
// RUN: kplan-scan --explain _Z6nestedPi %s --root %S | FileCheck %s --check-prefix=DEVICE --match-full-lines
// RUN: not kplan-scan --explain tiled %s --root %S | FileCheck %s --check-prefix=TEMPLATE --match-full-lines
// RUN: not kplan-scan --explain allone %s --root %S | FileCheck %s --check-prefix=NEAR --match-full-lines
// RUN: not kplan-scan --explain xyzzy %s --root %S | FileCheck %s --check-prefix=NONE --match-full-lines
__global__ void alone(int *) {}
__global__ void nested(int *) {}
template <int N> __global__ void tiled(int *) {}
template <int N> void never(int *p) { tiled<N><<<1, 1>>>(p); }
__host__ __device__ void both(int *p) {
#ifndef __CUDA_ARCH__
  nested<<<1, 1>>>(p);
#endif
}
__global__ void entry(int *p) { both(p); }
extern const void *handle;
void go(int *p) {
  entry<<<1, 1>>>(p);
  cudaFuncSetAttribute(handle, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
}
// ALONE:      alone(int*)
// ALONE-NEXT:   symbol: _Z5alonePi
// ALONE-NEXT:   declared at explain-absent.cu:7:17
// ALONE-NEXT:   not in the plan: no code of the scan launches it, sets anything of it or asks about it
// ALONE-NEXT:   the kernel of 1 site is not known, and may be this; the plan's unresolved lists it
// DEVICE:       nested(int*)
// DEVICE:         not in the plan: only device code calls the functions with its sites
// DEVICE:         launch at explain-absent.cu:13:3: nested<<<1, 1>>>(p)
// DEVICE-NEXT:      in both(int*)
// TEMPLATE:      no kernel of the scan is named 'tiled'
// TEMPLATE-NEXT:   in a template that nothing instantiates, and that makes no kernel: launch of 'tiled<N>' at explain-absent.cu:10:39
// NEAR:      no kernel of the scan is named 'allone'
// NEAR-NEXT:   there is: alone(int*)
// NONE:      no kernel of the scan is named 'xyzzy'
// NONE-NEXT:   there are 3 kernels, none with a name like that
