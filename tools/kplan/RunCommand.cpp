//===- RunCommand.cpp - kplan run -----------------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "EscapeReports.h"
#include "Launch.h"
#include "OutputFile.h"
#include "Recordings.h"
#include "Values.h"

#include "image/File.h"
#include "plan/CompiledPlan.h"
#include "plan/FileIO.h"
#include "plan/Merge.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"
#include "plan/Summary.h"
#include "plan/YamlTree.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kplan::tool {

namespace {

struct RunOptions {
  std::string Plan;
  bool Learn = false;
  bool Strict = false;
  std::optional<double> SealAfter;
  std::string OnEscape;
  std::string Escapes;
  std::string Report;
  std::string Record;
  std::vector<std::string> Words;

  /// Whether the user wants to hear of escapes.
  bool asksForEscapes() const {
    return Strict || SealAfter || !OnEscape.empty() || !Escapes.empty() ||
           !Report.empty();
  }
};

/// One run, from the checks to what is said at the end.
class Run {
public:
  explicit Run(const RunOptions &Options) : Options(Options) {}
  Status run();

private:
  std::vector<Diagnostic> prepare();
  std::vector<Diagnostic> readPlanToLearn();
  Command command() const;
  void readReports();
  bool writeReport(int Exit) const;
  bool anySealed() const;
  void sayEscapes(int Exit) const;
  std::string whyNotSealed() const;
  bool learn();

  const RunOptions &Options;
  std::string PlanPath; ///< Absolute, without links.
  std::string PlanFolder;
  std::optional<Plan> Known; ///< With --learn.
  std::optional<PrivateFolder> Left;
  std::vector<ProcessEscapes> Reports;
};

} // namespace

/// All that is wrong with it.
static std::vector<Diagnostic> checkPlan(const std::string &Path) {
  auto Bytes = readFile(Path, LargestPlan);
  if (!Bytes)
    return Bytes.errors();
  auto Read = readEitherPlan(*Bytes, Path);
  return Read ? std::vector<Diagnostic>() : Read.errors();
}

std::vector<Diagnostic> Run::readPlanToLearn() {
  auto Bytes = readFile(PlanPath, LargestPlan);
  if (!Bytes)
    return Bytes.errors();
  if (isCompiledPlan(*Bytes)) {
    Diagnostic D = makeError("is compiled: --learn adds to plans in YAML only",
                             "name the plan that it was compiled from");
    D.File = Options.Plan;
    return {D};
  }
  auto Read = readPlan(*Bytes, Options.Plan);
  if (!Read)
    return Read.errors();
  Known = std::move(*Read);
  if (auto Folder = folderOfPlan(PlanPath); !Folder)
    return Folder.errors();
  return {};
}

/// All that can be found out before anything happens.
std::vector<Diagnostic> Run::prepare() {
  if (auto Errors = checkPlan(Options.Plan); !Errors.empty())
    return Errors;
  char Real[PATH_MAX];
  if (!::realpath(Options.Plan.c_str(), Real))
    return {makeError(Options.Plan + " went away")};
  PlanPath = Real;
  // What the runtime would refuse once the program runs.
  struct stat Status;
  if (::stat(Real, &Status) != 0)
    return {makeError(Options.Plan + " went away")};
  if (auto Unsafe = image::checkOwner(Options.Plan, Status))
    return {*Unsafe};
  if (auto Unwritable = whyNotWritable(Options.Report, "report"))
    return {*Unwritable};
  if (auto Unwritable = whyNotWritable(Options.Record, "recording"))
    return {*Unwritable};
  PlanFolder = PlanPath.substr(0, std::max<size_t>(PlanPath.rfind('/'), 1));
  if (Options.Learn)
    if (auto Errors = readPlanToLearn(); !Errors.empty())
      return Errors;
  if (auto Program = findProgram(Options.Words.front()); !Program)
    return Program.errors();

  // Recordings go beside the plan, where images are kept as well.
  const char *Temporary = std::getenv("TMPDIR");
  auto Folder = PrivateFolder::create(Options.Learn ? PlanFolder
                                      : Temporary   ? Temporary
                                                    : "/tmp",
                                      "run");
  if (!Folder)
    return Folder.errors();
  Left.emplace(std::move(*Folder));
  return {};
}

