// Guards that let a set run once: flags, sets, call_once, static initialisers.
// RUN: %plan %s | FileCheck %s
#include <mutex>
#include <set>
__global__ void k(int *) {}
#define SET(value) \
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, value)
static std::once_flag flag;
static const cudaError_t at_start = SET(1);
void go(int device, bool other) {
  static bool done[16];
  if (!done[device]) {
    SET(2);
    done[device] = true;
  }
  std::call_once(flag, [] { SET(3); });
  static const cudaError_t first = SET(4);
  static std::set<int> seen;
  if (seen.insert(device).second)
    SET(5);
  static int largest = 0;
  if (device > largest) {
    SET(6);
    largest = device;
  }
  if (other)
    SET(7);
  (void)first;
}
// CHECK: value: 1, once: true
// CHECK: value: 2, when: "!done[device]", once: true
// CHECK: value: 3, once: true
// CHECK: value: 4, once: true
// CHECK: value: 5, when: "seen.insert(device).second", once: true
// CHECK: value: 6, when: "device > largest", once: true
// CHECK: value: 7, when: "other", once: false
