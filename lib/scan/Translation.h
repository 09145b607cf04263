//===- Translation.h - One command on its way to clang --------------------===//
//
// Part of kplan; private to the translation of commands. What nvcc's and host
// compilers' commands have in common.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TRANSLATION_H
#define KPLAN_SCAN_TRANSLATION_H

#include "scan/GpuArch.h"
#include "scan/HostOptions.h"
#include "scan/Launcher.h"
#include "scan/Translate.h"

namespace kplan::scan {

class Translation {
public:
  Translation(Translator &Parent, const CompileCommand &Command,
              CompilerCall Call, const HostSystem &System,
              std::vector<Diagnostic> &Warnings);

  Result<ClangCommand> run();

private:
  enum class Language { C, Cxx, Cuda };

  // TranslateNvcc.cpp
  Result<ClangCommand> nvcc();
  struct NvccState;
  void applyNvcc(const struct NvccArgument &Argument, NvccState &State);
  std::optional<CudaToolkit> nvccToolkit(const NvccState &State);
  GpuArchSet nvccArchs(const NvccState &State,
                       const std::optional<CudaToolkit> &Toolkit);

  // TranslateHost.cpp
  Result<ClangCommand> host();

  // Translation.cpp
  Result<std::vector<std::string>> expandedArguments();
  /// The input that the command is about; an error if there is none.
  Result<std::string> mainFile(const std::vector<std::string> &Inputs);
  std::optional<CudaToolkit> toolkitAt(const std::string &Root);
  std::optional<CudaToolkit> defaultToolkit();
  const std::vector<std::string> &toolchain(const std::string &Compiler);
  GpuArchSet requestedArchs() const; ///< --arch; empty if not given.

  void begin(ClangCommand &Clang, Language L, const std::string &Standard);
  void addCuda(ClangCommand &Clang, const std::optional<CudaToolkit> &Toolkit,
               const GpuArchSet &Archs);
  void addCudaFolders(ClangCommand &Clang, const CudaToolkit &Toolkit);
  void finish(ClangCommand &Clang, const std::string &File);

  void warn(std::string Message, std::string Hint = {});
  void warnUnknown(const std::vector<std::string> &Options,
                   const std::string &Compiler);

  Translator &Parent;
  const CompileCommand &Command;
  CompilerCall Call;
  OverlaidEnvironment System;
  std::vector<Diagnostic> &Warnings;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_TRANSLATION_H
