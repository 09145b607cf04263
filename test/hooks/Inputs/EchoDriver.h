//===- EchoDriver.h - What the echo driver writes down --------------------===//

#ifndef KPLAN_TEST_HOOKS_ECHODRIVER_H
#define KPLAN_TEST_HOOKS_ECHODRIVER_H

#include <cstdint>
#include <type_traits>

/// The last call in this thread.
struct EchoRecord {
  const char *Symbol;
  unsigned Calls; ///< All of them.
  unsigned Count; ///< Arguments.
  uint64_t Arguments[16];
};

/// What the first function of the table returns; the others count on. Within
/// what a CUresult can hold.
constexpr int EchoResult = 300;

/// An argument, as something to compare.
template <class T> uint64_t echoWord(T Value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uintptr_t>(Value);
  else
    return static_cast<uint64_t>(Value);
}

extern "C" void *kplanEchoAddress(const char *Symbol);

#endif // KPLAN_TEST_HOOKS_ECHODRIVER_H
