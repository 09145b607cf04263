//===- Translate.h - Compile commands for clang ---------------------------===//
//
// Part of kplan. Translates many commands of one build: what it finds out
// about the machine (toolkits, host compilers) is found out once.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TRANSLATE_H
#define KPLAN_SCAN_TRANSLATE_H

#include "scan/Command.h"
#include "scan/CudaToolkit.h"
#include "scan/HostSystem.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kplan::scan {

class Translator {
public:
  explicit Translator(TranslateOptions Options,
                      const HostSystem &System = realSystem());

  /// As the free function of Command.h. Not thread-safe.
  Result<ClangCommand> translate(const CompileCommand &Command,
                                 std::vector<Diagnostic> &Warnings);

private:
  friend class Translation;

  TranslateOptions Options;
  const HostSystem &System;
  std::map<std::string, std::optional<CudaToolkit>> Toolkits;
  std::map<std::string, std::vector<std::string>> Toolchains;
};

/// What a file's name says about its language.
enum class SourceKind { None, C, Cxx, Cuda, Header };
SourceKind sourceKind(std::string_view Path);

/// For `--print-command`: a line for the shell, `cd` included.
std::string printClangCommand(const ClangCommand &Command);

} // namespace kplan::scan

#endif // KPLAN_SCAN_TRANSLATE_H
