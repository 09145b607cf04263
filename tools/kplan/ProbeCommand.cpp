//===- ProbeCommand.cpp - kplan probe -------------------------------------===//

#include "Commands.h"
#include "OutputFile.h"
#include "Table.h"
#include "Values.h"

#include "plan/FileIO.h"
#include "plan/Text.h"
#include "probe/Bench.h"
#include "probe/Probe.h"
#include "probe/Rows.h"
#include "probe/Worker.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kplan::tool {

using namespace probe;

namespace {

struct ProbeOptions {
  Setting How;
  std::vector<std::string> Rows;
  unsigned Repeat = 3;
  double TimeOutSeconds = 30;
  bool Quick = false;
  bool List = false;
  bool Json = false;
  std::string Output;
  std::string Against;
  bool Check = false;
  std::optional<int> Worker; ///< The code store's descriptor.
};

} // namespace

static std::vector<std::string_view> rowNames() {
  std::vector<std::string_view> Names;
  for (const Row &R : allRows())
    Names.emplace_back(R.Name);
  return Names;
}

/// A row's name, or a group's: all rows of it. Empty: there is none such.
static std::vector<std::string> rowsNamed(const std::string &Name) {
  std::vector<std::string> Out;
  for (std::string_view Row : rowNames())
    if (Row == Name || Row.starts_with(Name + "."))
      Out.emplace_back(Row);
  return Out;
}

static Result<std::vector<std::string>>
chosenRows(const ProbeOptions &Options) {
  std::vector<std::string> Out;
  for (const std::string &Name : Options.Rows) {
    std::vector<std::string> Rows = rowsNamed(Name);
    if (Rows.empty()) {
      const std::string_view Near = nearest(Name, rowNames());
      return makeError("there is no row " + quoteForMessage(Name),
                       Near.empty() ? "'kplan probe --list' names them"
                                    : "did you mean " + std::string(Near) +
                                          "? 'kplan probe --list' names all");
    }
    Out.insert(Out.end(), Rows.begin(), Rows.end());
  }
  if (!Options.Rows.empty())
    return Out;
  for (const Row &R : allRows())
    if (R.Quick || !Options.Quick)
      Out.emplace_back(R.Name);
  return Out;
}

static void printList() {
  Table T({"ROW", "QUICK", "WHAT"});
  for (const Row &R : allRows())
    T.addRow({R.Name, R.Quick ? "yes" : "", R.Remark});
  std::fputs(T.text().c_str(), stdout);
}

static std::string describeMachine(const Report &R) {
  std::string Text =
      R.On.Gpu + ", " + std::to_string(R.On.Sms) + " SMs, " + R.On.Arch +
      ", driver " + (R.On.Driver.empty() ? "of unknown version" : R.On.Driver) +
      " (CUDA " + R.On.Cuda + ")\n";
  if (R.On.Simulated)
    Text += "simulated: this is no GPU, and proves nothing about one\n";
  char Line[512];
  std::snprintf(
      Line, sizeof Line,
      "Beside each call a kernel runs for %g ms on %u SMs, in %s.\n"
      "host stall: the call returned only when that kernel had ended, so after "
      "%g of its time or more.\n"
      "device stall: it returned before, but its work was done only then.\n\n",
      R.Beside.KernelMs, R.Beside.Sms,
      R.Beside.Green ? "another green context"
                     : "another stream of the same context (no green contexts)",
      StallFraction);
  return Text + Line;
}

static std::string number(double Value) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.3f", Value);
  return Text;
}

static std::string describeVerdict(const Measurement &M) {
  return M.Agree == M.Runs ? M.Verdict
                           : M.Verdict + " (" + std::to_string(M.Agree) +
                                 " of " + std::to_string(M.Runs) + ")";
}

