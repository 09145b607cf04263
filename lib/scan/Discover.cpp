//===- Discover.cpp - Which translation units a scan looks at -------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Discover.h"

#include "plan/Canonical.h"
#include "scan/Glob.h"
#include "scan/Paths.h"
#include "scan/SourceTree.h"
#include "scan/Translate.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace fs = std::filesystem;

namespace kplan::scan {

namespace {

Diagnostic about(std::string File, Severity Level, std::string Message,
                 std::string Hint = {}) {
  Diagnostic D = makeError(std::move(Message), std::move(Hint));
  D.Level = Level;
  D.File = std::move(File);
  return D;
}

/// How a plan spells a path, as far as it can be told before parsing.
std::string unitName(const std::string &Real, const std::string &Root,
                     const std::string &BuildRoot) {
  return spellPath(Real, {Root, BuildRoot, {}}, Real);
}

bool isHost(SourceKind Kind) {
  return Kind == SourceKind::C || Kind == SourceKind::Cxx;
}

/// What --include and --exclude leave.
class Filter {
public:
  explicit Filter(const DiscoverOptions &Options)
      : Include(Options.Include.begin(), Options.Include.end()),
        Exclude(Options.Exclude.begin(), Options.Exclude.end()) {}

  bool keeps(const std::string &Real, const std::string &Root) const {
    std::string Path = relativeWithin(Real, Root).value_or(Real.substr(1));
    return (Include.empty() || matchesAny(Include, Path)) &&
           !matchesAny(Exclude, Path);
  }

private:
  std::vector<Glob> Include, Exclude;
};

/// The paths of the command line.
struct Selection {
  std::vector<std::string> Folders; ///< Real paths, sorted.
  std::vector<std::string> Files;   ///< Real paths, sorted.

  bool empty() const { return Folders.empty() && Files.empty(); }

  bool names(const std::string &Real) const {
    return std::binary_search(Files.begin(), Files.end(), Real);
  }
  bool holds(const std::string &Path) const {
    return names(Path) ||
           std::any_of(Folders.begin(), Folders.end(),
                       [&](const std::string &F) { return isWithin(Path, F); });
  }
};

Result<Selection> select(const DiscoverOptions &Options) {
  Selection Selected;
  std::vector<Diagnostic> Errors;
  for (const std::string &Path : Options.Paths) {
    std::optional<std::string> Real =
        realPath(joinedPath(Path, Options.Directory));
    std::error_code EC;
    if (!Real)
      Errors.push_back(about(Path, Severity::Error, "no such file or folder"));
    else if (fs::is_directory(*Real, EC))
      Selected.Folders.push_back(*Real);
    else if (fs::is_regular_file(*Real, EC))
      Selected.Files.push_back(*Real);
    else
      Errors.push_back(
          about(Path, Severity::Error, "neither a file nor a folder"));
  }
  if (!Errors.empty())
    return Errors;
  sortUnique(Selected.Folders);
  sortUnique(Selected.Files);
  return Selected;
}

class Discoverer {
public:
  Discoverer(const DiscoverOptions &Options, Selection Selected,
             UnitCommands Commands)
      : Options(Options), Selected(std::move(Selected)), Keep(Options) {
    Found.Commands = std::move(Commands);
  }

  Result<Discovery> run() {
    const UnitCommands &Commands = Found.Commands;
    Found.Database = Commands.database();
    Found.BuildRoot = Commands.buildFolder();
    if (std::optional<Diagnostic> Error = chooseRoot())
      return *Error;
    listTrees();
    if (Commands.hasDatabase())
      takeCommands();
    takeGivenFiles();
    if (!Commands.hasDatabase())
      takeTreeFiles();
    order();
    if (Found.Units.empty() && Found.Failures.empty() && !hasLoneHeader())
      return nothingToScan();
    return std::move(Found);
  }

private:
  /// --root; else the source folder of the database; else what holds all
  /// paths.
  std::optional<Diagnostic> chooseRoot() {
    if (!Options.Root.empty()) {
      std::optional<std::string> Real =
          realPath(joinedPath(Options.Root, Options.Directory));
      std::error_code EC;
      if (!Real || !fs::is_directory(*Real, EC))
        return about(Options.Root, Severity::Error,
                     "the folder given as --root is not there");
      Found.Root = *Real;
      return std::nullopt;
    }
    Found.Root = Found.Commands.sourceFolder();
    if (Found.Root.empty()) {
      std::vector<std::string> Folders = Selected.Folders;
      for (const std::string &File : Selected.Files)
        Folders.push_back(parentPath(File));
      Found.Root = commonFolder(Folders);
    }
    return std::nullopt;
  }

  /// A build folder is given for its database, not for what lies in it.
  bool isOnlyBuildFolder(const std::string &Folder) const {
    return Found.Commands.hasDatabase() && Folder == Found.BuildRoot &&
           Folder != Found.Root;
  }

