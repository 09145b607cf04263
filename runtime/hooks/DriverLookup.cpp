//===- DriverLookup.cpp - Which pointer a program gets --------------------===//

#include "hooks/DriverLookup.h"

#include "hooks/Coverage.h"
#include "hooks/Dispatch.h"
#include "hooks/HookSettings.h"
#include "hooks/Hooks.h"

#include <dlfcn.h>

using namespace kplan::runtime::hooks;

namespace {

/// As the program would find it, were this library not there.
void *findPastUs(void *Handle, const char *Name) {
  DlsymFunction *Dlsym = realDlsym();
  void *Found = Dlsym(Handle, Name);
  if (!Found || !isOurs(Found))
    return Found;
  // The whole process was searched, and this library's exported hook came first.
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

void *noDlsym(void *, const char *) noexcept { return nullptr; }

} // namespace

void *kplan::runtime::hooks::handOut(std::string_view Name, void *Real,
                                     GivenBy Giver) {
  startHooks();
  if (hookSettings().Disabled)
    return Real;
  std::string_view Base = baseOf(Name);
  std::optional<DriverFunction> F = identify(Real, Base, Giver);
  if (!F) {
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
  Purpose P = infoOf(*F).Purpose;
  if (P == Purpose::Launch && !observedPurposes().contains(P))
    return Real;
  return hookFor(*F);
}

extern "C" void *kplan_dlsym_target(void *Handle, const char *Name) noexcept {
  // RTLD_NEXT asks for what stands behind the caller: only the real dlsym, which
  // sees the caller, can answer.
  if (Name && Name[0] == 'c' && Name[1] == 'u' && Handle != RTLD_NEXT &&
      findHooked(Name) && realDlsym())
    return reinterpret_cast<void *>(&lookUp);
  DlsymFunction *Dlsym = realDlsym();
  return reinterpret_cast<void *>(Dlsym ? Dlsym : &noDlsym);
}