/// As a table whose lines come one by one: a whole run takes minutes.
static void printRow(const std::string &Name, const std::string &Host,
                     const std::string &Done, const std::string &Verdict,
                     const std::string &Note) {
  std::string Line(256 + Note.size(), '\0');
  const int Length = std::snprintf(
      Line.data(), Line.size(), "%-44s %10s %10s  %-22s %s", Name.c_str(),
      Host.c_str(), Done.c_str(), Verdict.c_str(), Note.c_str());
  Line.resize(static_cast<size_t>(Length));
  Line.erase(Line.find_last_not_of(' ') + 1);
  std::printf("%s\n", Line.c_str());
  std::fflush(stdout);
}

static std::string remarkOf(const Measurement &M) {
  const Row *R = findRow(M.Row);
  std::string Text = R ? R->Remark : "";
  if (!M.Note.empty())
    Text += (Text.empty() ? "" : "; ") + M.Note;
  return Text;
}

static void printMeasurement(const Measurement &M) {
  const bool Times = M.measured();
  printRow(M.Row, Times ? number(M.HostMs) : "", Times ? number(M.DoneMs) : "",
           describeVerdict(M), remarkOf(M));
}

static void printSummary(const Report &R) {
  size_t Host = 0, Device = 0, Ok = 0, None = 0;
  for (const Measurement &M : R.Rows)
    ++(M.Verdict == "host stall"     ? Host
       : M.Verdict == "device stall" ? Device
       : M.Verdict == "ok"           ? Ok
                                     : None);
  std::printf("\n%zu rows: %zu host stalls, %zu device stalls, %zu ok, %zu not "
              "measured%s\n",
              R.Rows.size(), Host, Device, Ok, None,
              R.On.Simulated ? " (simulated)" : "");
}

/// \returns how many rows differ.
static size_t printDifferences(const Report &Here, const Report &There,
                               const std::string &Path, FILE *To) {
  const std::vector<Difference> Found = compare(Here, There);
  for (const Difference &D : Found)
    std::fprintf(To, "differs: %s: %s here, %s in %s\n", D.Row.c_str(),
                 D.Here.c_str(), D.There.c_str(), Path.c_str());
  std::fprintf(To, "%zu rows differ from %s (%s, driver %s%s)\n", Found.size(),
               Path.c_str(), There.On.Gpu.c_str(),
               There.On.Driver.empty() ? "unknown" : There.On.Driver.c_str(),
               There.On.Simulated ? ", simulated" : "");
  return Found.size();
}

static Status report(const Diagnostic &Error, Status Exit) {
  printDiagnostics({Error});
  return Exit;
}

static Status runProbe(ProbeOptions Options) {
  if (Options.Quick) {
    Options.Repeat = std::min(Options.Repeat, 1U);
    Options.How.HoldMs = std::min(Options.How.HoldMs, 60.0);
  }
  Request What;
  auto Rows = chosenRows(Options);
  if (!Rows)
    return report(Rows.errors().front(), Status::Usage);
  if (auto Unwritable = whyNotWritable(Options.Output, "result"))
    return report(*Unwritable, Status::Usage);
  std::optional<Report> Reference;
  if (!Options.Against.empty()) {
    constexpr size_t LargestReference = size_t(1) << 20;
    auto Bytes = readFile(Options.Against, LargestReference);
    if (!Bytes)
      return report(Bytes.errors().front(), Status::Usage);
    auto Read = readReport(*Bytes, Options.Against);
    if (!Read)
      return report(Read.errors().front(), Status::Usage);
    Reference = std::move(*Read);
  }
  What.How = Options.How;
  What.Repeat = Options.Repeat;
  What.TimeOutSeconds = Options.TimeOutSeconds;
  What.Rows = std::move(*Rows);
  if (!Options.Json) {
    What.Begins = [](const Report &R) {
      std::fputs(describeMachine(R).c_str(), stdout);
      printRow("CALL", "HOST MS", "DONE MS", "VERDICT", "");
    };
    What.Measured = printMeasurement;
  }
  auto Result = probe::run(What);
  if (!Result)
    return report(Result.errors().front(), Status::Usage);
  if (Options.Json)
    std::fputs(reportJson(*Result).c_str(), stdout);
  else
    printSummary(*Result);
  if (!Options.Output.empty())
    if (auto Error = writeFileAtomically(Options.Output, reportJson(*Result)))
      return report(*Error, Status::Usage);
  size_t Differ = 0;
  if (Reference)
    Differ = printDifferences(*Result, *Reference, Options.Against,
                              Options.Json ? stderr : stdout);
  return Options.Check && Differ ? Status::Findings : Status::Ok;
}

