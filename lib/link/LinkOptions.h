//===- LinkOptions.h - Load options as options of nvJitLink ---------------===//
//
// Part of kplan. Code that is compiled ahead of time must be what the program's
// own load would give: each option that decides which code results is kept, or
// nothing is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_LINK_LINKOPTIONS_H
#define KPLAN_LINK_LINKOPTIONS_H

#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>
#include <vector>

namespace kplan::link {

/// Of an image. An error names the option that has no counterpart.
Result<std::vector<std::string>>
linkOptions(const std::map<std::string, int64_t> &LoadOptions);

/// Of a module: the same names; a boolean is 0 or 1.
Result<std::vector<std::string>> linkOptions(const Module &Of);

} // namespace kplan::link

#endif // KPLAN_LINK_LINKOPTIONS_H
