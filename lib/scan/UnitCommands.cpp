//===- UnitCommands.cpp - How each file of a scan is compiled -------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/UnitCommands.h"

#include "scan/CompileDatabase.h"
#include "scan/Paths.h"
#include "scan/SourceTree.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace kplan::scan {

namespace {

/// Absolute, with links resolved as far as the path leads somewhere.
std::string realPathOf(const CompileCommand &Command) {
  return weakRealPath(joinedPath(Command.File, Command.Directory));
}

/// How many of the first folders two paths share.
size_t sharedFolders(const std::string &A, const std::string &B) {
  size_t Shared = 0;
  for (size_t I = 0; I < A.size() && I < B.size() && A[I] == B[I]; ++I)
    Shared += A[I] == '/';
  return Shared;
}

} // namespace

Result<UnitCommands> UnitCommands::open(const std::string &Given,
                                        const std::string &Directory,
                                        const std::vector<std::string> &Starts,
                                        TranslateOptions Translate) {
  UnitCommands Commands(std::move(Translate));
  std::string Path =
      Given.empty() ? std::string() : joinedPath(Given, Directory);
  for (size_t I = 0; Path.empty() && I < Starts.size(); ++I)
    Path = findCompileDatabase(Starts[I]).value_or("");
  if (Path.empty())
    return Commands;

  Result<std::vector<CompileCommand>> Read = readCompileDatabase(Path);
  if (!Read)
    return Read.errors();
  std::string Real = weakRealPath(Path);
  std::string File = weakRealPath(Real + "/compile_commands.json");
  Commands.Database = realPath(File) ? File : Real;
  Commands.BuildFolder = parentPath(Commands.Database);
  for (CompileCommand &Command : *Read) {
    std::string RealFile = realPathOf(Command);
    Commands.Known.push_back({std::move(Command), std::move(RealFile)});
  }
  if (Given.empty() && !Commands.concerns(Starts))
    return UnitCommands(std::move(Commands.Translate));
  return Commands;
}

/// A database that merely lies above the paths may be another project's: that
/// of a build folder, say, in which something was unpacked.
bool UnitCommands::concerns(const std::vector<std::string> &Folders) const {
  std::string Source = sourceFolder();
  return std::any_of(Folders.begin(), Folders.end(), [&](const auto &Folder) {
    if (isDatabaseFolder(Folder) ||
        (isWithin(Folder, Source) && !isWithin(Folder, BuildFolder)))
      return true;
    return std::any_of(Known.begin(), Known.end(), [&](const auto &Command) {
      return isWithin(Command.RealPath, Folder);
    });
  });
}

std::string UnitCommands::sourceFolder() const {
  if (!hasDatabase())
    return {};
  if (std::optional<std::string> Folder = cmakeSourceFolder(BuildFolder))
    if (std::optional<std::string> Real = realPath(*Folder))
      return *Real;
  std::vector<std::string> Folders;
  for (const KnownCommand &Command : Known)
    Folders.push_back(parentPath(Command.RealPath));
  return commonFolder(Folders);
}

bool UnitCommands::isDatabaseFolder(const std::string &RealFolder) const {
  return hasDatabase() &&
         realPath(RealFolder + "/compile_commands.json") == Database;
}

Result<ClangCommand>
UnitCommands::translate(const KnownCommand &Command,
                        std::vector<Diagnostic> &Warnings) {
  return translator().translate(Command.Command, Warnings);
}

Result<ClangCommand> UnitCommands::invent(const std::string &RealPath,
                                          const std::string &Root,
                                          std::vector<Diagnostic> &Warnings) {
  if (const KnownCommand *Near = neighbour(RealPath)) {
    Result<ClangCommand> Command = translate(*Near, Warnings);
    if (!Command)
      return Command.errors();
    // The translator's commands end in the file's name, and say its language.
    Command->File = RealPath;
    Command->Arguments.back() = RealPath;
    Command->Guesses.push_back(
        "flags of " +
        spellPath(Near->RealPath, {Root, BuildFolder, {}}, Near->RealPath) +
        " for " + spellPath(RealPath, {Root, BuildFolder, {}}, RealPath));
    return Command;
  }
  if (!Guess) {
    std::string Tree = projectFolder(Root);
    std::vector<Diagnostic> Ignored;
    Guess =
        std::make_unique<Guesser>(Tree, listSources(Tree, Ignored), Translate);
  }
  return translator().translate(Guess->guess(RealPath), Warnings);
}

Translator &UnitCommands::translator() {
  if (!Translates)
    Translates = std::make_unique<Translator>(Translate);
  return *Translates;
}

/// The CUDA file of the database that is nearest in the tree; of equals the
/// first one by name.
const KnownCommand *UnitCommands::neighbour(const std::string &RealPath) const {
  const KnownCommand *Best = nullptr;
  size_t MostShared = 0;
  for (const KnownCommand &Command : Known) {
    if (sourceKind(Command.RealPath) != SourceKind::Cuda)
      continue;
    size_t Shared = sharedFolders(Command.RealPath, RealPath);
    bool IsBetter = !Best || Shared > MostShared ||
                    (Shared == MostShared &&
                     std::tie(Command.RealPath, Command.Command.Arguments) <
                         std::tie(Best->RealPath, Best->Command.Arguments));
    if (!IsBetter)
      continue;
    Best = &Command;
    MostShared = Shared;
  }
  return Best;
}

} // namespace kplan::scan