[[noreturn]] static void work(const ProbeOptions &Options) {
  if (Options.Rows.empty())
    prepareInWorker(Options.How, *Options.Worker);
  measureInWorker(Options.Rows.front(), Options.How, *Options.Worker);
}

void addProbeCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<ProbeOptions>();
  CLI::App *Command = App.add_subcommand(
      "probe", "Measure on this GPU which first uses wait for others\n"
               "Each row is a driver call made beside a kernel that runs on "
               "the other part of the GPU, in a fresh process each time.");
  Command
      ->add_option("--row", Options->Rows,
                   "Only this row, or this group of rows (touch, resident, "
                   "...); may be given several times")
      ->type_name("NAME");
  Command->add_flag("--list", Options->List, "Name the rows, and exit");
  Command->add_flag("--quick", Options->Quick,
                    "The most important rows, once, beside a kernel of 60 ms: "
                    "under 10 s");
  Command->add_option("--device", Options->How.Device, "Which GPU (default 0)")
      ->check(wholeNumber(0, "device"))
      ->type_name("N");
  Command
      ->add_option("--repeat", Options->Repeat,
                   "Fresh processes a row (default 3)")
      ->check(numberBetween(1, 1000))
      ->type_name("N");
  Command
      ->add_option("--hold-ms", Options->How.HoldMs,
                   "How long the neighbour's kernel runs (default 150)")
      ->check(numberBetween(1, 600000))
      ->type_name("MS");
  Command
      ->add_option("--timeout", Options->TimeOutSeconds,
                   "Give up on a row's process after so long (default 30)")
      ->check(numberBetween(0.1, 86400))
      ->type_name("SECONDS");
  Command->add_flag("--two-streams", Options->How.TwoStreams,
                    "Two streams of one context in place of green contexts");
  Command
      ->add_option("--cudadevrt", Options->How.CudaDeviceRuntime,
                   "libcudadevrt.a of a CUDA toolkit, for the rows of dynamic "
                   "parallelism")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  Command->add_flag("--json", Options->Json,
                    "Print the result as JSON: a reference for --against");
  Command
      ->add_option("-o,--output", Options->Output,
                   "Write the result as JSON to a file, too")
      ->check(fileName())
      ->type_name("FILE");
  Command
      ->add_option("--against", Options->Against,
                   "Say which rows differ from an earlier result")
      ->type_name("FILE.json");
  Command->add_flag("--check", Options->Check,
                    "With --against: exit status 1 where rows differ");
  Command->add_option("--worker", Options->Worker)->group("");
  Command->footer(
      "Needs a GPU and its driver, but no CUDA toolkit.\n\nExamples:\n"
      "  kplan probe --quick\n"
      "  kplan probe -o here.json\n"
      "  kplan probe --row touch --row graph.launch --repeat 5\n"
      "  kplan probe --against here.json --check");
  Command->callback([Options, &Exit] {
    if (Options->Worker)
      work(*Options);
    if (Options->List)
      return printList();
    if (Options->Check && Options->Against.empty()) {
      Exit =
          report(makeError("--check needs --against FILE.json"), Status::Usage);
      return;
    }
    Exit = runProbe(*Options);
  });
}

} // namespace kplan::tool
