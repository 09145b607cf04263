//===- DriverFunctions.h - The hooked driver functions --------------------===//
//
// Part of kplan. What DriverFunctions.def says, as data. A DriverFunction is an
// exported symbol, that is one ABI of a function: cuMemFree and cuMemFree_v2
// are two, and so are cuLaunchKernel and cuLaunchKernel_ptsz.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_DRIVERFUNCTIONS_H
#define KPLAN_RUNTIME_HOOKS_DRIVERFUNCTIONS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kplan::runtime::hooks {

/// What a function is hooked for.
enum class Purpose : uint8_t {
  Load,
  Unload,
  Touch,
  Set,
  Free,
  Launch,
  Context,
  Graph,
  Limit,
  Lookup, ///< For kplan itself: nobody observes it.
  Opaque, ///< The same.
};
constexpr size_t NumPurposes = 11;

/// A set of purposes.
class Purposes {
public:
  constexpr Purposes() = default;
  constexpr explicit Purposes(uint32_t Bits) : Bits(Bits) {}
  constexpr Purposes(Purpose P) : Bits(1u << static_cast<unsigned>(P)) {}

  static constexpr Purposes all() { return Purposes((1u << NumPurposes) - 1); }
  constexpr Purposes operator|(Purposes Other) const {
    return Purposes(Bits | Other.Bits);
  }
  constexpr bool contains(Purpose P) const {
    return Bits >> static_cast<unsigned>(P) & 1;
  }
  constexpr bool empty() const { return Bits == 0; }
  constexpr uint32_t bits() const { return Bits; }

private:
  uint32_t Bits = 0;
};

enum class DriverFunction : uint16_t {
#define KPLAN_HOOKED(Name, Version, Purpose, ...) Name,
#define KPLAN_HOOKED_ALSO(Name, Version, Like, ...) Name,
#include "hooks/DriverFunctions.def"
};

struct DriverFunctionInfo {
  const char *Symbol;    ///< "cuMemFree_v2"
  std::string_view Base; ///< "cuMemFree": what cuGetProcAddress is asked for.
  int Version;           ///< From this version on it gives out this ABI.
  bool PerThreadStream;  ///< _ptsz, _ptds
  hooks::Purpose Purpose;
  DriverFunction Like; ///< Whose parameters it has; mostly itself.
};

/// Without _v2, _ptsz and the like.
constexpr std::string_view baseOf(std::string_view Symbol) {
  if (Symbol.ends_with("_ptsz") || Symbol.ends_with("_ptds"))
    Symbol.remove_suffix(5);
  size_t Last = Symbol.find_last_not_of("0123456789");
  if (Last != Symbol.npos && Last + 1 < Symbol.size() && Last > 1 &&
      Symbol.substr(Last - 1, 2) == "_v")
    Symbol.remove_suffix(Symbol.size() - (Last - 1));
  return Symbol;
}

namespace detail {
constexpr bool isPerThread(std::string_view Symbol) {
  return Symbol.ends_with("_ptsz") || Symbol.ends_with("_ptds");
}
// Purposes by name, so that rows that are like others find theirs.
#define KPLAN_HOOKED(Name, Version, What, ...)                                 \
  inline constexpr Purpose PurposeOf##Name = Purpose::What;
#define KPLAN_HOOKED_ALSO(Name, Version, Like, ...)                            \
  inline constexpr Purpose PurposeOf##Name = PurposeOf##Like;
#include "hooks/DriverFunctions.def"
} // namespace detail

inline constexpr DriverFunctionInfo HookedFunctions[] = {
#define KPLAN_HOOKED(Name, Version, What, ...)                                 \
  {"cu" #Name,                                                                 \
   baseOf("cu" #Name),                                                         \
   Version,                                                                    \
   detail::isPerThread("cu" #Name),                                            \
   detail::PurposeOf##Name,                                                    \
   DriverFunction::Name},
#define KPLAN_HOOKED_ALSO(Name, Version, Like, ...)                            \
  {"cu" #Name,                                                                 \
   baseOf("cu" #Name),                                                         \
   Version,                                                                    \
   detail::isPerThread("cu" #Name),                                            \
   detail::PurposeOf##Name,                                                    \
   DriverFunction::Like},
#include "hooks/DriverFunctions.def"
};
inline constexpr size_t NumHooked =
    sizeof(HookedFunctions) / sizeof(HookedFunctions[0]);

constexpr const DriverFunctionInfo &infoOf(DriverFunction F) {
  return HookedFunctions[static_cast<size_t>(F)];
}

/// By exported symbol. Allocates nothing.
std::optional<DriverFunction> findHooked(std::string_view Symbol);

/// Whether some ABI of this function (named without suffix) is hooked, or it is
/// one that is passed by. Allocates nothing.
enum class Decision { Hooked, Passed, Unknown };
Decision decisionOn(std::string_view Base);

/// "load"; as in KPLAN_CALLS.
const char *purposeName(Purpose P);
std::optional<Purpose> findPurpose(std::string_view Name);

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_DRIVERFUNCTIONS_H
