//===- Driver.cpp - A whole scan, from paths to a plan --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Driver.h"

#include "plan/Canonical.h"
#include "plan/Resolve.h"
#include "scan/Paths.h"
#include "scan/ResultCache.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace kplan::scan {

namespace {

bool isMissingInclude(const Diagnostic &D) {
  return D.Level == Severity::Error && D.Message.ends_with("file not found");
}

/// A missing header is by far the commonest error of a scan, and has a remedy.
/// Most other errors of its TU follow from it: they would hide it.
void explainMissingIncludes(std::vector<Diagnostic> &Diagnostics,
                            bool HasDatabase) {
  if (std::none_of(Diagnostics.begin(), Diagnostics.end(), isMissingInclude))
    return;
  size_t Dropped = std::erase_if(Diagnostics, [](const Diagnostic &D) {
    return D.Level == Severity::Error && !isMissingInclude(D);
  });
  for (Diagnostic &D : Diagnostics)
    if (isMissingInclude(D))
      D.Hint = HasDatabase
                   ? "if the build generates it, build first; a folder is "
                     "added by '-- -I<folder>'"
                   : "name its folder by '-- -I<folder>', or the build folder "
                     "with its compile_commands.json by '-p <folder>'";
  if (!Dropped)
    return;
  Diagnostic More;
  More.Level = Severity::Note;
  More.Message =
      "errors that may follow from this, not shown: " + std::to_string(Dropped);
  Diagnostics.push_back(std::move(More));
}

std::vector<Diagnostic> describeDeath(const Unit &U,
                                      const UnitOutcome &Outcome) {
  Diagnostic D = makeError("the scan of this TU " + Outcome.Failure +
                               ", and again when it was tried once more",
                           "nothing of this TU is in the plan");
  D.File = U.Command.File;
  if (!Outcome.LastWords.empty())
    D.Hint = "clang was at: " + Outcome.LastWords + "; " + D.Hint;
  return {D};
}

/// Scans units as they become known, and keeps what came of them in the order
/// of the units, whatever the order in which they ended.
class UnitScanner {
public:
  UnitScanner(UnitOptions Unit, const ScanOptions &Options, bool HasDatabase,
              ScanObserver *Observer)
      : Options(std::move(Unit)), Pool(Options.Pool),
        Cache(Options.CacheFolder), Warnings(Options.Warnings),
        HasDatabase(HasDatabase), Observer(Observer) {
    Report.Root = this->Options.Root;
  }

  void scan(const std::vector<Unit> &Units) {
    size_t Total = Report.Units + Units.size();
    std::vector<UnitOutcome> Outcomes(Units.size());
    auto Finished = [&](size_t Index, UnitOutcome Outcome) {
      Outcomes[Index] = std::move(Outcome);
      ++Done;
      if (Observer)
        Observer->progress(Done, Total, Units[Index].Name);
    };
    std::vector<UnitRequest> Requests;
    std::vector<size_t> Asked; // The unit that a request is for.
    for (size_t I = 0; I < Units.size(); ++I) {
      UnitRequest Request{Units[I].Command, Options};
      if (auto Known = Cache.find(Request)) {
        ++Report.Cached;
        Finished(I, {std::move(Known), {}, {}});
      } else {
        Requests.push_back(std::move(Request));
        Asked.push_back(I);
      }
    }
    Report.EndedBySignal =
        runWorkers(Requests, Pool, [&](size_t Index, UnitOutcome Outcome) {
          if (Outcome.Result)
            Cache.keep(Requests[Index], *Outcome.Result);
          Finished(Asked[Index], std::move(Outcome));
        });
    if (Report.EndedBySignal)
      return;
    Report.Units = Total;
    for (size_t I = 0; I < Units.size(); ++I)
      take(Units[I], std::move(Outcomes[I]));
  }

  /// To be called once, at the end.
  void closeCache() {
    if (Cache.problem())
      Report.Log.add({}, {*Cache.problem()});
    Cache.removeOld();
  }

  /// Adds to the report what the user wants to see.
  void log(const std::string &Unit, std::vector<Diagnostic> Diagnostics) {
    std::erase_if(Diagnostics,
                  [this](const Diagnostic &D) { return !Warnings.shows(D); });
    for (Diagnostic &D : Diagnostics)
      D.File = openable(D.File);
    Report.Log.add(Unit, Diagnostics);
  }

