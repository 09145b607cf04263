//===- Hooks.cpp - The hooks ----------------------------------------------===//

#include "hooks/Hooks.h"

#include "hooks/CallLog.h"
#include "hooks/Coverage.h"
#include "hooks/Dispatch.h"
#include "hooks/DriverLookup.h"
#include "hooks/HookSettings.h"
#include "hooks/LineBuffer.h"
#include "hooks/RealDriver.h"

#include <unistd.h>

using namespace kplan::runtime::hooks;

namespace {

/// The driver lacks a function that a program was linked with. Without kplan
/// the loader would have said so.
constexpr CUresult Missing = CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND;

template <DriverFunction F, class Arguments>
inline CUresult enter(void *Address, const void *Caller, Arguments A) {
  if (!Address) [[unlikely]]
    return Missing;
  if constexpr (infoOf(F).Purpose == Purpose::Lookup) {
    CUresult Result = A.callWith(Address);
    if (Result == CUDA_SUCCESS && A.symbol && A.pfn && *A.pfn)
      *A.pfn = handOut(A.symbol, *A.pfn, GivenBy::GetProcAddress);
    return Result;
  } else if constexpr (infoOf(F).Purpose == Purpose::Opaque) {
    noteExportTable(Caller);
    return A.callWith(Address);
  } else {
    return dispatch<F>(Address, A);
  }
}

[[gnu::noinline]] void *firstCall(DriverFunction F) {
  startHooks();
  return findNextFunction(F);
}

inline void *next(DriverFunction F) {
  void *Known = nextFunction(F);
  return Known ? Known : firstCall(F);
}

} // namespace

// The assembler's name keeps cuda.h's declarations and macros out of the way.
#define KPLAN_PARAMETER(Type, Name) Type Name
#define KPLAN_NAME(Type, Name) Name
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  extern "C" [[gnu::visibility("default")]] CUresult kplan_exported_##F(       \
      KPLAN_LIST(KPLAN_PARAMETER, __VA_ARGS__)) __asm__("cu" #F);              \
  extern "C" CUresult kplan_exported_##F(                                      \
      KPLAN_LIST(KPLAN_PARAMETER, __VA_ARGS__)) {                              \
    return enter<DriverFunction::F>(                                           \
        next(DriverFunction::F), __builtin_return_address(0),                  \
        F##Arguments{KPLAN_LIST(KPLAN_NAME, __VA_ARGS__)});                    \
  }                                                                            \
  static CUresult handedOut##F(KPLAN_LIST(KPLAN_PARAMETER, __VA_ARGS__)) {     \
    return enter<DriverFunction::F>(                                           \
        driverFunction(DriverFunction::F), __builtin_return_address(0),        \
        F##Arguments{KPLAN_LIST(KPLAN_NAME, __VA_ARGS__)});                    \
  }
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  KPLAN_HOOKED(F, Version, Like, __VA_ARGS__)
#include "hooks/DriverFunctions.def"

void *kplan::runtime::hooks::hookFor(DriverFunction F) {
  static void *const Entries[] = {
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  reinterpret_cast<void *>(&handedOut##F),
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  reinterpret_cast<void *>(&handedOut##F),
#include "hooks/DriverFunctions.def"
  };
  static_assert(std::size(Entries) == NumHooked);
  return Entries[static_cast<size_t>(F)];
}

void kplan::runtime::hooks::startHooks() {
  static constinit std::atomic<bool> Started = false;
  const HookSettings &Settings = hookSettings();
  if (Started.load(std::memory_order_relaxed) || Started.exchange(true))
    return;
  if (Settings.Disabled) {
    if (Settings.Verbose)
      (LineBuffer() << "KPLAN_DISABLE is set: nothing is hooked").write();
    return;
  }
  if (!Settings.NotAPurpose.empty())
    (LineBuffer() << "KPLAN_CALLS: '" << Settings.NotAPurpose
                  << "' is no purpose; docs/hooks.md lists them")
        .write();
  if (!Settings.Calls.empty())
    addCallLog(Settings.Calls);
  if (Settings.Verbose)
    (LineBuffer() << "version " KPLAN_VERSION " hooks the CUDA driver in process "
                  << static_cast<int64_t>(getpid()) << " ("
                  << program_invocation_short_name << "); launches are "
                  << (observedPurposes().contains(Purpose::Launch)
                          ? "hooked"
                          : "not hooked"))
        .write();
}
