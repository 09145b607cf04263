//===- FunctionList.cpp - Which functions of a library are loaded ---------===//

#include "FunctionList.h"

#include <algorithm>

using namespace kplan::runtime;

std::optional<bool> kplan::runtime::isLoaded(const DriverApi &Api,
                                             CUfunction F) {
  CUfunctionLoadingState State = CU_FUNCTION_LOADING_STATE_UNLOADED;
  if (!Api.FuncIsLoaded || Api.FuncIsLoaded(&State, F) != CUDA_SUCCESS)
    return std::nullopt;
  return State == CU_FUNCTION_LOADING_STATE_LOADED;
}

std::string kplan::runtime::functionName(const DriverApi &Api, CUfunction F) {
  const char *Name = nullptr;
  if (!Api.FuncGetName || Api.FuncGetName(&Name, F) != CUDA_SUCCESS || !Name)
    return {};
  return Name;
}

std::vector<ListedFunction> kplan::runtime::listFunctions(const DriverApi &Api,
                                                          CodeHandle Code) {
  CUmodule Module = nullptr;
  if (auto *Library = std::get_if<CUlibrary>(&Code)) {
    if (Api.LibraryGetModule(&Module, *Library) != CUDA_SUCCESS)
      return {};
  } else {
    Module = std::get<CUmodule>(Code);
  }
  unsigned Count = 0;
  if (!Api.ModuleGetFunctionCount || !Api.ModuleEnumerateFunctions ||
      Api.ModuleGetFunctionCount(&Count, Module) != CUDA_SUCCESS)
    return {};
  std::vector<CUfunction> Functions(Count);
  if (Count && Api.ModuleEnumerateFunctions(Functions.data(), Count, Module) !=
                   CUDA_SUCCESS)
    return {};
  std::vector<ListedFunction> Listed;
  Listed.reserve(Count);
  for (CUfunction F : Functions)
    Listed.push_back(
        {F, functionName(Api, F), isLoaded(Api, F).value_or(true)});
  std::sort(Listed.begin(), Listed.end(),
            [](const ListedFunction &A, const ListedFunction &B) {
              return A.Name < B.Name;
            });
  return Listed;
}

HomeContext::HomeContext(const DriverApi &Api, CUcontext Private)
    : Relaxed(Api) {
  Current.emplace(Api, Private);
}

HomeContext::HomeContext(const DriverApi &Api, CUdevice Device) : Relaxed(Api) {
  Primary.emplace(Api, Device);
  if (Primary->context())
    Current.emplace(Api, Primary->context());
}

HomeContext::HomeContext(const DriverApi &Api, CUdevice Device, uint64_t HomeId)
    : Relaxed(Api) {
  Primary.emplace(Api, Device);
  if (Primary->context() && HomeId && Primary->id() == HomeId)
    Current.emplace(Api, Primary->context());
}
