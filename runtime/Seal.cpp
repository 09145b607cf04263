//===- Seal.cpp - First uses after the seal -------------------------------===//

#include "Seal.h"

#include "Context.h"

#include <algorithm>
#include <utility>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// A primed context for looking into: current for the scope where it is still
/// the one that was primed, not one made after a reset.
class HomeContext {
public:
  HomeContext(const DriverApi &Api, CUdevice Device, uint64_t HomeId)
      : Relaxed(Api), Primary(Api, Device) {
    if (Primary.context() && HomeId && Primary.id() == HomeId)
      Current.emplace(Api, Primary.context());
  }
  explicit operator bool() const {
    return Current && Current->error() == CUDA_SUCCESS;
  }

private:
  RelaxedCapture Relaxed;
  PrimaryReference Primary;
  std::optional<CurrentContext> Current;
};

bool isLoaded(const DriverApi &Api, CUfunction F, bool IfUnknown) {
  CUfunctionLoadingState State = CU_FUNCTION_LOADING_STATE_UNLOADED;
  if (Api.FuncIsLoaded(&State, F) != CUDA_SUCCESS)
    return IfUnknown;
  return State == CU_FUNCTION_LOADING_STATE_LOADED;
}

std::vector<CUfunction> functionsNotLoaded(const DriverApi &Api,
                                           CodeHandle Code) {
  CUmodule Module = nullptr;
  unsigned Count = 0;
  if (auto *Library = std::get_if<CUlibrary>(&Code)) {
    if (Api.LibraryGetModule(&Module, *Library) != CUDA_SUCCESS)
      return {};
  } else {
    Module = std::get<CUmodule>(Code);
  }
  if (Api.ModuleGetFunctionCount(&Count, Module) != CUDA_SUCCESS)
    return {};
  std::vector<CUfunction> Functions(Count);
  if (Count && Api.ModuleEnumerateFunctions(Functions.data(), Count, Module) !=
                   CUDA_SUCCESS)
    return {};
  std::erase_if(Functions,
                [&](CUfunction F) { return isLoaded(Api, F, true); });
  return Functions;
}

std::string functionName(const DriverApi &Api, CUfunction F) {
  const char *Name = nullptr;
  if (!Api.FuncGetName || Api.FuncGetName(&Name, F) != CUDA_SUCCESS || !Name)
    return {};
  return Name;
}

} // namespace

void Seal::list(const DriverApi &Api, const LiveCode &Code,
                const std::vector<PrimedContext> &Primed) {
  Watches.clear();
  if (!Api.canListFunctions())
    return;
  for (const PrimedContext &C : Primed) {
    if (C.Kind == ContextKind::Private)
      continue;
    HomeContext Home(Api, C.Device, C.HomeId);
    if (!Home)
      continue;
    LiveCode::Hold Alive(Code);
    for (const ResidentLibrary &L : C.Resident) {
      if (!Alive.has(L.Image))
        continue;
      std::vector<CUfunction> Functions = functionsNotLoaded(Api, L.Code);
      if (!Functions.empty())
        Watches.push_back({C.HomeId, C.Device, L.Image, std::move(Functions)});
    }
  }
}

void Seal::close(const DriverApi &Api, const LiveCode &Code,
                 std::vector<PrimedContext> Primed) {
  if (std::exchange(Closed, true))
    return;
  list(Api, Code, Primed);
}

void Seal::primedAgain(const DriverApi &Api, const LiveCode &Code,
                       std::vector<PrimedContext> Primed) {
  if (Closed)
    list(Api, Code, Primed);
}

void Seal::open(const DriverApi &Api, const LiveCode &Code) {
  look(Api, Code);
  Closed = false;
  Watches.clear();
}

void Seal::look(const DriverApi &Api, const LiveCode &Code) {
  for (Watch &W : Watches) {
    HomeContext Home(Api, W.Device, W.HomeId);
    LiveCode::Hold Alive(Code);
    if (!Home || !Alive.has(W.Image)) {
      W.Functions.clear(); // They are gone for good.
      continue;
    }
    std::erase_if(W.Functions, [&](CUfunction F) {
      if (!isLoaded(Api, F, false))
        return false;
      Escapes.push_back({functionName(Api, F), W.Device});
      return true;
    });
  }
  std::erase_if(Watches, [](const Watch &W) { return W.Functions.empty(); });
}
