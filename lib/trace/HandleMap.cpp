//===- HandleMap.cpp - Which handle stands for what, and when -------------===//

#include "trace/HandleMap.h"

namespace kplan::trace {

size_t HandleMap::add(const LoadEvent &E) {
  size_t Number = Alive.size();
  Alive.push_back(true);
  owners(E.By)[E.Handle] = Number;
  return Number;
}

std::optional<size_t> HandleMap::apply(const UnloadEvent &E) {
  Owners &All = owners(E.By);
  auto Found = All.find(E.Handle);
  if (Found == All.end())
    return std::nullopt;
  Alive[Found->second] = E.Failed != 0;
  return Found->second;
}

void HandleMap::add(const ModuleEvent &E) {
  if (auto Load = load("library", E.Library))
    Modules[E.Handle] = *Load;
}

void HandleMap::add(const KernelEvent &E) {
  Kernels[E.Handle] = {load("library", E.Library), E.Symbol};
}

void HandleMap::add(const FunctionEvent &E) {
  if (auto Found = Kernels.find(E.Kernel);
      E.Kernel && Found != Kernels.end() && isAlive(Found->second))
    Functions[E.Handle] = Found->second;
  else
    Functions[E.Handle] = {load("module", E.Module), E.Symbol};
}

std::optional<size_t> HandleMap::load(const std::string &By,
                                      uint64_t Handle) const {
  const Owners &All = By == "library" ? Libraries : Modules;
  auto Found = All.find(Handle);
  if (Found == All.end() || !Alive[Found->second])
    return std::nullopt;
  return Found->second;
}

const KnownKernel *HandleMap::kernel(uint64_t Handle) const {
  // A launch takes either kind; a driver gives no number to both at once.
  for (const auto *All : {&Functions, &Kernels})
    if (auto Found = All->find(Handle);
        Found != All->end() && isAlive(Found->second))
      return &Found->second;
  return nullptr;
}

} // namespace kplan::trace
