//===- Values.h - What options take ---------------------------------------===//
//
// Part of kplan. Checks of option values whose messages say what is wrong;
// CLI11's own let "nan" and "" pass, or print limits that mean nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_VALUES_H
#define KPLAN_TOOLS_KPLAN_VALUES_H

#include <CLI/CLI.hpp>

namespace kplan::tool {

/// A number, both ends included; not "nan".
CLI::Validator numberBetween(double Least, double Most);
/// "12"; \p What stands in the message: "process id".
CLI::Validator wholeNumber(int Least, const char *What);
/// Any text but none.
CLI::Validator fileName();

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_VALUES_H