Command Run::command() const {
  Command What;
  What.Words = Options.Words;
  auto Set = [&](const char *Name, std::optional<std::string> Value) {
    What.Environment.emplace_back(Name, std::move(Value));
  };
  auto Given = [](const std::string &Value) {
    return Value.empty() ? std::nullopt : std::optional(Value);
  };
  Set("KPLAN_PLAN", PlanPath);
  Set("KPLAN_SOCKET", "1");
  Set("KPLAN_REPORT", Left->path() + "/%p.json");
  Set("KPLAN_ON_ESCAPE", Given(Options.OnEscape));
  Set("KPLAN_ESCAPES", Given(Options.Escapes));
  Set("KPLAN_SEAL_AFTER",
      Options.SealAfter ? std::optional(std::to_string(*Options.SealAfter))
                        : std::nullopt);
  const bool Traces = Options.Learn || !Options.Record.empty();
  Set("KPLAN_TRACE", Traces ? std::optional(Left->path()) : std::nullopt);
  Set("KPLAN_TRACE_STORE",
      Options.Learn ? std::optional(PlanFolder) : std::nullopt);
  Set("KPLAN_TRACE_TIMES", Given(Options.Record.empty() ? "" : "1"));
  Set("KPLAN_TRACE_LIVE", std::nullopt);
  return What;
}

void Run::readReports() {
  for (const std::string &Path : Left->filesWith(".json")) {
    auto Json = readFile(Path, YamlLimits().MaxBytes);
    auto Report = Json ? readEscapeReport(std::move(*Json), Path)
                       : Result<ProcessEscapes>(Json.errors());
    if (Report)
      Reports.push_back(std::move(*Report));
    else
      printDiagnostics(Report.errors());
  }
}

bool Run::writeReport(int Exit) const {
  if (Options.Report.empty())
    return true;
  std::string Text = Options.Report.ends_with(".json")
                         ? reportAsJson(Reports, Options.Words, Exit)
                         : reportAsText(Reports);
  auto Error = writeFileAtomically(Options.Report, Text);
  if (Error)
    printDiagnostics({*Error});
  return !Error;
}

bool Run::anySealed() const {
  return std::ranges::any_of(Reports, &ProcessEscapes::WasSealed);
}

std::string Run::whyNotSealed() const {
  const char *Disable = std::getenv("KPLAN_DISABLE");
  if (Disable && *Disable && std::string_view(Disable) != "0")
    return "KPLAN_DISABLE is set, so nothing was primed or watched";
  if (Options.SealAfter)
    return "no process used CUDA up to its time to be sealed, or it left no "
           "report";
  return "seal with --seal-after, 'kplan seal PID', or kplan_seal()";
}

/// What the processes have not said themselves.
void Run::sayEscapes(int Exit) const {
  for (const ProcessEscapes &R : Reports) {
    bool Said = !Options.OnEscape.empty() && Options.OnEscape != "count";
    if (R.Total && !Said)
      std::fprintf(stderr, "kplan: %s", reportAsText({R}).c_str());
  }
  // Ended as was asked for: it has named its escape.
  if (Options.OnEscape == "abort" && Exit == 128 + SIGABRT)
    return;
  if (!anySealed() && Options.asksForEscapes())
    std::fprintf(stderr,
                 "kplan: no report of a sealed process, so no escape is known: "
                 "%s\n",
                 whyNotSealed().c_str());
}

