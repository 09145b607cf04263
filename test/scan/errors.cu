// What parsed is kept, whatever did not.
// RUN: not %plan %s --strict 2>%t.err >%t.yaml
// RUN: FileCheck %s < %t.yaml
// RUN: FileCheck %s --check-prefix=ERROR < %t.err
#include "not-there.h"
__global__ void k(int *) {}
void before() { k<<<1, 1>>>(nullptr); }
void broken() { Missing m; unknown(m); }
template <int N> __global__ void t(int *) {}
void after() { t<3><<<1, 1>>>(nullptr); }
// CHECK: symbol: _Z1kPi
// CHECK: symbol: _Z1tILi3EEvPi
// ERROR: errors.cu:5:10: error: {{.*}}not-there.h
// ERROR: note: errors that may follow from this, not shown: 1