  std::vector<Fragment> Fragments;
  ScanReport Report;
  std::set<std::string> Read; ///< Real paths of all files that were read.

private:
  void take(const Unit &U, UnitOutcome Outcome) {
    Report.LoneHeaders += U.LoneHeader;
    Guesses.insert(U.Command.Guesses.begin(), U.Command.Guesses.end());
    Report.Guesses.assign(Guesses.begin(), Guesses.end());
    noteRead(U.RealPath);
    if (!Outcome.Result) {
      ++Report.Failed;
      Report.Log.add(U.Name, describeDeath(U, Outcome));
      return;
    }
    UnitResult &Result = *Outcome.Result;
    Report.Failed += Result.Failed;
    explainMissingIncludes(Result.Diagnostics, HasDatabase);
    log(U.Name, std::move(Result.Diagnostics));
    for (const std::string &File : Result.Dependencies)
      noteRead(File);
    Fragments.push_back(std::move(Result.Found));
  }

  /// A plan's spelling of a file as a path that an editor can open.
  std::string openable(const std::string &File) const {
    std::string Full = Options.Root + "/" + File;
    bool IsBelowRoot = !File.empty() && File.front() != '/' && realPath(Full);
    return IsBelowRoot ? Full : File;
  }

  void noteRead(const std::string &File) {
    auto [It, New] = Real.try_emplace(File);
    if (New)
      It->second = weakRealPath(File);
    Read.insert(It->second);
  }

  UnitOptions Options;
  PoolOptions Pool;
  ResultCache Cache;
  WarningChoice Warnings;
  bool HasDatabase;
  ScanObserver *Observer;
  size_t Done = 0;
  std::set<std::string> Guesses;
  std::map<std::string, std::string> Real;
};

} // namespace

Result<FolderScan> scanPaths(const DiscoverOptions &Find,
                             const ScanOptions &Options,
                             ScanObserver *Observer) {
  Result<Discovery> Found = discover(Find);
  if (!Found)
    return Found.errors();
  UnitScanner Scanner({Found->Root, Found->BuildRoot, Options.Shortcuts,
                       /*AllKernels=*/!Options.Explain.empty()},
                      Options, !Found->Database.empty(), Observer);
  ScanReport &Report = Scanner.Report;
  Scanner.log({}, Found->Warnings);

  Scanner.scan(Found->Units);
  while (!Report.EndedBySignal) {
    std::vector<Unit> Headers = takeLoneHeaders(*Found, Scanner.Read);
    if (Headers.empty())
      break;
    Scanner.scan(Headers);
  }
  Scanner.closeCache();
  FolderScan Scan;
  if (!Report.EndedBySignal) {
    Scan.Found = Options.Explain.empty()
                     ? resolveFragments(std::move(Scanner.Fragments))
                     : resolveFragments(Scanner.Fragments);
    if (!Options.Explain.empty())
      Scan.Explained = explainKernel(Options.Explain,
                                     std::move(Scanner.Fragments), Scan.Found);
    Scanner.log({}, findProblems(Scan.Found));
  }
  for (const UnitFailure &Failure : Found->Failures) {
    ++Report.Units;
    ++Report.Failed;
    Report.Log.add(Failure.Name, Failure.Errors);
  }
  if (!Found->Database.empty())
    Scanner.Read.insert(Found->Database);
  Report.Dependencies.assign(Scanner.Read.begin(), Scanner.Read.end());
  Scan.Report = std::move(Report);
  return Scan;
}

Result<CommandScan> scanCommand(const CompileCommand &Command,
                                const TranslateOptions &Translate,
                                const std::string &Root,
                                const ScanOptions &Options) {
  std::vector<Diagnostic> Warnings;
  Result<ClangCommand> Clang = translateCommand(Command, Translate, Warnings);
  if (!Clang)
    return Clang.errors();
  std::optional<std::string> Real = realPath(Clang->File);
  if (!Real) {
    Diagnostic D = makeError("no such file");
    D.File = Clang->File;
    return D;
  }
  std::string RealRoot = weakRealPath(Root.empty() ? Command.Directory : Root);
  Unit U{std::move(*Clang), *Real, spellPath(*Real, {RealRoot, {}, {}}, *Real),
         false};
  UnitScanner Scanner({RealRoot, {}, Options.Shortcuts, false}, Options,
                      /*HasDatabase=*/true, nullptr);
  Scanner.log(U.Name, std::move(Warnings));
  Scanner.scan({U});
  Scanner.closeCache();
  CommandScan Scan;
  if (!Scanner.Fragments.empty())
    Scan.Found = std::move(Scanner.Fragments.front());
  Scanner.Report.Dependencies.assign(Scanner.Read.begin(), Scanner.Read.end());
  Scan.Report = std::move(Scanner.Report);
  return Scan;
}

} // namespace kplan::scan
