//===- two_tenants_standin.cpp - Which kernel blocks, on the stand-in -----===//
//
// The stand-in driver runs no device code. It has to be told which kernel of
// the program runs until the host releases it; a user's setting goes first.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>

// Before the program's kernels are registered.
[[gnu::constructor(101)]] static void nameBlockingKernel() {
  setenv("KPLAN_STANDIN_BLOCKERS", "_Z4hold*", /*overwrite=*/0);
}
