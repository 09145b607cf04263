//===- CallAll.cpp - Calls every hooked function --------------------------===//
//
// CallAll dlsym|getprocaddress|getprocaddress1|linked  all|none|nolaunch
//
// Finds each function of the table on the way named first, sees whether it is
// the driver's own or a hook, as the second word wants it, calls it, and
// compares what arrived at the driver and what came back.
//
//===----------------------------------------------------------------------===//

#include "EchoDriver.h"

#include "hooks/DriverCall.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

using namespace kplan::runtime::hooks;

namespace {

void *Driver;
EchoRecord *(*Record)();
void *(*OwnAddress)(const char *);
unsigned Failures = 0, Hooked = 0, Calls = 0;

void fail(const char *Symbol, const char *What) {
  std::printf("%s: %s\n", Symbol, What);
  ++Failures;
}

/// Arguments that differ from each other; names can be read.
uint64_t NextArgument = 0x1111;
template <class T> T argument() {
  NextArgument += 0x1111;
  if constexpr (std::is_same_v<T, const char *>)
    return "aName";
  else if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(static_cast<uintptr_t>(NextArgument));
  else
    return static_cast<T>(NextArgument);
}

template <class A> uint64_t wordAt(const A &Arguments, unsigned Index) {
  uint64_t Word = 0;
  unsigned I = 0;
  Arguments.visit([&](const char *, auto Value) {
    if (I++ == Index)
      Word = echoWord(Value);
  });
  return Word;
}

template <class A> void call(DriverFunction F, void *Address, const A &Sent) {
  const char *Symbol = infoOf(F).Symbol;
  if (!Address)
    return fail(Symbol, "not found");
  ++Calls;
  if (infoOf(F).Purpose == Purpose::Lookup)
    return; // Called all the time.
  unsigned Before = Record()->Calls;
  CUresult Result = Sent.callWith(Address);
  const EchoRecord &Heard = *Record();
  if (Heard.Calls != Before + 1)
    return fail(Symbol, "did not reach the driver once");
  if (std::strcmp(Heard.Symbol, Symbol))
    return fail(Symbol, Heard.Symbol);
  if (Result != static_cast<CUresult>(EchoResult + static_cast<int>(F)))
    fail(Symbol, "another result came back");
  for (unsigned I = 0; I < Heard.Count; ++I)
    if (Heard.Arguments[I] != wordAt(Sent, I))
      fail(Symbol, "another argument arrived");
}

int askFor(const char *Route, const DriverFunctionInfo &Info, void **Address) {
  cuuint64_t Flags = Info.PerThreadStream
                         ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
                         : CU_GET_PROC_ADDRESS_DEFAULT;
  std::string Base(Info.Base);
  if (!std::strcmp(Route, "getprocaddress1")) {
    auto *Get = reinterpret_cast<GetProcAddressArguments::Function *>(
        dlsym(Driver, "cuGetProcAddress"));
    return Get(Base.c_str(), Address, Info.Version, Flags);
  }
  auto *Get = reinterpret_cast<GetProcAddress_v2Arguments::Function *>(
      dlsym(Driver, "cuGetProcAddress_v2"));
  CUdriverProcAddressQueryResult Status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  int Result = Get(Base.c_str(), Address, Info.Version, Flags, &Status);
  return Result ? Result : Status;
}

} // namespace

#define TYPE(Type, Name) argument<Type>()
#define PARAMETER(Type, Name) Type Name
#ifdef LINKED
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  extern "C" CUresult linked_##F(KPLAN_LIST(PARAMETER, __VA_ARGS__)) __asm__(  \
      "cu" #F);
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  KPLAN_HOOKED(F, Version, Like, __VA_ARGS__)
#include "hooks/DriverFunctions.def"
#endif

static void *linkedAddress(DriverFunction F) {
#ifdef LINKED
  switch (F) {
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  case DriverFunction::F:                                                      \
    return reinterpret_cast<void *>(&linked_##F);
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  KPLAN_HOOKED(F, Version, Like, __VA_ARGS__)
#include "hooks/DriverFunctions.def"
  }
#else
  (void)F;
#endif
  return nullptr;
}

int main(int ArgCount, char **Arguments) {
  if (ArgCount != 3)
    return 2;
  const char *Route = Arguments[1];
  std::string Expected = Arguments[2];
  Driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Driver) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  Record = reinterpret_cast<EchoRecord *(*)()>(dlsym(Driver, "kplanEchoGet"));
  OwnAddress = reinterpret_cast<void *(*)(const char *)>(
      dlsym(Driver, "kplanEchoAddress"));

  auto Try = [&](DriverFunction F, const auto &Sent) {
    const DriverFunctionInfo &Info = infoOf(F);
    void *Address = nullptr;
    if (!std::strcmp(Route, "dlsym"))
      Address = dlsym(Driver, Info.Symbol);
    else if (!std::strcmp(Route, "linked"))
      Address = linkedAddress(F);
    else if (askFor(Route, Info, &Address) != 0)
      Address = nullptr;
    bool IsHook = dlsym(Driver, "kplanEchoAddress") && [&] {
      Dl_info There = {}, Here = {};
      dladdr(Address, &There);
      dladdr(OwnAddress("cuInit"), &Here);
      return There.dli_fbase != Here.dli_fbase;
    }();
    bool Wanted = Expected == "all" ||
                  (Expected == "nolaunch" && Info.Purpose != Purpose::Launch);
    if (IsHook != Wanted)
      fail(Info.Symbol, IsHook ? "is hooked" : "is not hooked");
    Hooked += IsHook;
    call(F, Address, Sent);
  };
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  Try(DriverFunction::F, F##Arguments{KPLAN_LIST(TYPE, __VA_ARGS__)});
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  KPLAN_HOOKED(F, Version, Like, __VA_ARGS__)
#include "hooks/DriverFunctions.def"

  std::printf("%s: %u functions, %u hooked, %u failures\n", Route, Calls,
              Hooked, Failures);
  return Failures ? 1 : 0;
}
