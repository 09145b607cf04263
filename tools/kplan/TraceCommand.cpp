//===- TraceCommand.cpp - kplan trace -------------------------------------===//

#include "Commands.h"
#include "Launch.h"

#include "plan/FileIO.h"
#include "plan/Merge.h"
#include "plan/PlanWriter.h"
#include "plan/Summary.h"
#include "trace/Recording.h"
#include "trace/TracedPlan.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kplan::tool {

namespace {

struct TraceOptions {
  std::string Output = "plan.yaml";
  bool Live = false;
  std::vector<std::string> Words;
};

/// Where the processes of the command leave their recordings: a folder beside
/// the plan, for the user alone. Gone at the end.
class RecordingFolder {
public:
  static Result<RecordingFolder> create(const std::string &PlanFolder);
  ~RecordingFolder();
  RecordingFolder(RecordingFolder &&Other) noexcept
      : Path(std::exchange(Other.Path, "")) {}
  RecordingFolder &operator=(RecordingFolder &&) = delete;

  const std::string &path() const { return Path; }
  /// Sorted by name.
  std::vector<std::string> recordings() const;

private:
  explicit RecordingFolder(std::string Path) : Path(std::move(Path)) {}
  std::vector<std::string> files() const;

  std::string Path;
};

} // namespace

static Diagnostic fileError(const std::string &Path, const char *What,
                            int Error) {
  Diagnostic D = makeError(std::string(What) + ": " +
                           std::generic_category().message(Error));
  D.File = Path;
  return D;
}

Result<RecordingFolder> RecordingFolder::create(const std::string &PlanFolder) {
  std::string Path = PlanFolder + "/.kplan-trace-XXXXXX";
  if (!::mkdtemp(Path.data()))
    return fileError(PlanFolder, "cannot write beside the plan", errno);
  return RecordingFolder(std::move(Path));
}

RecordingFolder::~RecordingFolder() {
  if (Path.empty())
    return;
  for (const std::string &Name : files())
    ::unlink((Path + '/' + Name).c_str());
  ::rmdir(Path.c_str());
}

std::vector<std::string> RecordingFolder::files() const {
  std::vector<std::string> Names;
  std::unique_ptr<DIR, int (*)(DIR *)> Folder(::opendir(Path.c_str()),
                                              &::closedir);
  while (dirent *Entry = Folder ? ::readdir(Folder.get()) : nullptr)
    if (std::string Name = Entry->d_name; Name != "." && Name != "..")
      Names.push_back(std::move(Name));
  std::sort(Names.begin(), Names.end());
  return Names;
}

std::vector<std::string> RecordingFolder::recordings() const {
  std::vector<std::string> Paths;
  for (const std::string &Name : files())
    if (Name.ends_with(trace::RecordingSuffix))
      Paths.push_back(Path + '/' + Name);
  return Paths;
}

/// The folder that a plan is to be written into, without links: the traced
/// program may change its working folder.
static Result<std::string> folderOfPlan(const std::string &Plan) {
  struct stat Status;
  if (::stat(Plan.c_str(), &Status) == 0) {
    if (S_ISDIR(Status.st_mode))
      return fileError(Plan, "cannot be written", EISDIR);
    if (::access(Plan.c_str(), W_OK) != 0)
      return fileError(Plan, "cannot be written", errno);
  }
  size_t Slash = Plan.rfind('/');
  std::string Folder = Slash == Plan.npos ? "."
                       : Slash == 0       ? "/"
                                          : Plan.substr(0, Slash);
  char Real[PATH_MAX];
  if (!::realpath(Folder.c_str(), Real))
    return fileError(Folder, "cannot write the plan there", errno);
  return std::string(Real);
}

static std::string nanosecondsNow() {
  timespec T;
  ::clock_gettime(CLOCK_MONOTONIC, &T);
  return std::to_string(static_cast<uint64_t>(T.tv_sec) * 1000000000 +
                        static_cast<uint64_t>(T.tv_nsec));
}