  void listTrees() {
    for (const std::string &Folder : Selected.Folders)
      if (!isOnlyBuildFolder(Folder))
        for (std::string &File : listSources(Folder, Found.Warnings))
          if (Keep.keeps(File, Found.Root))
            TreeFiles.push_back(std::move(File));
    sortUnique(TreeFiles);
    for (const std::string &File : TreeFiles)
      if (sourceKind(File) == SourceKind::Header && !Selected.names(File))
        Found.HeaderCandidates.push_back(File);
  }

  bool wantsWholeDatabase() const {
    return Selected.empty() ||
           std::any_of(Selected.Folders.begin(), Selected.Folders.end(),
                       [&](const std::string &F) {
                         return Found.Commands.isDatabaseFolder(F);
                       });
  }

  void takeCommands() {
    bool All = wantsWholeDatabase();
    std::vector<std::string> Missing;
    for (const KnownCommand &Known : Found.Commands.known()) {
      if (!(All || Selected.holds(Known.RealPath)) ||
          !Keep.keeps(Known.RealPath, Found.Root))
        continue;
      InDatabase.insert(Known.RealPath);
      std::error_code EC;
      if (!fs::exists(Known.RealPath, EC))
        Missing.push_back(Known.RealPath);
      else
        takeCommand(Known);
    }
    for (const std::string &Path : Missing)
      if (sourceKind(Path) == SourceKind::Cuda)
        fail(Path, {about(Path, Severity::Error,
                          "the compilation database names this file, but it "
                          "is not there",
                          "if the build generates it, build first")});
    warnOfUncompiled();
  }

  void takeCommand(const KnownCommand &Known) {
    std::vector<Diagnostic> Warnings;
    Result<ClangCommand> Command = Found.Commands.translate(Known, Warnings);
    SourceKind Kind = sourceKind(Known.RealPath);
    bool MustScan = Kind == SourceKind::Cuda || Selected.names(Known.RealPath);
    if (!Command) {
      // Databases hold commands of other languages and tools as well.
      if (MustScan ||
          (isHost(Kind) && Found.Graph.reachesCuda(Known.RealPath, {})))
        fail(Known.RealPath, Command.errors());
      return;
    }
    if (!MustScan && !Command->IsCuda &&
        (Kind == SourceKind::None || !reachesCuda(*Command, Known.RealPath)))
      return;
    add(std::move(*Command), Known.RealPath, std::move(Warnings));
  }

  void warnOfUncompiled() {
    std::vector<std::string> Uncompiled;
    for (const std::string &File : TreeFiles)
      if (sourceKind(File) == SourceKind::Cuda && !InDatabase.count(File) &&
          !Selected.names(File))
        Uncompiled.push_back(File);
    if (Uncompiled.empty())
      return;
    size_t More = Uncompiled.size() - 1;
    Found.Warnings.push_back(
        about(Uncompiled.front(), Severity::Warning,
              "not in " + Found.Database +
                  (More ? ", like " + std::to_string(More) + " more CUDA files"
                        : std::string()) +
                  ": not scanned",
              "to scan it all the same, give it by name"));
  }

  /// Files given by name: also those that no command compiles.
  void takeGivenFiles() {
    for (const std::string &File : Selected.Files)
      if (!InDatabase.count(File) && Keep.keeps(File, Found.Root))
        takeFile(File, /*LoneHeader=*/sourceKind(File) == SourceKind::Header);
  }

  void takeTreeFiles() {
    for (const std::string &File : TreeFiles) {
      SourceKind Kind = sourceKind(File);
      if (Selected.names(File) || Kind == SourceKind::Header)
        continue;
      // Most files of a tree have nothing to do with CUDA.
      if (isHost(Kind) && !mayReachCuda(File))
        continue;
      takeFile(File, false);
    }
  }

  void takeFile(const std::string &File, bool LoneHeader) {
    std::vector<Diagnostic> Warnings;
    Result<ClangCommand> Command =
        Found.Commands.invent(File, Found.Root, Warnings);
    if (!Command)
      return fail(File, Command.errors());
    add(std::move(*Command), File, std::move(Warnings), LoneHeader);
  }

  /// With the folders that a guess would search.
  bool mayReachCuda(const std::string &File) {
    std::vector<Diagnostic> Ignored;
    Result<ClangCommand> Command =
        Found.Commands.invent(File, Found.Root, Ignored);
    return Command && reachesCuda(*Command, File);
  }

  bool reachesCuda(const ClangCommand &Command, const std::string &Real) {
    return Found.Graph.reachesCuda(
        Real, searchFolders(Command.Arguments, Command.Directory));
  }

  void add(ClangCommand Command, const std::string &Real,
           std::vector<Diagnostic> Warnings, bool LoneHeader = false) {
    std::string Name = unitName(Real, Found.Root, Found.BuildRoot);
    Found.Units.push_back({std::move(Command), Real, Name, LoneHeader});
    for (Diagnostic &D : Warnings)
      Found.Warnings.push_back(std::move(D));
  }

  void fail(const std::string &Real, std::vector<Diagnostic> Errors) {
    for (Diagnostic &D : Errors)
      if (D.File.empty())
        D.File = Real;
    Found.Failures.push_back(
        {unitName(Real, Found.Root, Found.BuildRoot), std::move(Errors)});
  }

