//===- Launch.h - Run a command under libkplan_preload.so -----------------===//
//
// Part of kplan. What the commands share that run a program: find the preload
// library that belongs to this kplan, find the program before anything happens,
// start it, pass signals on, and tell how it ended.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_LAUNCH_H
#define KPLAN_TOOLS_KPLAN_LAUNCH_H

#include "plan/Diagnostic.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace kplan::tool {

/// libkplan_preload.so of the build tree or installation that this program
/// belongs to.
Result<std::string> findPreloadLibrary();

/// The file that a command's name stands for, in PATH where it has no slash.
/// An error where it could not be run, or not be preloaded.
Result<std::string> findProgram(const std::string &Name);

/// What LD_PRELOAD is to be: the library behind those that are there already,
/// since a sanitizer must come first.
std::string preloadList(const char *Existing, const std::string &Library);

struct Command {
  std::vector<std::string> Words; ///< The program and its arguments.
  /// Variables to set, or to remove.
  std::vector<std::pair<std::string, std::optional<std::string>>> Environment;
};

/// A command that has been started.
class RunningCommand {
public:
  explicit RunningCommand(pid_t Process) : Process(Process) {}
  pid_t process() const { return Process; }

  /// Until it has ended; its exit status, 128 + N for signal N. Call it once.
  int wait();

private:
  pid_t Process;
};

/// Starts a command with the library preloaded. From then on SIGINT and SIGQUIT
/// are left to the command, and SIGTERM and SIGHUP are passed on to it. One
/// command a process.
Result<RunningCommand> start(const Command &What);

/// start() and wait().
Result<int> run(const Command &What);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_LAUNCH_H
