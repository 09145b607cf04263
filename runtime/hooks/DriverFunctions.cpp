//===- DriverFunctions.cpp - The hooked driver functions ------------------===//

#include "hooks/DriverFunctions.h"

#include <algorithm>
#include <array>

using namespace kplan::runtime::hooks;

namespace {

constexpr auto BySymbol = [] {
  std::array<DriverFunction, NumHooked> Order{};
  for (size_t I = 0; I < NumHooked; ++I)
    Order[I] = static_cast<DriverFunction>(I);
  std::ranges::sort(Order, {}, [](DriverFunction F) {
    return std::string_view(infoOf(F).Symbol);
  });
  return Order;
}();

constexpr auto PassedNames = [] {
  constexpr std::string_view Unsorted[] = {
#define KPLAN_PASSED(Name, Reason, ...) "cu" #Name,
#include "hooks/DriverFunctions.def"
  };
  std::array<std::string_view, std::size(Unsorted)> Sorted{};
  std::ranges::copy(Unsorted, Sorted.begin());
  std::ranges::sort(Sorted);
  return Sorted;
}();

constexpr const char *PurposeNames[] = {"load",  "unload", "touch",   "set",
                                        "free",  "launch", "context", "graph",
                                        "limit", "lookup", "opaque"};
static_assert(std::size(PurposeNames) == NumPurposes);

} // namespace

std::optional<DriverFunction>
kplan::runtime::hooks::findHooked(std::string_view Symbol) {
  auto Projection = [](DriverFunction F) {
    return std::string_view(infoOf(F).Symbol);
  };
  auto Found = std::ranges::lower_bound(BySymbol, Symbol, {}, Projection);
  if (Found == BySymbol.end() || Projection(*Found) != Symbol)
    return std::nullopt;
  return *Found;
}

Decision kplan::runtime::hooks::decisionOn(std::string_view Base) {
  if (std::ranges::any_of(HookedFunctions, [&](const DriverFunctionInfo &Info) {
        return Info.Base == Base;
      }))
    return Decision::Hooked;
  return std::ranges::binary_search(PassedNames, Base) ? Decision::Passed
                                                       : Decision::Unknown;
}

const char *kplan::runtime::hooks::purposeName(Purpose P) {
  return PurposeNames[static_cast<size_t>(P)];
}

std::optional<Purpose>
kplan::runtime::hooks::findPurpose(std::string_view Name) {
  for (size_t I = 0; I < NumPurposes; ++I)
    if (Name == PurposeNames[I])
      return static_cast<Purpose>(I);
  return std::nullopt;
}
