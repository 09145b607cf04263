//===- RealDriver.h - The driver's own functions --------------------------===//
//
// Part of kplan. Finds libcuda.so.1 among what is loaded and each hooked
// function in it, in each ABI, so that
//
//  - a pointer that the driver gave out tells which ABI it is, whatever name it
//    was asked for by;
//  - a hook knows what to go on to.
//
// Nothing is cached by a library that may go: when objects have been unloaded,
// the driver is looked for again. No locks; what several threads find out at
// once is the same.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_REALDRIVER_H
#define KPLAN_RUNTIME_HOOKS_REALDRIVER_H

#include "hooks/DriverFunctions.h"
#include "hooks/LoadedObject.h"

#include <atomic>

namespace kplan::runtime::hooks {

namespace detail {
extern std::atomic<void *> DriverAddress[NumHooked];
extern std::atomic<void *> NextAddress[NumHooked];
} // namespace detail

/// What a pointer that was given out leads to: the driver's function, or null
/// where this driver does not have it. Known once identify() has seen it.
inline void *driverFunction(DriverFunction F) {
  return detail::DriverAddress[static_cast<size_t>(F)].load(
      std::memory_order_relaxed);
}

/// What a call through the exported symbol leads to: the next definition in the
/// order of lookup. That is the driver's, unless another library interposes it
/// too. Null until findNextFunction() has found it.
inline void *nextFunction(DriverFunction F) {
  return detail::NextAddress[static_cast<size_t>(F)].load(
      std::memory_order_relaxed);
}

/// Looks for it and keeps its library loaded from then on; null: there is none.
void *findNextFunction(DriverFunction F);

/// The driver, if it is loaded.
LoadedObject loadedDriver();

/// Where a pointer comes from decides what identify() may do to know it.
enum class GivenBy {
  Dlsym,          ///< It is an exported address: nothing is called.
  GetProcAddress, ///< The driver is asked for each ABI, once.
};

/// Which hooked function a pointer is. `Base` is the name that the program
/// asked for, without suffix: it only decides between functions that the driver
/// implements by the same code. Allocates nothing.
std::optional<DriverFunction> identify(const void *Address,
                                       std::string_view Base, GivenBy Giver);

/// The real dlsym: the first one behind this library in the order of lookup, or
/// in front of it where there is none; found without calling any.
using DlsymFunction = void *(void *, const char *);
DlsymFunction *realDlsym();

/// Whether an address lies in the library or program that kplan is linked into.
bool isOurs(const void *Address);

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_REALDRIVER_H
