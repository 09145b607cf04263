//===- Attributes.cpp - Looking up kernel attributes ----------------------===//

#include "plan/Attributes.h"

#include <algorithm>
#include <iterator>

namespace kplan {

static constexpr std::string_view DriverPrefix = "CU_FUNC_ATTRIBUTE_";

/// Of ASCII, whatever the locale.
static char toUpper(char C) {
  return C >= 'a' && C <= 'z' ? static_cast<char>(C - 'a' + 'A') : C;
}

template <typename Predicate>
static const AttributeInfo *findIf(Predicate Matches) {
  auto Found =
      std::find_if(AttributeTable.begin(), AttributeTable.end(), Matches);
  return Found == AttributeTable.end() ? nullptr : &*Found;
}

const AttributeInfo *findAttributeByPlanName(std::string_view Name) {
  return findIf([&](const AttributeInfo &I) { return I.PlanName == Name; });
}

const AttributeInfo *findAttributeByDriverName(std::string_view Name) {
  if (!Name.starts_with(DriverPrefix))
    return nullptr;
  Name.remove_prefix(DriverPrefix.size());
  return findIf([&](const AttributeInfo &I) {
    return std::equal(I.PlanName.begin(), I.PlanName.end(), Name.begin(),
                      Name.end(),
                      [](char A, char B) { return toUpper(A) == B; });
  });
}

const AttributeInfo *findAttributeByRuntimeName(std::string_view Name) {
  if (Name.empty())
    return nullptr;
  return findIf([&](const AttributeInfo &I) { return I.RuntimeName == Name; });
}

std::string driverName(const AttributeInfo &Info) {
  std::string Out(DriverPrefix);
  std::transform(Info.PlanName.begin(), Info.PlanName.end(),
                 std::back_inserter(Out), toUpper);
  return Out;
}

} // namespace kplan
