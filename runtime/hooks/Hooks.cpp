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

/// Whether a call of F goes straight on to the driver.
template <DriverFunction F> inline bool goesOn(const void *Address) {
  constexpr Purpose P = infoOf(F).Purpose;
  return Address && P != Purpose::Lookup && !isObserved<F>();
}

/// Otherwise. By reference: a copy right after the arguments were stored one by
/// one stalls the processor for longer than all the rest takes.
template <DriverFunction F, class Arguments>
CUresult stop(void *Address, Arguments &&A) {
  if (!Address)
    return Missing;
  if constexpr (infoOf(F).Purpose == Purpose::Lookup) {
    CUresult Result = A.callWith(Address);
    if (Result == CUDA_SUCCESS && A.symbol && A.pfn && *A.pfn)
      *A.pfn = handOut(A.symbol, *A.pfn, GivenBy::GetProcAddress);
    return Result;
  } else {
    // Observers may have come with the first call.
    return isObserved<F>() ? callObserved<F>(Address, A) : A.callWith(Address);
  }
}

/// For entries that were exported: the first call of each comes here.
void *findNext(DriverFunction F) {
  startHooks();
  void *Known = nextFunction(F);
  return Known ? Known : findNextFunction(F);
}

/// For those that were given out, which are not without the driver.
void *findOwn(DriverFunction F) { return driverFunction(F); }

} // namespace

// An entry either goes straight on, or to a function of its own for all the
// rest: both are jumps, so that it needs no frame. The assembler's name keeps
// cuda.h's declarations and macros out of the way.
#define KPLAN_PARAMETER(Type, Name) Type Name
#define KPLAN_NAME(Type, Name) Name
#define KPLAN_ENTRY(F, Declarator, Known, Find, ...)                           \
  [[gnu::noinline]] static CUresult Find##F(                                   \
      KPLAN_LIST(KPLAN_PARAMETER, __VA_ARGS__)) {                              \
    return stop<DriverFunction::F>(                                            \
        Find(DriverFunction::F),                                               \
        F##Arguments{KPLAN_LIST(KPLAN_NAME, __VA_ARGS__)});                    \
  }                                                                            \
  Declarator(KPLAN_LIST(KPLAN_PARAMETER, __VA_ARGS__)) {                       \
    if constexpr (infoOf(DriverFunction::F).Purpose == Purpose::Opaque)        \
      noteExportTable(__builtin_return_address(0));                            \
    void *Address = Known(DriverFunction::F);                                  \
    if (goesOn<DriverFunction::F>(Address)) [[likely]]                         \
      return reinterpret_cast<F##Arguments::Function *>(Address)(              \
          KPLAN_LIST(KPLAN_NAME, __VA_ARGS__));                                \
    return Find##F(KPLAN_LIST(KPLAN_NAME, __VA_ARGS__));                       \
  }
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  extern "C" [[gnu::visibility("default")]] CUresult kplan_exported_##F(       \
      KPLAN_LIST(KPLAN_PARAMETER, __VA_ARGS__)) __asm__("cu" #F);              \
  KPLAN_ENTRY(F, extern "C" CUresult kplan_exported_##F, nextFunction,         \
              findNext, __VA_ARGS__)                                           \
  KPLAN_ENTRY(F, static CUresult handedOut##F, driverFunction, findOwn,        \
              __VA_ARGS__)
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

void *kplan::runtime::hooks::exportedHook(DriverFunction F) {
  static void *const Entries[] = {
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  reinterpret_cast<void *>(&kplan_exported_##F),
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  reinterpret_cast<void *>(&kplan_exported_##F),
#include "hooks/DriverFunctions.def"
  };
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
  addProcessObservers(Settings);
  if (Settings.Verbose)
    (LineBuffer() << "version " KPLAN_VERSION
                     " hooks the CUDA driver in process "
                  << static_cast<int64_t>(getpid()) << " ("
                  << program_invocation_short_name << "); launches are "
                  << (observedPurposes().contains(Purpose::Launch)
                          ? "hooked"
                          : "not hooked"))
        .write();
}
