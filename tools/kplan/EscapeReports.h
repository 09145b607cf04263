//===- EscapeReports.h - What escaped in the processes of a command -------===//
//
// Part of kplan. Under `kplan run` each process leaves a report of its escapes
// as JSON (runtime/escapes/EscapeReport.h); these are put together.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_ESCAPEREPORTS_H
#define KPLAN_TOOLS_KPLAN_ESCAPEREPORTS_H

#include "plan/Diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::tool {

struct ProcessEscapes {
  std::string Process; ///< Its id.
  std::string Program;
  bool WasSealed = false;
  uint64_t Total = 0;
  std::string Text; ///< For people, several lines, without an end.
  std::string Json; ///< As it was left, without an end.
};

/// Reads one. `FileName` stands in the error.
Result<ProcessEscapes> readEscapeReport(std::string Json,
                                        std::string_view FileName);

/// Each line, by process: "process 12 (app): 1 escape after the seal ...".
std::string reportAsText(const std::vector<ProcessEscapes> &Reports);

/// An object; ends with a newline.
std::string reportAsJson(const std::vector<ProcessEscapes> &Reports,
                         const std::vector<std::string> &Command, int Exit);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_ESCAPEREPORTS_H
