//===- EchoDriver.cpp - A libcuda.so.1 that repeats what it hears ---------===//
//
// For tests of the hooks: exports every function of the table; each writes down
// which one it is and its arguments, and returns a number of its own. Its
// cuGetProcAddress keeps the documented rules about versions and streams. It
// knows nothing of CUDA.
//
//   ECHO_PRIVATE=1   cuGetProcAddress gives out addresses other than those
//                    exported, as a driver may
//   ECHO_FUTURE=1    it gives out an ABI of cuFuncLoad that nobody knows, and
//                    a function cuFutureThing
//
//===----------------------------------------------------------------------===//

#include "EchoDriver.h"

#include "hooks/DriverCall.h"

#include <cstdlib>
#include <cstring>

using namespace kplan::runtime::hooks;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

thread_local EchoRecord Last = {};

template <class A> CUresult record(DriverFunction F, const A &Arguments) {
  Last.Symbol = infoOf(F).Symbol;
  Last.Calls++;
  Last.Count = 0;
  Arguments.visit([](const char *, auto Value) {
    Last.Arguments[Last.Count++] = echoWord(Value);
  });
  return static_cast<CUresult>(EchoResult + static_cast<int>(F));
}

bool isOn(const char *Variable) { return std::getenv(Variable) != nullptr; }

CUresult future() {
  Last.Symbol = "future";
  return CUDA_SUCCESS;
}

CUresult getProcAddress(const char *Symbol, void **Address, int Version,
                        cuuint64_t Flags,
                        CUdriverProcAddressQueryResult *Status);

CUresult getProcAddressV1(const char *Symbol, void **Address, int Version,
                          cuuint64_t Flags) {
  return getProcAddress(Symbol, Address, Version, Flags, nullptr);
}

} // namespace

// Each function, exported and not.
#define PARAMETER(Type, Name) Type Name
#define NAME(Type, Name) Name
#define DEFINE(F, ...)                                                         \
  EXPORT CUresult echo_##F(KPLAN_LIST(PARAMETER, __VA_ARGS__)) __asm__(        \
      "cu" #F);                                                                \
  EXPORT CUresult echo_##F(KPLAN_LIST(PARAMETER, __VA_ARGS__)) {               \
    if constexpr (infoOf(DriverFunction::F).Purpose == Purpose::Lookup)        \
      return lookup(__VA_OPT__(KPLAN_LIST(NAME, __VA_ARGS__)));                \
    else                                                                       \
      return record(DriverFunction::F,                                         \
                    F##Arguments{KPLAN_LIST(NAME, __VA_ARGS__)});              \
  }                                                                            \
  static CUresult private_##F(KPLAN_LIST(PARAMETER, __VA_ARGS__)) {            \
    if constexpr (infoOf(DriverFunction::F).Purpose == Purpose::Lookup)        \
      return lookup(__VA_OPT__(KPLAN_LIST(NAME, __VA_ARGS__)));                \
    else                                                                       \
      return record(DriverFunction::F,                                         \
                    F##Arguments{KPLAN_LIST(NAME, __VA_ARGS__)});              \
  }

template <class... T> static CUresult lookup(T... Arguments) {
  if constexpr (requires { getProcAddress(Arguments...); })
    return getProcAddress(Arguments...);
  else if constexpr (requires { getProcAddressV1(Arguments...); })
    return getProcAddressV1(Arguments...);
  else
    return CUDA_ERROR_NOT_SUPPORTED;
}

#define KPLAN_HOOKED(F, Version, Purpose, ...) DEFINE(F, __VA_ARGS__)
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...) DEFINE(F, __VA_ARGS__)
#include "hooks/DriverFunctions.def"