/// False, and said why: the plan could not be written.
bool Run::learn() {
  size_t Processes = 0;
  auto Seen = planOf(*Left, PlanFolder, Processes);
  if (!Seen) {
    std::fputs("kplan: no CUDA call was seen: nothing is learned\n", stderr);
    return true;
  }
  // Those of one run: in a plan that is learned again and again they pile up.
  Seen->Stalls.clear();
  PlanSummary Before = summarise(*Known);
  std::string Old = writePlan(mergePlans({*Known}));
  Plan Merged = mergePlans({std::move(*Known), std::move(*Seen)});
  PlanSummary After = summarise(Merged);
  if (writePlan(Merged) == Old) {
    std::fprintf(stderr, "kplan: %s: nothing to learn\n", Options.Plan.c_str());
    return true;
  }
  if (auto Error = writePlanFile(Merged, PlanPath)) {
    printDiagnostics({*Error});
    return false;
  }
  std::fprintf(stderr, "kplan: %s: learned %zu kernels and %zu images: %s\n",
               Options.Plan.c_str(), After.Kernels - Before.Kernels,
               After.Images - Before.Images, formatSummary(After).c_str());
  return true;
}

Status Run::run() {
  if (auto Errors = prepare(); !Errors.empty()) {
    printDiagnostics(Errors);
    return Status::Usage;
  }
  auto Exit = tool::run(command());
  if (!Exit) {
    printDiagnostics(Exit.errors());
    return Status::Usage;
  }
  readReports();
  sayEscapes(*Exit);
  bool Written = writeReport(*Exit);
  if (auto Error = keepRecordings(*Left, Options.Record)) {
    printDiagnostics({*Error});
    Written = false;
  }
  if (Options.Learn)
    Written = learn() && Written;
  if (*Exit)
    return static_cast<Status>(*Exit);
  if (!Written)
    return Status::Usage;
  // A check that could not be made has not passed.
  const bool Clean =
      anySealed() && std::ranges::none_of(Reports, &ProcessEscapes::Total);
  return Options.Strict && !Clean ? Status::Findings : Status::Ok;
}

void addRunCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<RunOptions>();
  CLI::App *Command = App.add_subcommand(
      "run", "Run a program with a plan primed, and name escapes");
  Command->add_option("--plan", Options->Plan, "Plan to prime")
      ->required()
      ->type_name("FILE");
  Command
      ->add_option("--seal-after", Options->SealAfter,
                   "Seal each process so long after its first CUDA call that "
                   "has to do with code, memory or contexts, but not before "
                   "the plan is primed")
      ->check(numberBetween(0, 1e8))
      ->type_name("SECONDS");
  Command
      ->add_option("--on-escape", Options->OnEscape,
                   "Besides counting: name each as it happens, or end the "
                   "process")
      ->check(CLI::IsMember({"count", "warn", "abort"}));
  Command
      ->add_option("--escapes", Options->Escapes,
                   "Hook launches too, so that a late first launch is seen "
                   "with its time")
      ->check(CLI::IsMember({"all"}));
  Command
      ->add_option("--report", Options->Report,
                   "Write the escapes of all processes; JSON where the "
                   "name ends in .json")
      ->type_name("FILE");
  addRecordOption(*Command, Options->Record);
  Command->add_flag("--strict", Options->Strict,
                    "Exit status 1 where the program has ended with 0 and "
                    "something has escaped, or nothing was sealed");
  Command->add_flag("--learn", Options->Learn,
                    "Add to the plan what the program used and the plan lacks");
  Command->add_option("command", Options->Words, "Program and its arguments")
      ->required()
      ->type_name("COMMAND...");
  Command->footer(
      "Every process that the program starts is primed and watched as well. "
      "Exit status:\nthat of the program, 128 + N when signal N ended it; 2 "
      "when it could not be run.\n\n"
      "Examples:\n"
      "  kplan run --plan plan.yaml -- python serve.py\n"
      "  kplan run --plan plan.yaml --seal-after 30 --learn -- python "
      "serve.py");
  Command->callback([Options, &Exit] { Exit = Run(*Options).run(); });
}

} // namespace kplan::tool
