//===- CommandLine.h - Split and quote command lines ----------------------===//
//
// Part of kplan. Each reader of command lines has rules of its own for quotes,
// backslashes and comments: the shell, GCC's response files, nvcc's options
// files, nvcc's environment variables, nvcc's comma lists. Pure functions.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_COMMANDLINE_H
#define KPLAN_SCAN_COMMANDLINE_H

#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

/// A word that a POSIX shell reads back as `Word`.
std::string quoteForShell(std::string_view Word);
std::string joinForShell(const std::vector<std::string> &Words);

/// As `sh` splits a line, without any expansion. Unquoted `&&`, `||`, `;`, `|`
/// and newlines end a command; redirections are dropped. At least one command.
std::vector<std::vector<std::string>> splitShell(std::string_view Line);

/// As GCC and clang read `@file`: white space separates, single and double
/// quotes group, a backslash keeps the next character.
std::vector<std::string> splitResponseFile(std::string_view Text);

/// As nvcc reads `--options-file`: white space separates, double quotes group
/// and vanish, also escaped ones; a single quote is an ordinary character.
std::vector<std::string> splitNvccOptionsFile(std::string_view Text);

/// As nvcc reads NVCC_PREPEND_FLAGS: white space outside double quotes
/// separates; quotes stay.
std::vector<std::string> splitNvccEnvironment(std::string_view Text);

/// As nvcc splits a list value: commas separate, unless escaped or in double
/// quotes; a backslash vanishes and keeps the next character.
std::vector<std::string> splitNvccList(std::string_view Value);

} // namespace kplan::scan

#endif // KPLAN_SCAN_COMMANDLINE_H
