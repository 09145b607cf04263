//===- CommandModel.h - kplan's command line, as data ---------------------===//
//
// Part of kplan. What CLI11 knows of the options, for help, manual page and
// completions.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TOOLS_KPLAN_COMMANDMODEL_H
#define KPLAN_TOOLS_KPLAN_COMMANDMODEL_H

#include "cli/Command.h"

namespace CLI {
class App;
} // namespace CLI

namespace kplan::tool {

/// Of the application or of one of its commands; what is hidden is left out.
cli::Command commandOf(const CLI::App &App);

/// Has an application print help made of its model, and its commands as well.
void useModelForHelp(CLI::App &App);

} // namespace kplan::tool

#endif // KPLAN_TOOLS_KPLAN_COMMANDMODEL_H