/// One plan for all processes; none: no process used CUDA.
static std::optional<Plan> planOf(const RecordingFolder &From,
                                  const std::string &PlanFolder,
                                  size_t &Processes) {
  std::vector<Plan> Plans;
  std::vector<Diagnostic> Warnings;
  for (const std::string &Path : From.recordings()) {
    auto Events = trace::readRecording(Path);
    if (Events)
      Plans.push_back(trace::planOfProcess(*Events, PlanFolder, Warnings));
    else
      Warnings.insert(Warnings.end(), Events.errors().begin(),
                      Events.errors().end());
  }
  printDiagnostics(Warnings);
  Processes = Plans.size();
  if (Plans.empty())
    return std::nullopt;
  return mergePlans(std::move(Plans));
}

/// False, and said why: there is no plan.
static bool writeTracedPlan(const RecordingFolder &From,
                            const std::string &PlanFolder,
                            const std::string &Output) {
  size_t Processes = 0;
  auto Traced = planOf(From, PlanFolder, Processes);
  if (!Traced) {
    Diagnostic D = makeError(
        "no CUDA call was seen, so no plan is written",
        "programs that are linked statically, or run with another user's "
        "rights, cannot be traced; with KPLAN_DISABLE none is");
    D.Level = Severity::Warning;
    printDiagnostics({D});
    return true;
  }
  if (auto Error = writePlanFile(*Traced, Output)) {
    printDiagnostics({*Error});
    return false;
  }
  std::fprintf(stderr, "kplan: %s: %s, from %zu process%s\n", Output.c_str(),
               formatSummary(summarise(*Traced)).c_str(), Processes,
               Processes == 1 ? "" : "es");
  return true;
}

static Status runTrace(const TraceOptions &Options) {
  auto Refuse = [](const std::vector<Diagnostic> &Errors) {
    printDiagnostics(Errors);
    return Status::Usage;
  };
  if (auto Program = findProgram(Options.Words.front()); !Program)
    return Refuse(Program.errors());
  auto PlanFolder = folderOfPlan(Options.Output);
  if (!PlanFolder)
    return Refuse(PlanFolder.errors());
  auto Recordings = RecordingFolder::create(*PlanFolder);
  if (!Recordings)
    return Refuse(Recordings.errors());

  Command What;
  What.Words = Options.Words;
  What.Environment = {{"KPLAN_TRACE", Recordings->path()},
                      {"KPLAN_TRACE_STORE", *PlanFolder},
                      {"KPLAN_TRACE_LIVE", std::nullopt}};
  if (Options.Live)
    What.Environment.back().second = nanosecondsNow();
  auto Exit = run(What);
  if (!Exit)
    return Refuse(Exit.errors());
  bool Written = writeTracedPlan(*Recordings, *PlanFolder, Options.Output);
  return *Exit == 0 && !Written ? Status::Usage : static_cast<Status>(*Exit);
}

void addTraceCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<TraceOptions>();
  CLI::App *Command = App.add_subcommand(
      "trace", "Run a program and write a plan of what it used");
  Command
      ->add_option("-o,--output", Options->Output,
                   "Plan to write; images that lie in no file go to the folder "
                   "'images' beside it")
      ->capture_default_str()
      ->type_name("FILE");
  Command->add_flag("--live", Options->Live,
                    "Print each attribute that is set or asked for, as it "
                    "happens, on standard error");
  Command->add_option("command", Options->Words, "Program and its arguments")
      ->required()
      ->type_name("COMMAND...");
  Command->footer(
      "Every process that the program starts is traced as well. Exit status: "
      "that of\nthe program, 128 + N when signal N ended it; 2 when it could "
      "not be run.\n\n"
      "Example:\n"
      "  kplan trace -o plan.yaml -- python serve.py --warm-up");
  Command->callback([Options, &Exit] { Exit = runTrace(*Options); });
}

} // namespace kplan::tool
