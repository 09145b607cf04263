//===- Demangle.h - Symbols for people ------------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_DEMANGLE_H
#define KPLAN_PLAN_DEMANGLE_H

#include <string>

namespace kplan {

/// What a symbol was mangled from; itself where it was not.
std::string demangle(const std::string &Symbol);

} // namespace kplan

#endif // KPLAN_PLAN_DEMANGLE_H
