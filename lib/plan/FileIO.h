//===- FileIO.h - Whole files in, whole files out -------------------------===//
//
// Part of kplan. Errors name the path and say what the system said.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_FILEIO_H
#define KPLAN_PLAN_FILEIO_H

#include "plan/Diagnostic.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kplan {

/// The bytes of a file; more than `MaxBytes` of them is an error.
Result<std::string> readFile(const std::string &Path, size_t MaxBytes);

/// Writes the file whole or not at all: into a temporary file in the same
/// folder, flushed to the disk, then renamed. A file that is there keeps its
/// permissions; a symbolic link stays one and what it points to is replaced;
/// a device or pipe is written to directly. Returns the error; none: done.
std::optional<Diagnostic> writeFileAtomically(const std::string &Path,
                                              std::string_view Text);

} // namespace kplan

#endif // KPLAN_PLAN_FILEIO_H
