//===- UnitCommands.h - How each file of a scan is compiled ---------------===//
//
// Part of kplan. The commands of the compilation databases of a scan, and for
// a file that no command compiles: the flags of the nearest CUDA file that one
// does, or, without a database, guessed ones.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_UNITCOMMANDS_H
#define KPLAN_SCAN_UNITCOMMANDS_H

#include "plan/Diagnostic.h"
#include "scan/Command.h"
#include "scan/Guess.h"
#include "scan/Translate.h"

#include <memory>
#include <string>
#include <vector>

namespace kplan::scan {

/// A command of a database, with the file that it compiles.
struct KnownCommand {
  CompileCommand Command;
  std::string RealPath; ///< Absolute also where the file is not there.
};

class UnitCommands {
public:
  UnitCommands() = default; ///< No database, no options.

  /// Reads `Database` (a file or its folder, relative to `Directory`); where
  /// that is empty, the one found from the folders in `Starts`, if it is of
  /// the same project.
  static Result<UnitCommands> open(const std::string &Database,
                                   const std::string &Directory,
                                   const std::vector<std::string> &Starts,
                                   TranslateOptions Translate);

  bool hasDatabase() const { return !Database.empty(); }
  /// The database, as a real path; empty: none.
  const std::string &database() const { return Database; }
  /// The folder in which it really lies; empty: none.
  const std::string &buildFolder() const { return BuildFolder; }
  /// CMake's source folder, or what holds all files; empty: none.
  std::string sourceFolder() const;
  /// Whether the folder holds the database, or a link to it.
  bool isDatabaseFolder(const std::string &RealFolder) const;

  const std::vector<KnownCommand> &known() const { return Known; }

  Result<ClangCommand> translate(const KnownCommand &Command,
                                 std::vector<Diagnostic> &Warnings);

  /// For a file that no command compiles.
  Result<ClangCommand> invent(const std::string &RealPath,
                              const std::string &Root,
                              std::vector<Diagnostic> &Warnings);

private:
  explicit UnitCommands(TranslateOptions Translate)
      : Translate(std::move(Translate)) {}

  bool concerns(const std::vector<std::string> &Folders) const;
  const KnownCommand *neighbour(const std::string &RealPath) const;
  Translator &translator();

  TranslateOptions Translate;
  std::string Database;
  std::string BuildFolder;
  std::vector<KnownCommand> Known;
  std::unique_ptr<Translator> Translates; ///< Made when first needed, as is
  std::unique_ptr<Guesser> Guess;         ///< this one.
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_UNITCOMMANDS_H
