//===- ResponseFile.h - Arguments that stand in files ---------------------===//
//
// Part of kplan. Replaces `@file` (GCC, clang, Bazel) and nvcc's
// `--options-file` by what the files hold. Files may name further files;
// relative names start in the command's folder, as the compilers do it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_RESPONSEFILE_H
#define KPLAN_SCAN_RESPONSEFILE_H

#include "plan/Diagnostic.h"
#include "scan/HostSystem.h"

#include <string>
#include <vector>

namespace kplan::scan {

enum class ResponseSyntax {
  Gnu,  ///< `@file` alone.
  Nvcc, ///< `--options-file`, and `@file` for wrappers around nvcc.
};

/// The arguments with all files read in place. A file that cannot be read, and
/// one that leads back to itself, is an error. An `@name` without such a file
/// stays as it is.
Result<std::vector<std::string>>
expandResponseFiles(const std::vector<std::string> &Arguments,
                    const std::string &Directory, ResponseSyntax Syntax,
                    const HostSystem &System);

} // namespace kplan::scan

#endif // KPLAN_SCAN_RESPONSEFILE_H
