//===- SymbolPattern.h - Kernels whose names hold a hash ------------------===//
//
// Part of kplan. A plan names a kernel with internal linkage by a pattern: `*`
// stands where nvcc puts a hash or a module id, any number of characters.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_SYMBOLPATTERN_H
#define KPLAN_PLAN_SYMBOLPATTERN_H

#include <string_view>

namespace kplan {

inline bool isPattern(std::string_view Symbol) {
  return Symbol.find('*') != std::string_view::npos;
}

/// Takes time in the product of the lengths at most.
bool matchesPattern(std::string_view Pattern, std::string_view Symbol);

} // namespace kplan

#endif // KPLAN_PLAN_SYMBOLPATTERN_H
