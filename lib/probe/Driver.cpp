//===- Driver.cpp - The driver, found at run time -------------------------===//

#include "probe/Driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <memory>

namespace kplan::probe {

std::string Driver::describe(CUresult Error, const char *Call) const {
  const char *Name = nullptr;
  if (!GetErrorName || GetErrorName(Error, &Name) != CUDA_SUCCESS || !Name)
    Name = "unknown error";
  return std::string(Call) + ": " + Name + " (" +
         std::to_string(static_cast<int>(Error)) + ")";
}

/// The driver's API does not say it: its file is called libcuda.so.580.159.04.
static std::string versionOfFile(void *Function) {
  Dl_info Info;
  if (!dladdr(Function, &Info) || !Info.dli_fname)
    return {};
  const std::unique_ptr<char, decltype(&std::free)> Real(
      realpath(Info.dli_fname, nullptr), &std::free);
  const std::string Path = Real ? Real.get() : "", Before = "libcuda.so.";
  const size_t At = Path.rfind(Before);
  if (At == std::string::npos)
    return {};
  std::string Version = Path.substr(At + Before.size());
  return Version.find('.') == std::string::npos ? "" : Version;
}

Result<Driver> loadDriver() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    return makeError(std::string("the CUDA driver cannot be opened: ") +
                         (Why ? Why : "libcuda.so.1"),
                     "this needs a GPU and its driver on this machine");
  }
  using GetProcAddress = CUresult(const char *, void **, int, cuuint64_t,
                                  CUdriverProcAddressQueryResult *);
  auto *Get =
      reinterpret_cast<GetProcAddress *>(dlsym(Library, "cuGetProcAddress_v2"));
  if (!Get)
    return makeError("the CUDA driver is older than CUDA 12",
                     "kplan needs a driver of CUDA 12.4 or later");
  Driver Api;
  Api.Version = versionOfFile(reinterpret_cast<void *>(Get));
  auto Fill = [&](auto &Slot, const char *Name, int Version) {
    void *Address = nullptr;
    auto Found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (Get(Name, &Address, Version, CU_GET_PROC_ADDRESS_DEFAULT, &Found) ==
            CUDA_SUCCESS &&
        Found == CU_GET_PROC_ADDRESS_SUCCESS)
      Slot = reinterpret_cast<std::decay_t<decltype(Slot)>>(Address);
  };
#define KPLAN_PROBE_DRIVER(Name, Version) Fill(Api.Name, "cu" #Name, Version);
#include "probe/Driver.def"
  if (!Api.Init)
    return makeError("the CUDA driver does not have cuInit");
  if (CUresult Error = Api.Init(0))
    return makeError(Api.describe(Error, "cuInit"));
  return Api;
}

} // namespace kplan::probe
