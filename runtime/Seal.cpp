//===- Seal.cpp - First uses after the seal -------------------------------===//

#include "Seal.h"

#include "FunctionList.h"

#include <algorithm>
#include <utility>

using namespace kplan;
using namespace kplan::runtime;

namespace {

std::vector<CUfunction> functionsNotLoaded(const DriverApi &Api,
                                           CodeHandle Code) {
  std::vector<CUfunction> Functions;
  for (const ListedFunction &F : listFunctions(Api, Code))
    if (!F.Loaded)
      Functions.push_back(F.Function);
  return Functions;
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

void Seal::open() {
  Closed = false;
  Watches.clear();
}

std::vector<Escape> Seal::look(const DriverApi &Api, const LiveCode &Code) {
  std::vector<Escape> Found;
  for (Watch &W : Watches) {
    HomeContext Home(Api, W.Device, W.HomeId);
    LiveCode::Hold Alive(Code);
    if (!Home || !Alive.has(W.Image)) {
      W.Functions.clear(); // They are gone for good.
      continue;
    }
    std::erase_if(W.Functions, [&](CUfunction F) {
      if (!isLoaded(Api, F).value_or(false))
        return false;
      Escape E;
      E.Symbol = functionName(Api, F);
      E.Device = W.Device;
      Found.push_back(std::move(E));
      return true;
    });
  }
  std::erase_if(Watches, [](const Watch &W) { return W.Functions.empty(); });
  return Found;
}
