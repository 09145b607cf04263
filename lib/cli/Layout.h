//===- Layout.h - What help and manual pages share ------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_CLI_LAYOUT_H
#define KPLAN_CLI_LAYOUT_H

#include "cli/Command.h"

#include <string>
#include <string_view>
#include <vector>

namespace kplan::cli {

/// Lines that belong together: a paragraph to be filled, a heading
/// ("Examples:"), or lines to be left as they are.
struct Block {
  enum class Kind { Paragraph, Heading, Verbatim } What = Kind::Paragraph;
  std::string Text; ///< Verbatim: its lines, each ended.
};

std::vector<Block> blocksOf(std::string_view Text);

/// "PLAN...", "[RECORDING...]", "[--] COMMAND...".
std::string usageOf(const Operand &O);
/// "--plan FILE"; of several names the long one.
std::string usageOf(const Option &O);
/// "kplan run --plan FILE [OPTIONS] [--] COMMAND..."
std::string usageOf(const Command &C, std::string_view Parent);
/// "--on-escape=count|warn|abort", "FILE": a value and how it is joined.
std::string valueOf(const Option &O);
/// The help, with default, choices and what it needs.
std::string fullHelp(const Option &O);
/// Headings, in the order of their first command.
std::vector<std::string> groupsOf(const Command &C);

} // namespace kplan::cli

#endif // KPLAN_CLI_LAYOUT_H
