//===- Attributes.h - Looking up kernel attributes ------------------------===//
//
// Part of kplan. Lookups over Attributes.def.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_ATTRIBUTES_H
#define KPLAN_PLAN_ATTRIBUTES_H

#include "plan/Plan.h"

#include <array>
#include <string>
#include <string_view>

namespace kplan {

struct AttributeInfo {
  Attribute Id;
  std::string_view PlanName;
  std::string_view RuntimeName; ///< Of cudaFuncAttribute; empty: none.
  bool Settable;
};

/// In the order of their numbers.
inline constexpr auto AttributeTable = std::to_array<AttributeInfo>({
#define KPLAN_ATTRIBUTE(Enumerator, Number, PlanName, RuntimeName, Settable)   \
  {Attribute::Enumerator, PlanName, RuntimeName, Settable},
#include "plan/Attributes.def"
});

/// Null where there is none, as with all lookups.
constexpr const AttributeInfo *findAttribute(unsigned Number) {
  for (const AttributeInfo &Info : AttributeTable)
    if (static_cast<unsigned>(Info.Id) == Number)
      return &Info;
  return nullptr;
}

/// "max_dynamic_shared_size_bytes".
const AttributeInfo *findAttributeByPlanName(std::string_view Name);

/// "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES".
const AttributeInfo *findAttributeByDriverName(std::string_view Name);

/// "cudaFuncAttributeMaxDynamicSharedMemorySize".
const AttributeInfo *findAttributeByRuntimeName(std::string_view Name);

/// The enumerator of CUfunction_attribute.
std::string driverName(const AttributeInfo &Info);

} // namespace kplan

#endif // KPLAN_PLAN_ATTRIBUTES_H
