//===- SourceTree.h - The source files below a folder ---------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_SOURCETREE_H
#define KPLAN_SCAN_SOURCETREE_H

#include "plan/Diagnostic.h"

#include <string>
#include <vector>

namespace kplan::scan {

/// The real paths, sorted, of all source files and headers (Translate.h's
/// sourceKind) below a folder.
/// Left out: hidden folders, folders that are links (their files are found
/// where they really are), and build folders (those with a CMakeCache.txt)
/// other than `Folder` itself. What cannot be read becomes a warning.
std::vector<std::string> listSources(const std::string &Folder,
                                     std::vector<Diagnostic> &Warnings);

} // namespace kplan::scan

#endif // KPLAN_SCAN_SOURCETREE_H
