// Driver functions behind pointers: a member whose type tells, NVIDIA's PFN_
// types, pointers that dlsym or cuGetProcAddress fills.
// RUN: %plan %s | FileCheck %s
#include <cuda.h>
#include <cudaTypedefs.h>
#include <dlfcn.h>
struct Driver {
  decltype(&cuFuncSetAttribute) set;
  PFN_cuLaunchKernel_v4000 launch;
} driver;
typedef CUresult (*Setter)(CUfunction, CUfunction_attribute, int);
#define CALL(function, ...) do { CUresult r = function(__VA_ARGS__); (void)r; } while (0)
void go(CUmodule m, void *library) {
  CUfunction f;
  cuModuleGetFunction(&f, m, "k");
  driver.set(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000);
  driver.launch(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  auto loaded = (Setter)dlsym(library, "cuFuncSetAttribute");
  loaded(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);
  CALL(cuFuncSetCacheConfig, f, CU_FUNC_CACHE_PREFER_L1);
}
// CHECK: symbol: k
// CHECK: max_dynamic_shared_size_bytes: 1000
// CHECK: preferred_shared_memory_carveout: 50
// CHECK: cache_config: prefer_l1
// CHECK: kind: set, at: "driver-pointers.cpp:16:3"
// CHECK: kind: launch, at: "driver-pointers.cpp:17:3"
// CHECK: kind: set, at: "driver-pointers.cpp:19:3"
// CHECK: kind: set, at: "driver-pointers.cpp:20:
// CHECK-NOT: unresolved:
