//===- Commands.h - The subcommands of kplan ------------------------------===//
//
// Part of kplan. Each command stands in its own file and adds itself, with its
// options and help, to the application; its result becomes the exit status.
// Those that run a program end as it did.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_COMMANDS_H
#define KPLAN_TOOLS_KPLAN_COMMANDS_H

#include "plan/Diagnostic.h"

#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace kplan::tool {

enum class Status : int {
  Ok = 0,
  Findings = 1, ///< Something is wrong with a plan.
  Usage = 2     ///< The command line, or a file that cannot be read or written.
};

void addCheckCommand(CLI::App &App, Status &Exit);
void addCompileCommand(CLI::App &App, Status &Exit);
void addMergeCommand(CLI::App &App, Status &Exit);
void addProbeCommand(CLI::App &App, Status &Exit);
void addReportCommand(CLI::App &App, Status &Exit);
void addRunCommand(CLI::App &App, Status &Exit);
void addSealCommand(CLI::App &App, Status &Exit);
void addShowCommand(CLI::App &App, Status &Exit);
void addTraceCommand(CLI::App &App, Status &Exit);

/// To standard error, as clang prints them.
void printDiagnostics(const std::vector<Diagnostic> &Diagnostics);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_COMMANDS_H
