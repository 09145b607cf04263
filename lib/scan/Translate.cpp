//===- Translate.cpp ------------------------------------------------------===//

#include "scan/Translate.h"

#include "scan/CommandLine.h"
#include "scan/Translation.h"

namespace kplan::scan {

Translator::Translator(TranslateOptions TheOptions, const HostSystem &System)
    : Options(std::move(TheOptions)), System(System) {}

Result<ClangCommand> Translator::translate(const CompileCommand &Command,
                                           std::vector<Diagnostic> &Warnings) {
  CompilerCall Call = findCompilerCall(Command.Arguments);
  if (Call.Program.empty()) {
    Diagnostic Error = makeError("the compile command is empty");
    Error.File = Command.File;
    return Error;
  }
  return Translation(*this, Command, std::move(Call), System, Warnings).run();
}

Result<ClangCommand> translateCommand(const CompileCommand &Command,
                                      const TranslateOptions &Options,
                                      std::vector<Diagnostic> &Warnings) {
  return Translator(Options).translate(Command, Warnings);
}

SourceKind sourceKind(std::string_view Path) {
  std::string_view Extension = extension(Path);
  if (Extension == ".cu")
    return SourceKind::Cuda;
  if (Extension == ".c")
    return SourceKind::C;
  for (std::string_view Cxx :
       {".cc", ".cpp", ".cxx", ".C", ".c++", ".cp", ".CPP"})
    if (Extension == Cxx)
      return SourceKind::Cxx;
  for (std::string_view Header : {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl"})
    if (Extension == Header)
      return SourceKind::Header;
  return SourceKind::None;
}

std::string printClangCommand(const ClangCommand &Command) {
  return "cd " + quoteForShell(Command.Directory) + " && " +
         joinForShell(Command.Arguments);
}

} // namespace kplan::scan
