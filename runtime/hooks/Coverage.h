//===- Coverage.h - What hooks cannot see ---------------------------------===//
//
// Part of kplan. Ways to the driver that lead past the hooks, found out where
// that is possible, so that a report can say what it does not cover:
//
//  - functions without names, from cuGetExportTable;
//  - functions, or ABIs, that DriverFunctions.def does not know;
//  - pointers that are not the driver's, because another library is in between;
//  - objects that were bound past this library (RTLD_DEEPBIND);
//  - a driver that is mapped, but not as a library that this process can list:
//    another link namespace, or linked statically.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_COVERAGE_H
#define KPLAN_RUNTIME_HOOKS_COVERAGE_H

#include <string>
#include <string_view>
#include <vector>

namespace kplan::runtime::hooks {

/// An object at Caller asked for a table of functions without names. Allocates
/// nothing.
void noteExportTable(const void *Caller);

/// A program got a function of a hooked name that is none of the known ABIs:
/// said once for each name. Allocates nothing.
void noteUnknownPointer(std::string_view Name, const void *Address);

/// A program got a function whose name the table lacks. Allocates nothing.
void noteUnknownFunction(std::string_view Name);

/// One line for each finding so far; none: nothing was found. Looks at what is
/// loaded at the time.
std::vector<std::string> describeCoverage();

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_COVERAGE_H
