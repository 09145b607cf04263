//===- DriverApi.cpp - The driver, found at run time ----------------------===//

#include "DriverApi.h"

#include <dlfcn.h>

using namespace kplan;
using namespace kplan::runtime;

std::string DriverApi::describe(CUresult Error, const char *Call) const {
  const char *Name = nullptr;
  if (!GetErrorName || GetErrorName(Error, &Name) != CUDA_SUCCESS || !Name)
    Name = "unknown error";
  return std::string(Call) + ": " + Name + " (" +
         std::to_string(static_cast<int>(Error)) + ")";
}

Result<DriverApi> kplan::runtime::makeDriverApi(const DriverResolver &Resolve) {
  enum Need { Optional, Required };
  DriverApi Api;
  std::string Missing;
  auto Fill = [&](auto &Slot, const char *Name, int Version, Need Needed) {
    Slot =
        reinterpret_cast<std::decay_t<decltype(Slot)>>(Resolve(Name, Version));
    if (!Slot && Needed == Required)
      Missing += (Missing.empty() ? "" : ", ") + std::string(Name);
  };
#define KPLAN_DRIVER(Name, Version, Needed)                                    \
  Fill(Api.Name, "cu" #Name, Version, Needed);
#include "DriverApi.def"

  if (!Missing.empty())
    return makeError("the CUDA driver does not have " + Missing,
                     "kplan needs a driver of CUDA 12.4 or later");
  return Api;
}

Result<DriverApi> kplan::runtime::makeDriverApi(GetProcAddressFunction *Get) {
  if (!Get)
    return makeError("the CUDA driver does not have cuGetProcAddress_v2",
                     "kplan needs a driver of CUDA 12.4 or later");
  return makeDriverApi([Get](const char *Name, int Version) -> void * {
    void *Address = nullptr;
    CUdriverProcAddressQueryResult Found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    CUresult Error =
        Get(Name, &Address, Version, CU_GET_PROC_ADDRESS_DEFAULT, &Found);
    return Error == CUDA_SUCCESS && Found == CU_GET_PROC_ADDRESS_SUCCESS
               ? Address
               : nullptr;
  });
}

Result<DriverApi> kplan::runtime::loadDriverApi() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    return makeError(std::string("the CUDA driver cannot be opened: ") +
                     (Why ? Why : "libcuda.so.1"));
  }
  return makeDriverApi(reinterpret_cast<GetProcAddressFunction *>(
      dlsym(Library, "cuGetProcAddress_v2")));
}
