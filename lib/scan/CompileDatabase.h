//===- CompileDatabase.h - compile_commands.json --------------------------===//
//
// Part of kplan. Finds and reads compilation databases: those of CMake, Bear,
// Bazel's extractors, and `ninja -t compdb`, which lists every command of a
// build. What compiles no C, C++ or CUDA source is left out.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_COMPILEDATABASE_H
#define KPLAN_SCAN_COMPILEDATABASE_H

#include "plan/Diagnostic.h"
#include "scan/Command.h"
#include "scan/HostSystem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

/// The database for a file or folder: compile_commands.json in it, in its
/// `build*/`, or the same in its parents. A parent's `build*/` counts only
/// where it is of the project that `Start` lies in. Absolute paths.
std::optional<std::string>
findCompileDatabase(const std::string &Start,
                    const HostSystem &System = realSystem());

/// Reads a database, given as the file or its folder. The commands stand in
/// the file's order, each once; a file may have several. A folder that is
/// relative starts in the database's.
Result<std::vector<CompileCommand>>
readCompileDatabase(const std::string &Path,
                    const HostSystem &System = realSystem());

/// The same, for text; `Path` is named in errors.
Result<std::vector<CompileCommand>>
parseCompileDatabase(std::string_view Text, const std::string &Path);

} // namespace kplan::scan

#endif // KPLAN_SCAN_COMPILEDATABASE_H
