//===- Command.h - Compile commands, theirs and clang's -------------------===//
//
// Part of kplan. A compile command as a build system writes it, and the clang
// command that parses the same translation unit's host side.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_COMMAND_H
#define KPLAN_SCAN_COMMAND_H

#include "plan/Diagnostic.h"

#include <string>
#include <vector>

namespace kplan::scan {

/// One command of a database, of `--command`, or guessed.
struct CompileCommand {
  std::string Directory; ///< Absolute; relative arguments start here.
  std::string File;      ///< As the command spells it.
  std::string Output;    ///< -o, or empty.
  std::vector<std::string> Arguments; ///< argv, the compiler first.
  bool Guessed = false;               ///< No database: defaults of DESIGN.
  std::vector<std::string> Guesses;   ///< What was guessed, for the summary.
};

/// What clang is run with to parse a TU's host side.
struct ClangCommand {
  std::string Directory;              ///< Absolute working folder.
  std::string File;                   ///< Absolute path of the main file.
  std::vector<std::string> Arguments; ///< Driver arguments, argv[0] first.
  bool IsCuda = false;                ///< Parsed as CUDA (-x cuda).
  bool RelocatableDeviceCode = false; ///< -rdc=true, -dc: names differ.
  bool BuiltByClang = false;        ///< Device symbols are clang's, not nvcc's.
  std::vector<std::string> Archs;   ///< "sm_90", sorted; CUDA only.
  std::string CudaPath;             ///< Toolkit in use; may be empty.
  std::string CudaVersion;          ///< "13.0"; may be empty.
  std::vector<std::string> Guesses; ///< What was guessed, for the summary.
};

struct TranslateOptions {
  std::string Clang;    ///< argv[0] of the result; empty: the clang that kplan
                        ///< was built with, which knows its own headers.
  std::string CudaPath; ///< --cuda-path, wins over nvcc's.
  std::string Arch;     ///< --arch, wins over the command's.
  std::vector<std::string> ExtraArguments; ///< After `--`, appended.
};

/// Turns an nvcc, g++, gcc, cc, clang or clang++ command (also behind ccache
/// and its like) into clang's. Reads response and option files, never writes.
/// `Warnings` receives what was ignored and why it may matter.
Result<ClangCommand> translateCommand(const CompileCommand &Command,
                                      const TranslateOptions &Options,
                                      std::vector<Diagnostic> &Warnings);

} // namespace kplan::scan

#endif // KPLAN_SCAN_COMMAND_H
