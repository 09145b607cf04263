//===- ExtraFlags.h - What the user adds to every command -----------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_EXTRAFLAGS_H
#define KPLAN_SCAN_EXTRAFLAGS_H

#include <string>
#include <vector>

namespace kplan::scan {

/// Clang flags typed in `Directory`, such as `-Iinclude`, so that they mean
/// the same in a command that is run in another folder. A file that is
/// included by force is looked for in the include folders where it does not
/// lie in `Directory`, as clang does.
std::vector<std::string> anchorFlags(const std::vector<std::string> &Flags,
                                     const std::string &Directory);

} // namespace kplan::scan

#endif // KPLAN_SCAN_EXTRAFLAGS_H
