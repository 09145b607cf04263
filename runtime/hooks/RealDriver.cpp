//===- RealDriver.cpp - The driver's own functions ------------------------===//

#include "hooks/RealDriver.h"

#include "hooks/DriverCall.h"

#include <dlfcn.h>

using namespace kplan::runtime::hooks;

constinit std::atomic<void *> detail::DriverAddress[NumHooked] = {};
constinit std::atomic<void *> detail::NextAddress[NumHooked] = {};

namespace {

/// What cuGetProcAddress gives for each ABI, and what it gives for the
/// per-thread default stream where that is no ABI of its own. The driver need
/// not give out the addresses that it exports.
constinit std::atomic<void *> GivenAddress[2][NumHooked] = {};

/// 1 + unloadCount() at the time of looking; 0: not known.
constinit std::atomic<unsigned long long> ExportsKnownAt = 0;
constinit std::atomic<unsigned long long> GivenKnownAt = 0;

/// Where the driver was that is known.
constinit std::atomic<uintptr_t> KnownBase = 0;

constexpr std::string_view DriverName = "libcuda.so.1";

/// Something in this library.
constinit char Marker = 0;

bool hasPerThreadForm(const DriverFunctionInfo &Info) {
  for (const DriverFunctionInfo &Other : HookedFunctions)
    if (Other.PerThreadStream && Other.Base == Info.Base)
      return true;
  return false;
}

/// Reads the driver's exports, unless they are known. False: no driver.
bool learnExports() {
  unsigned long long Now = unloadCount() + 1;
  if (ExportsKnownAt.load(std::memory_order_acquire) == Now)
    return true;
  LoadedObject Driver = loadedDriver();
  if (!Driver)
    return false;
  if (KnownBase.load() == Driver.base()) { // It was another object that left.
    if (GivenKnownAt.load())
      GivenKnownAt.store(Now);
    ExportsKnownAt.store(Now, std::memory_order_release);
    return true;
  }
  GivenKnownAt.store(0);
  for (size_t I = 0; I < NumHooked; ++I)
    detail::DriverAddress[I].store(
        Driver.findFunction(HookedFunctions[I].Symbol),
        std::memory_order_relaxed);
  KnownBase.store(Driver.base());
  ExportsKnownAt.store(Now, std::memory_order_release);
  return true;
}

/// Asks the driver's cuGetProcAddress for each ABI, unless it has been.
void learnGiven() {
  unsigned long long Now = unloadCount() + 1;
  if (GivenKnownAt.load(std::memory_order_acquire) == Now)
    return;
  void *GetProcAddress = driverFunction(DriverFunction::GetProcAddress_v2);
  if (!GetProcAddress)
    return;
  for (size_t I = 0; I < NumHooked; ++I) {
    const DriverFunctionInfo &Info = HookedFunctions[I];
    // Base is a part of the symbol: where a suffix follows, it does not end.
    char Name[128];
    if (Info.Base.size() >= sizeof(Name))
      continue;
    Name[Info.Base.copy(Name, sizeof(Name) - 1)] = 0;
    auto Ask = [&](cuuint64_t Flags) -> void * {
      void *Address = nullptr;
      auto Found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
      GetProcAddress_v2Arguments Query{Name, &Address, Info.Version, Flags,
                                       &Found};
      return Query.callWith(GetProcAddress) == CUDA_SUCCESS ? Address : nullptr;
    };
    constexpr cuuint64_t Legacy = CU_GET_PROC_ADDRESS_LEGACY_STREAM;
    constexpr cuuint64_t PerThread =
        CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    void *Usual = Ask(Info.PerThreadStream ? PerThread : Legacy);
    // A cuGetProcAddress for the other default stream would be another
    // function, even though it has no name of its own.
    bool Same = !Info.PerThreadStream && !hasPerThreadForm(Info) &&
                Info.Purpose != Purpose::Lookup;
    GivenAddress[0][I].store(Usual, std::memory_order_relaxed);
    GivenAddress[1][I].store(Same ? Ask(PerThread) : nullptr,
                             std::memory_order_relaxed);
  }
  GivenKnownAt.store(Now, std::memory_order_release);
}

std::optional<DriverFunction> find(const void *Address, std::string_view Base) {
  std::optional<DriverFunction> First;
  bool Ambiguous = false;
  for (size_t I = 0; I < NumHooked; ++I) {
    if (detail::DriverAddress[I].load(std::memory_order_relaxed) != Address &&
        GivenAddress[0][I].load(std::memory_order_relaxed) != Address &&
        GivenAddress[1][I].load(std::memory_order_relaxed) != Address)
      continue;
    auto F = static_cast<DriverFunction>(I);
    if (infoOf(F).Base == Base)
      return F;
    if (First && infoOf(*First).Like != infoOf(F).Like)
      Ambiguous = true;
    if (!First)
      First = F;
  }
  return Ambiguous ? std::nullopt : First;
}

} // namespace

LoadedObject kplan::runtime::hooks::loadedDriver() {
  LoadedObject Found;
  forEachLoadedObject([&](const LoadedObject &Object) {
    if (Object.soname() != DriverName)
      return false;
    Found = Object;
    return true;
  });
  return Found;
}

std::optional<DriverFunction>
kplan::runtime::hooks::identify(const void *Address, std::string_view Base,
                                GivenBy Giver) {
  if (!learnExports())
    return std::nullopt;
  if (std::optional<DriverFunction> F = find(Address, Base))
    return F;
  if (Giver == GivenBy::Dlsym)
    return std::nullopt;
  learnGiven();
  return find(Address, Base);
}

void *kplan::runtime::hooks::findNextFunction(DriverFunction F) {
  void *Next = nullptr;
  if (DlsymFunction *Dlsym = realDlsym())
    Next = Dlsym(RTLD_NEXT, infoOf(F).Symbol);
  if (!Next && learnExports()) // Loaded, but not for everyone.
    Next = driverFunction(F);
  if (!Next)
    return nullptr;
  // A program that is linked with the driver does not ask for pointers again
  // after it has closed and reopened the plugin that needs it.
  LoadedObject Owner = objectContaining(Next);
  if (Owner && *Owner.path())
    dlopen(Owner.path(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  detail::NextAddress[static_cast<size_t>(F)].store(Next,
                                                    std::memory_order_relaxed);
  return Next;
}

bool kplan::runtime::hooks::isOurs(const void *Address) {
  return objectContaining(&Marker).contains(Address);
}

DlsymFunction *kplan::runtime::hooks::realDlsym() {
  static constinit std::atomic<DlsymFunction *> Known = nullptr;
  if (DlsymFunction *Dlsym = Known.load(std::memory_order_relaxed))
    return Dlsym;
  void *Found = nullptr;
  bool Behind = false;
  forEachLoadedObject([&](const LoadedObject &Object) {
    if (Object.contains(&Marker)) {
      Behind = true;
      return false;
    }
    void *Here = Object.findFunction("dlsym");
    if (Here && (Behind || !Found))
      Found = Here;
    return Here && Behind;
  });
  auto *Dlsym = reinterpret_cast<DlsymFunction *>(Found);
  Known.store(Dlsym, std::memory_order_relaxed);
  return Dlsym;
}
