//===- ShowProgram.h - The device code of a program, for people -----------===//
//
// Part of kplan. What `kplan show` prints of a file that is no plan but a
// program, a library or device code.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_SHOWPROGRAM_H
#define KPLAN_TOOLS_KPLAN_SHOWPROGRAM_H

#include "Commands.h"

#include <cstddef>
#include <string>

namespace kplan::tool {

struct ShowProgramOptions {
  std::string Path;
  bool Json = false;
  bool Symbols = false; ///< Kernels by symbol, not by name.
  size_t MaxWidth = 0;  ///< Of names; 0: no limit.
};

Status showProgram(const ShowProgramOptions &Options);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_SHOWPROGRAM_H
