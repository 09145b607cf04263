//===- OutputFile.h - Files that are written at the end -------------------===//
//
// Part of kplan. A program may run for days before what it left is written, so
// whether that can be done is asked before it starts.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_OUTPUTFILE_H
#define KPLAN_TOOLS_KPLAN_OUTPUTFILE_H

#include "plan/Diagnostic.h"

#include <optional>
#include <string>

namespace kplan::tool {

/// Why a file cannot be written to; none: as far as can be told it can, or its
/// name is empty.
/// \param What "report": what the file is to hold.
std::optional<Diagnostic> whyNotWritable(const std::string &Path,
                                         const std::string &What);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_OUTPUTFILE_H
