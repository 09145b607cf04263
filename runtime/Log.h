//===- Log.h - What the runtime says on standard error --------------------===//
//
// Part of kplan. One line a call, written whole by one write(2), beginning with
// "kplan: ". Never standard output, never a file.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LOG_H
#define KPLAN_RUNTIME_LOG_H

#include <string_view>

namespace kplan::runtime {

/// Only with KPLAN_VERBOSE.
void logVerbose(std::string_view Line);

/// Always: the user asked for it, or has no other way to learn of it.
void logAlways(std::string_view Line);

/// As logAlways(), but each different line once a process.
void logOnce(std::string_view Line);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LOG_H
