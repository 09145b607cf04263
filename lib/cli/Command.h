//===- Command.h - A command line, as data --------------------------------===//
//
// Part of kplan. What a program's help, its manual page and the completions of
// shells are all made of. Tools fill it from the library that parses their
// arguments, so that nothing is written down twice.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_CLI_COMMAND_H
#define KPLAN_CLI_COMMAND_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::cli {

/// What may stand for a value, as far as a shell can help.
enum class ValueKind { Text, File, Folder, Command };

struct Option {
  std::vector<std::string> Names; ///< "-o", "--output"; the long one last.
  std::string Value;              ///< "FILE"; empty: it takes none.
  ValueKind Kind = ValueKind::Text;
  std::vector<std::string> Choices; ///< All that the value can be, if few.
  std::string Help;
  std::string Default;
  bool Required = false;
  bool Repeats = false; ///< Takes several values.
  std::string OnlyWith; ///< Another option that it needs; empty: none.
};

/// What stands without an option's name.
struct Operand {
  std::string Name; ///< "PLAN"
  ValueKind Kind = ValueKind::Text;
  std::string Help;
  bool Required = false;
  bool Repeats = false;
};

struct Command {
  std::string Name;    ///< "kplan", or of a subcommand "trace".
  std::string Summary; ///< One line, no full stop.
  std::string Group;   ///< Heading that a subcommand stands under.
  /// Paragraphs, an empty line between them. Lines that begin with two spaces
  /// are examples or lists, and stay as they are.
  std::string Description;
  std::string Notes; ///< The same; behind the options.
  std::vector<Option> Options;
  std::vector<Operand> Operands;
  std::vector<Command> Commands;
};

/// For people at a terminal, at most 80 columns wide where words allow it.
/// \param Parent "kplan", of a subcommand.
std::string helpText(const Command &C, std::string_view Parent = {});

/// Programs for shells that complete the command line.
std::string bashCompletion(const Command &C);
std::string zshCompletion(const Command &C);
std::string fishCompletion(const Command &C);

/// A page for man(1), of the program and all its commands.
std::string manPage(const Command &C, std::string_view Version);

/// What --generate=WHAT prints; none: there is no such thing.
std::optional<std::string> generate(const Command &C, std::string_view What,
                                    std::string_view Version);
inline constexpr std::string_view Generated[] = {"bash", "zsh", "fish", "man"};

} // namespace kplan::cli

#endif // KPLAN_CLI_COMMAND_H
