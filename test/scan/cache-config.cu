// The cache preference of either API.
// RUN: %plan %s | FileCheck %s
__global__ void k(int *) {}
void go() { cudaFuncSetCacheConfig(k, cudaFuncCachePreferShared); }
// CHECK: cache_config: prefer_shared
// CHECK: kind: set, at: "cache-config.cu:4:13", cache_config: prefer_shared