  /// One unit for each file and set of arguments, in an order that is that of
  /// no input.
  void order() {
    auto Key = [](const Unit &U) {
      return std::tie(U.Name, U.RealPath, U.Command.Arguments,
                      U.Command.Directory);
    };
    std::sort(Found.Units.begin(), Found.Units.end(),
              [&](const Unit &A, const Unit &B) { return Key(A) < Key(B); });
    auto Same = [](const Unit &A, const Unit &B) {
      return A.RealPath == B.RealPath &&
             A.Command.Arguments == B.Command.Arguments &&
             A.Command.Directory == B.Command.Directory;
    };
    Found.Units.erase(std::unique(Found.Units.begin(), Found.Units.end(), Same),
                      Found.Units.end());
    std::sort(Found.Failures.begin(), Found.Failures.end(),
              [](const UnitFailure &A, const UnitFailure &B) {
                return A.Name < B.Name;
              });
  }

  bool hasLoneHeader() {
    return std::any_of(
        Found.HeaderCandidates.begin(), Found.HeaderCandidates.end(),
        [&](const std::string &H) { return Found.Graph.hasCudaCode(H); });
  }

  Result<Discovery> nothingToScan() const {
    std::string Where;
    for (const std::string &Path : Options.Paths)
      Where += (Where.empty() ? "" : ", ") + Path;
    if (Where.empty())
      Where = Found.Database;
    std::string Hint =
        !Options.Include.empty() || !Options.Exclude.empty()
            ? "--include and --exclude are compared with paths below " +
                  Found.Root
        : Found.Commands.hasDatabase()
            ? Found.Database + " compiles no file there that includes "
                               "CUDA's headers"
            : "CUDA files are .cu files, and C and C++ files that include "
              "CUDA's headers; if a build system compiles them, name its "
              "folder with -p";
    return about(Where, Severity::Error, "nothing to scan: no CUDA file here",
                 Hint);
  }

  const DiscoverOptions &Options;
  Selection Selected;
  Filter Keep;
  std::vector<std::string> TreeFiles; ///< Below the given folders, filtered.
  std::set<std::string> InDatabase;   ///< Of those that are wanted.
  Discovery Found;
};

/// All that can be reached from a file by #includes, itself left out.
std::set<std::string> reachable(IncludeGraph &Graph, const std::string &File,
                                const SearchFolders &Folders) {
  std::set<std::string> Seen;
  std::vector<std::string> Stack{File};
  while (!Stack.empty()) {
    std::string Next = std::move(Stack.back());
    Stack.pop_back();
    for (std::string &Included : Graph.includedFiles(Next, Folders))
      if (Seen.insert(Included).second)
        Stack.push_back(std::move(Included));
  }
  Seen.erase(File);
  return Seen;
}

} // namespace

std::vector<Unit> takeLoneHeaders(Discovery &Found,
                                  const std::set<std::string> &Read) {
  std::vector<Unit> Units;
  std::erase_if(Found.HeaderCandidates, [&](const std::string &Header) {
    if (Read.count(Header) || !Found.Graph.hasCudaCode(Header))
      return true;
    std::vector<Diagnostic> Warnings;
    Result<ClangCommand> Command =
        Found.Commands.invent(Header, Found.Root, Warnings);
    std::string Name = unitName(Header, Found.Root, Found.BuildRoot);
    if (Command)
      Units.push_back({std::move(*Command), Header, Name, true});
    else
      Found.Failures.push_back({Name, Command.errors()});
    return !Command;
  });

  std::map<std::string, std::set<std::string>> Reached;
  for (const Unit &U : Units)
    Reached[U.RealPath] =
        reachable(Found.Graph, U.RealPath,
                  searchFolders(U.Command.Arguments, U.Command.Directory));
  // Of headers that include each other the first one is taken.
  auto IsIncluded = [&](const Unit &U) {
    return std::any_of(Reached.begin(), Reached.end(), [&](const auto &Other) {
      const auto &[Path, Includes] = Other;
      bool Circle = Reached[U.RealPath].count(Path);
      return Includes.count(U.RealPath) && !(Circle && U.RealPath < Path);
    });
  };
  std::erase_if(Units, IsIncluded);
  for (const Unit &U : Units)
    std::erase(Found.HeaderCandidates, U.RealPath);
  return Units;
}

Result<Discovery> discover(const DiscoverOptions &Options) {
  Result<Selection> Selected = select(Options);
  if (!Selected)
    return Selected.errors();
  std::vector<std::string> Starts = Selected->Folders;
  for (const std::string &File : Selected->Files)
    Starts.push_back(parentPath(File));
  Result<UnitCommands> Commands = UnitCommands::open(
      Options.Database, Options.Directory, Starts, Options.Translate);
  if (!Commands)
    return Commands.errors();
  if (Selected->empty() && !Commands->hasDatabase())
    return makeError("nothing to scan: no path is given",
                     "give a folder or files, as in 'kplan-scan src/ -o "
                     "plan.yaml'");
  return Discoverer(Options, std::move(*Selected), std::move(*Commands)).run();
}

} // namespace kplan::scan
