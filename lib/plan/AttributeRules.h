//===- AttributeRules.h - Several values for one attribute ----------------===//
//
// Part of kplan. The one place that decides what a kernel's attribute is when
// several sites, TUs or plans give it a value.
//
// max_dynamic_shared_size_bytes is a limit and takes the largest value. Values
// are in a total order: integers and bounds by size, a bound before the equal
// integer (`{at_most: N}` may turn out smaller), and `max` after all of them.
// Of 100 and {at_most: 200} the largest is {at_most: 200}: 200 is enough for
// both. Any other attribute, and the cache config, must be given one value
// alone; otherwise it is in conflict, which is listed and not set.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_ATTRIBUTERULES_H
#define KPLAN_PLAN_ATTRIBUTERULES_H

#include "plan/Plan.h"

#include <optional>
#include <string>

namespace kplan {

/// Orders values as described above.
bool lessValue(const Value &A, const Value &B);

/// The value that both together give; none: they are in conflict. Associative,
/// commutative, and idempotent where it has a value.
std::optional<Value> combine(Attribute A, const Value &X, const Value &Y);

/// "65536", "max", "at most 65536".
std::string describeValue(const Value &V);

} // namespace kplan

#endif // KPLAN_PLAN_ATTRIBUTERULES_H
