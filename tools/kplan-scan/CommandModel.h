//===- CommandModel.h - kplan-scan's command line, as data ----------------===//
//
// Part of kplan. What llvm::cl knows of the options, for the manual page and
// completions.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TOOL_COMMANDMODEL_H
#define KPLAN_SCAN_TOOL_COMMANDMODEL_H

#include "cli/Command.h"

namespace kplan::scan {

/// Of what is registered and not hidden.
/// \param Overview and \param Notes stand around the options in the help.
cli::Command commandOf(const char *Overview, const char *Notes);

} // namespace kplan::scan

#endif // KPLAN_SCAN_TOOL_COMMANDMODEL_H
