//===- Launcher.h - What stands before the compiler -----------------------===//
//
// Part of kplan. ccache, sccache, distcc, `env VAR=...`, `cmake -E env`,
// `sh -c "..."`: finds the compiler in a command and what is set for it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_LAUNCHER_H
#define KPLAN_SCAN_LAUNCHER_H

#include "scan/HostToolchain.h"

#include <map>
#include <string>
#include <vector>

namespace kplan::scan {

struct CompilerCall {
  CompilerKind Kind = CompilerKind::Unknown;
  std::string Program;
  std::vector<std::string> Arguments;             ///< Without the program.
  std::map<std::string, std::string> Environment; ///< Set by the launcher.
};

/// The compiler's own call. A program that nobody knows, with no launcher
/// that anybody knows, is taken for the compiler: its kind is Unknown.
CompilerCall findCompilerCall(const std::vector<std::string> &Command);

/// A line of several commands (`cd x && nvcc ... && true`): the one that
/// calls a compiler, preferably one that names `File`.
std::vector<std::string>
pickCompilerCommand(const std::vector<std::vector<std::string>> &Commands,
                    const std::string &File);

} // namespace kplan::scan

#endif // KPLAN_SCAN_LAUNCHER_H
