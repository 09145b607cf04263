//===- DriverLookup.cpp - Which pointer a program gets --------------------===//

#include "hooks/DriverLookup.h"

#include "hooks/Coverage.h"
#include "hooks/Dispatch.h"
#include "hooks/HookSettings.h"
#include "hooks/Hooks.h"

#include <dlfcn.h>

using namespace kplan::runtime::hooks;

namespace {

/// Whether programs get the hook of a function at this time.
bool isHooked(DriverFunction F) {
  Purpose P = infoOf(F).Purpose;
  return !hookSettings().Disabled &&
         (P != Purpose::Launch || observedPurposes().contains(P));
}

/// As the program would find it, were this library not there.
void *findPastUs(void *Handle, const char *Name) {
  DlsymFunction *Dlsym = realDlsym();
  void *Found = Dlsym(Handle, Name);
  if (!Found || !isOurs(Found))
    return Found;
  // The whole process was searched, and this library's exported hook came
  // first.
  if (void *Behind = Dlsym(RTLD_NEXT, Name))
    return Behind;
  // A driver that was loaded for some objects only: whether the caller is one
  // of them cannot be told.
  LoadedObject Driver = loadedDriver();
  void *Local = Driver ? Driver.findFunction(Name) : nullptr;
  if (Local)
    dlerror(); // The search has succeeded after all.
  return Local;
}

/// In the place of dlsym for names of hooked functions.
void *lookUp(void *Handle, const char *Name) noexcept {
  void *Real = findPastUs(Handle, Name);
  if (!Real)
    return nullptr;
  return handOut(Name, Real, GivenBy::Dlsym);
}

/// The same with RTLD_NEXT, for callers whose next definition is ours.
void *lookUpNext(void *, const char *Name) noexcept {
  void *Behind = realDlsym()(RTLD_NEXT, Name);
  std::optional<DriverFunction> F = findHooked(Name);
  if (!Behind || !F)
    return Behind;
  startHooks();
  // The caller takes its place in front of us, as an interposer does: it gets
  // what goes on to the next one.
  return isHooked(*F) ? exportedHook(*F) : Behind;
}

/// Whether the first definition of a hooked symbol behind the caller is ours.
bool isOurTurn(const char *Name, const void *Caller) {
  bool BehindCaller = false, Ours = false;
  forEachLoadedObject([&](const LoadedObject &Object) {
    if (!BehindCaller) {
      BehindCaller = Object.contains(Caller);
      return false;
    }
    Ours = Object.contains(reinterpret_cast<void *>(&lookUp));
    return Ours || Object.findFunction(Name) != nullptr;
  });
  return Ours;
}

void *noDlsym(void *, const char *) noexcept { return nullptr; }

} // namespace

void *kplan::runtime::hooks::handOut(std::string_view Name, void *Real,
                                     GivenBy Giver) {
  startHooks();
  if (hookSettings().Disabled)
    return Real;
  std::string_view Base = baseOf(Name);
  std::optional<DriverFunction> F = identify(Real, Base, Giver);
  if (!F || !driverFunction(*F)) {
    switch (decisionOn(Base)) {
    case Decision::Hooked:
      noteUnknownPointer(Name, Real);
      break;
    case Decision::Unknown:
      noteUnknownFunction(Name);
      break;
    case Decision::Passed:
      break;
    }
    return Real;
  }
  return isHooked(*F) ? hookFor(*F) : Real;
}

extern "C" void *kplan_dlsym_target(void *Handle, const char *Name,
                                    const void *Caller) noexcept {
  DlsymFunction *Dlsym = realDlsym();
  if (!Dlsym)
    return reinterpret_cast<void *>(&noDlsym);
  if (!Name || Name[0] != 'c' || Name[1] != 'u' || !findHooked(Name))
    return reinterpret_cast<void *>(Dlsym);
  if (Handle != RTLD_NEXT)
    return reinterpret_cast<void *>(&lookUp);
  return reinterpret_cast<void *>(isOurTurn(Name, Caller) ? &lookUpNext
                                                          : Dlsym);
}
