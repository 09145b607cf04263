//===- Options.h - The command line of kplan-scan -------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TOOL_OPTIONS_H
#define KPLAN_SCAN_TOOL_OPTIONS_H

#include "plan/Warnings.h"

#include <optional>
#include <string>
#include <vector>

namespace kplan::scan {

struct ToolOptions {
  std::vector<std::string> Paths;
  std::vector<std::string> AfterDashes; ///< What follows `--`.
  bool HasDashes = false;
  std::string Output; ///< Empty: not given. "-": standard output.
  std::string Database;
  std::string Root;
  std::string Arch;
  std::string CudaPath;
  std::vector<std::string> Include;
  std::vector<std::string> Exclude;
  std::string Cache;
  std::string Depfile;
  std::string Check;
  std::string PrintCommand;
  std::string Sarif;
  std::string Explain;
  WarningChoice Warnings;
  unsigned Jobs = 0; ///< 0: not given.
  unsigned TimeLimitSeconds = 0;
  bool NoShortcuts = false;
  bool Strict = false;
  bool Command = false; ///< --command: one compile command follows `--`.
};

/// Nothing: the command line was wrong, and the user has been told. --help,
/// --version and --generate end the program.
std::optional<ToolOptions> parseOptions(int Count, const char *const *Words);

} // namespace kplan::scan

#endif // KPLAN_SCAN_TOOL_OPTIONS_H
