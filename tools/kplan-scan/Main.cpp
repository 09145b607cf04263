//===- Main.cpp - kplan-scan ----------------------------------------------===//
//
// Part of kplan. Parses the command line, has lib/scan do the work, writes the
// outputs and says in one line what came of it. Exit codes: Options.cpp.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Progress.h"

#include "plan/Compare.h"
#include "plan/FileIO.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"
#include "plan/Sarif.h"
#include "plan/Summary.h"
#include "scan/Depfile.h"
#include "scan/Driver.h"
#include "scan/ExtraFlags.h"
#include "scan/Paths.h"
#include "scan/Signals.h"
#include "scan/Translate.h"
#include "scan/Worker.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace kplan;
using namespace kplan::scan;

namespace {

enum ExitCode { Done = 0, Findings = 1, Unusable = 2 };

/// Errors and warnings that are printed before the rest is only counted.
constexpr size_t MostDiagnostics = 50;
constexpr size_t MostOfFile = 20;

void say(const std::string &Text) { std::fputs(Text.c_str(), stderr); }

ExitCode unusable(const std::vector<Diagnostic> &Errors) {
  for (const Diagnostic &D : Errors)
    say((D.File.empty() ? "kplan-scan: " : "") + format(D));
  return Unusable;
}

/// A scan takes minutes: what would keep its result from being written is
/// found before.
std::optional<Diagnostic> cannotWrite(const std::string &Path) {
  if (Path.empty() || Path == "-")
    return std::nullopt;
  std::string Full = absolutePath(Path, currentFolder());
  std::string Folder = parentPath(Full);
  Diagnostic D;
  D.File = Path;
  if (access(Folder.c_str(), F_OK) != 0)
    D.Message = errno == ENOENT || errno == ENOTDIR
                    ? "the folder of this output file is not there"
                    : std::string("the folder of this output file cannot be "
                                  "reached: ") +
                          std::strerror(errno);
  else if (realPath(Full + "/."))
    D.Message = "this output file is a folder";
  else if (sourceKind(Full) != SourceKind::None &&
           access(Full.c_str(), F_OK) == 0)
    D.Message = "this output file is a source file; it would be lost";
  else if (access(Folder.c_str(), W_OK) != 0 && access(Full.c_str(), W_OK) != 0)
    D.Message = "the folder of this output file cannot be written to";
  else
    return std::nullopt;
  return D;
}

std::optional<Diagnostic> writeOutput(const std::string &Path,
                                      const std::string &Text) {
  SignalDelay Whole;
  if (!Path.empty() && Path != "-")
    return writeFileAtomically(Path, Text);
  if (std::fwrite(Text.data(), 1, Text.size(), stdout) == Text.size() &&
      std::fflush(stdout) == 0)
    return std::nullopt;
  return makeError("cannot write to standard output");
}

ExitCode writeSarifOutput(const ToolOptions &O, const ScanReport &Report) {
  if (!O.Sarif.empty())
    if (std::optional<Diagnostic> Error =
            writeOutput(O.Sarif, writeSarif(Report.Log.all(), "kplan-scan",
                                            KPLAN_VERSION, Report.Root)))
      return unusable({*Error});
  return Done;
}

ExitCode writeResult(const ToolOptions &O, const std::string &Text,
                     const ScanReport &Report) {
  if (std::optional<Diagnostic> Error = writeOutput(O.Output, Text))
    return unusable({*Error});
  if (!O.Depfile.empty())
    if (std::optional<Diagnostic> Error = writeOutput(
            O.Depfile, formatDepfile(O.Output, Report.Dependencies)))
      return unusable({*Error});
  return writeSarifOutput(O, Report);
}

std::string number(size_t Count, std::string_view Noun) {
  return std::to_string(Count) + " " + std::string(Noun) +
         (Count == 1 ? "" : "s");
}

std::string summaryLine(const ScanReport &Report, const Plan &Found) {
  std::string Line = "kplan-scan: " + number(Report.Units, "TU");
  std::string Inside;
  auto Add = [&Inside](const std::string &Text) {
    Inside += (Inside.empty() ? "" : ", ") + Text;
  };
  if (Report.Failed)
    Add(std::to_string(Report.Failed) + " failed");
  if (Report.LoneHeaders)
    Add(number(Report.LoneHeaders, "header") + " alone");
  if (Report.Cached)
    Add(std::to_string(Report.Cached) + " from the cache");
  if (!Inside.empty())
    Line += " (" + Inside + ")";
  Line += ", " + formatSummary(summarise(Found));
  for (size_t I = 0; I < Report.Guesses.size(); ++I)
    Line += (I == 0 ? "; guessed: " : ", ") + Report.Guesses[I];
  return Line + "\n";
}

ExitCode checkAgainst(const std::string &Path, const Plan &Before,
                      const Plan &Now) {
  std::vector<PlanDifference> Differences = comparePlans(Before, Now);
  for (const PlanDifference &D : Differences)
    std::printf("%s\n", formatDifference(D).c_str());
  if (Differences.empty())
    return Done;
  say("kplan-scan: " + number(Differences.size(), "difference") + " from " +
      Path + "\n");
  return Findings;
}

ExitCode printExplanation(const Explanation &E) {
  if (std::optional<Diagnostic> Error = writeOutput("-", E.Text))
    return unusable({*Error});
  return E.Known ? Done : Findings;
}

TranslateOptions translateOptions(const ToolOptions &O) {
  TranslateOptions Translate;
  if (!O.CudaPath.empty())
    Translate.CudaPath = joinedPath(O.CudaPath, currentFolder());
  Translate.Arch = O.Arch;
  if (!O.Command)
    Translate.ExtraArguments = anchorFlags(O.AfterDashes, currentFolder());
  return Translate;
}

DiscoverOptions discoverOptions(const ToolOptions &O) {
  DiscoverOptions Find;
  Find.Paths = O.Paths;
  Find.Directory = currentFolder();
  Find.Database = O.Database;
  Find.Root = O.Root;
  Find.Include = O.Include;
  Find.Exclude = O.Exclude;
  Find.Translate = translateOptions(O);
  return Find;
}

ScanOptions scanOptions(const ToolOptions &O) {
  ScanOptions Options;
  Options.Pool.Jobs = O.Jobs ? O.Jobs : defaultJobs();
  Options.Pool.TimeLimitSeconds = O.TimeLimitSeconds;
  Options.Shortcuts = !O.NoShortcuts;
  Options.Warnings = O.Warnings;
  Options.Explain = O.Explain;
  if (!O.Cache.empty())
    Options.CacheFolder = absolutePath(O.Cache, currentFolder());
  return Options;
}

ExitCode printCommand(const ToolOptions &O) {
  DiscoverOptions Find = discoverOptions(O);
  Find.Paths = {O.PrintCommand};
  Result<Discovery> Found = discover(Find);
  if (!Found)
    return unusable(Found.errors());
  DiagnosticLog Log;
  Log.add({}, Found->Warnings);
  for (const UnitFailure &Failure : Found->Failures)
    Log.add(Failure.Name, Failure.Errors);
  say(Log.format(MostDiagnostics, MostOfFile, currentFolder()));
  for (const Unit &U : Found->Units)
    std::printf("%s\n", printClangCommand(U.Command).c_str());
  return Found->Failures.empty() ? Done : Unusable;
}

ExitCode scanOneCommand(const ToolOptions &O) {
  CompileCommand Command;
  Command.Directory = currentFolder();
  Command.Arguments = O.AfterDashes;
  std::string Root =
      O.Root.empty() ? std::string() : absolutePath(O.Root, currentFolder());
  Result<CommandScan> Scan =
      scanCommand(Command, translateOptions(O), Root, scanOptions(O));
  if (!Scan)
    return unusable(Scan.errors());
  if (Scan->Report.EndedBySignal)
    endBySignal(Scan->Report.EndedBySignal);
  say(Scan->Report.Log.format(MostDiagnostics, MostOfFile, currentFolder()));
  if (!Scan->Found)
    return Findings;
  ExitCode Code = writeResult(O, writeFragments({*Scan->Found}), Scan->Report);
  if (Code == Done && O.Strict && Scan->Report.Failed)
    return Findings;
  return Code;
}

/// Sites that did parse are worth a plan, whatever failed beside them. An empty
/// plan of failures alone is not.
bool nothingParsed(const ScanReport &Report, const Plan &Found) {
  return Report.Failed == Report.Units && Found.Kernels.empty() &&
         Found.Globals.empty() && Found.Unresolved.empty() &&
         Found.Templates.empty();
}

ExitCode scanFolders(const ToolOptions &O) {
  Plan Before;
  if (!O.Check.empty()) {
    Result<Plan> Read = readPlanFile(O.Check);
    if (!Read)
      return unusable(Read.errors());
    Before = std::move(*Read);
  }
  Progress Shown;
  Result<FolderScan> Scan =
      scanPaths(discoverOptions(O), scanOptions(O), &Shown);
  Shown.clear();
  if (!Scan)
    return unusable(Scan.errors());
  const ScanReport &Report = Scan->Report;
  if (Report.EndedBySignal)
    endBySignal(Report.EndedBySignal);
  say(Report.Log.format(MostDiagnostics, MostOfFile, currentFolder()));

  if (nothingParsed(Report, Scan->Found)) {
    writeSarifOutput(O, Report);
    say(summaryLine(Report, Scan->Found));
    say("kplan-scan: error: no TU could be parsed, and nothing was found; "
        "no plan is written\n");
    return Unusable;
  }
  ExitCode Code = Done;
  const bool WantsPlan = O.Check.empty() && O.Explain.empty();
  if (WantsPlan || !O.Output.empty())
    Code = writeResult(O, writePlan(Scan->Found), Report);
  if (Code == Done && !O.Check.empty())
    Code = checkAgainst(O.Check, Before, Scan->Found);
  if (Code == Done && !O.Explain.empty())
    Code = printExplanation(Scan->Explained);
  if (Code == Done && O.Strict &&
      (Report.Failed || !Scan->Found.Unresolved.empty()))
    Code = Findings;
  say(summaryLine(Report, Scan->Found));
  return Code;
}

/// Descriptors 0 to 2 are open afterwards, so that nothing else gets their
/// numbers and is written to by mistake.
void openStandardStreams() {
  while (true) {
    int Descriptor = open("/dev/null", O_RDWR);
    if (Descriptor < 0 || Descriptor > STDERR_FILENO) {
      if (Descriptor >= 0)
        close(Descriptor);
      return;
    }
  }
}

} // namespace

int main(int Count, char **Words) {
  if (Count == 2 && std::string_view(Words[1]) == WorkerArgument)
    return runWorker();
  openStandardStreams();
  std::optional<ToolOptions> O = parseOptions(Count, Words);
  if (!O)
    return Unusable;
  for (const std::string *Path : {&O->Output, &O->Depfile, &O->Sarif})
    if (std::optional<Diagnostic> Error = cannotWrite(*Path))
      return unusable({*Error});
  if (O->Command)
    return scanOneCommand(*O);
  if (!O->PrintCommand.empty())
    return printCommand(*O);
  return scanFolders(*O);
}