static void *const Exported[] = {
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  reinterpret_cast<void *>(&echo_##F),
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  reinterpret_cast<void *>(&echo_##F),
#include "hooks/DriverFunctions.def"
};

static void *const Private[] = {
#define KPLAN_HOOKED(F, Version, Purpose, ...)                                 \
  reinterpret_cast<void *>(&private_##F),
#define KPLAN_HOOKED_ALSO(F, Version, Like, ...)                               \
  reinterpret_cast<void *>(&private_##F),
#include "hooks/DriverFunctions.def"
};

// Functions that are passed by.
EXPORT CUresult echo_Init(unsigned) __asm__("cuInit");
EXPORT CUresult echo_Init(unsigned) { return CUDA_SUCCESS; }
EXPORT CUresult echo_MemcpyHtoD(CUdeviceptr, const void *,
                                size_t) __asm__("cuMemcpyHtoD_v2");
EXPORT CUresult echo_MemcpyHtoD(CUdeviceptr, const void *, size_t) {
  return CUDA_SUCCESS;
}
EXPORT CUresult echo_GetErrorName(CUresult,
                                  const char **) __asm__("cuGetErrorName");
EXPORT CUresult echo_GetErrorName(CUresult Result, const char **Name) {
  *Name = Result == CUDA_SUCCESS ? "CUDA_SUCCESS" : nullptr;
  return *Name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
EXPORT CUresult echo_FutureThing() __asm__("cuFutureThing");
EXPORT CUresult echo_FutureThing() { return CUDA_SUCCESS; }

EXPORT EchoRecord *kplanEchoGet() { return &Last; }

/// The driver's own pointer for an exported symbol; not through dlsym.
EXPORT void *kplanEchoAddress(const char *Symbol) {
  for (size_t I = 0; I < NumHooked; ++I)
    if (!std::strcmp(HookedFunctions[I].Symbol, Symbol))
      return Exported[I];
  if (!std::strcmp(Symbol, "cuInit"))
    return reinterpret_cast<void *>(&echo_Init);
  if (!std::strcmp(Symbol, "cuMemcpyHtoD_v2"))
    return reinterpret_cast<void *>(&echo_MemcpyHtoD);
  return nullptr;
}

namespace {

CUresult getProcAddress(const char *Symbol, void **Address, int Version,
                        cuuint64_t Flags,
                        CUdriverProcAddressQueryResult *Status) {
  auto Answer = [&](CUdriverProcAddressQueryResult How, void *Found) {
    if (Status)
      *Status = How;
    *Address = Found;
    return Found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  };
  std::string_view Name = Symbol;
  if (Name == "cuInit")
    return Answer(CU_GET_PROC_ADDRESS_SUCCESS,
                  reinterpret_cast<void *>(&echo_Init));
  if (Name == "cuMemcpyHtoD")
    return Answer(CU_GET_PROC_ADDRESS_SUCCESS,
                  reinterpret_cast<void *>(&echo_MemcpyHtoD));
  if (isOn("ECHO_FUTURE") && Name == "cuFutureThing")
    return Answer(CU_GET_PROC_ADDRESS_SUCCESS,
                  reinterpret_cast<void *>(&echo_FutureThing));
  if (isOn("ECHO_FUTURE") && Name == "cuFuncLoad" && Version >= 99000)
    return Answer(CU_GET_PROC_ADDRESS_SUCCESS,
                  reinterpret_cast<void *>(&future));

  // The newest ABI that is no newer than the version asked for. The per-thread
  // stream has ABIs of its own for some functions; others are the same.
  bool PerThread = Flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  bool HasPerThread = false, Known = false;
  for (const DriverFunctionInfo &Info : HookedFunctions)
    if (Info.Base == Name) {
      Known = true;
      HasPerThread |= Info.PerThreadStream;
    }
  size_t Best = NumHooked;
  for (size_t I = 0; I < NumHooked; ++I) {
    const DriverFunctionInfo &Info = HookedFunctions[I];
    if (Info.Base == Name && Info.Version <= Version &&
        Info.PerThreadStream == (PerThread && HasPerThread) &&
        (Best == NumHooked || HookedFunctions[Best].Version < Info.Version))
      Best = I;
  }
  if (Best == NumHooked)
    return Answer(Known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
                  nullptr);
  return Answer(CU_GET_PROC_ADDRESS_SUCCESS,
                isOn("ECHO_PRIVATE") ? Private[Best] : Exported[Best]);
}

} // namespace
