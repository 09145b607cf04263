//===- NvccOptions.h - nvcc's command line --------------------------------===//
//
// Part of kplan. Reads arguments as nvcc does: which are options, which are
// values, which are input files. What nvcc would refuse is marked, not
// guessed. The options stand in NvccOptions.def.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_NVCCOPTIONS_H
#define KPLAN_SCAN_NVCCOPTIONS_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

enum class NvccArity { Flag, Value, Boolean, List };

/// What becomes of an option for clang.
enum class NvccAction {
  Drop,            ///< Says nothing about the host side's source.
  Pass,            ///< Text is clang's option.
  PassJoined,      ///< Text, then the value, as one argument.
  PassEach,        ///< For each value: Text, then the value.
  DefineMacro,     ///< Text is a macro that nvcc defines.
  Define,          ///< Values are macro definitions.
  Undefine,        ///< Values are macro names.
  IncludeFolder,   ///< Values are folders of -I.
  SystemFolder,    ///< Values are folders of -isystem.
  HostOptions,     ///< Values are options of the host compiler.
  HostCompiler,    ///< The host compiler, or its folder.
  TargetDirectory, ///< The toolkit's folder below targets/.
  Language,
  Standard,
  Architecture,
  Code,
  GenerateCode,
  Relocatable,
  RelocatableOn,
  RelocatableOff,
  DefaultStream,
  ForwardUnknown, ///< Unknown options are the host compiler's.
  IgnoreUnknown,  ///< Unknown options are the linker's.
  NoProfile,      ///< nvcc.profile, with the toolkit's folders, is not read.
  OptionsFile,    ///< Values are files with more options.
};

struct NvccOption {
  std::string_view Long;  ///< After `--`; may be empty.
  std::string_view Short; ///< After `-`; may be empty.
  NvccArity Arity;
  bool Joined; ///< The short form takes a value without a separator.
  NvccAction Action;
  std::string_view Text;
};

/// The table.
std::span<const NvccOption> nvccOptions();

struct NvccArgument {
  enum Kind {
    Input,   ///< Values[0] is a file, or whatever nvcc makes of it.
    Option,  ///< Of the table, well formed.
    Unknown, ///< Begins with `-`, and nvcc does not know it.
    Refused, ///< Of the table, but nvcc refuses it: Problem says why.
  } K = Input;
  const NvccOption *Which = nullptr; ///< Option and Refused.
  std::string Spelling;              ///< The argument as it was written.
  std::vector<std::string> Values;   ///< List values are split.
  bool SeparateValue = false;        ///< The value was the next argument.
  std::string Problem;
};

/// Reads arguments (without the program's name). Options files are not opened.
std::vector<NvccArgument>
parseNvccArguments(const std::vector<std::string> &Arguments);

} // namespace kplan::scan

#endif // KPLAN_SCAN_NVCCOPTIONS_H
