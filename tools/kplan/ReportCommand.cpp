//===- ReportCommand.cpp - kplan report -----------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "Values.h"

#include "plan/Canonical.h"
#include "plan/FileIO.h"
#include "report/Figures.h"
#include "report/HtmlReport.h"
#include "report/PerfettoTrace.h"
#include "trace/Recording.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kplan::tool {

namespace {

struct ReportOptions {
  std::vector<std::string> Recordings;
  std::string Plan;
  std::string Output;
  std::string Perfetto;
  std::string Title;
  bool Json = false;

  /// A page is what is asked for where nothing else is.
  std::string page() const {
    return Output.empty() && Perfetto.empty() && !Json ? "report.html" : Output;
  }
};

} // namespace

static Result<report::Timeline> readTimeline(const std::string &Path) {
  auto Text = readFile(Path, trace::LargestRecording);
  if (!Text)
    return Text.errors();
  if (!trace::isRecording(*Text)) {
    Diagnostic D =
        makeError("is no recording", "'kplan trace --record FILE' and 'kplan "
                                     "run --record FILE' make them; a plan is "
                                     "given by --plan");
    D.File = Path;
    return D;
  }
  auto Processes = trace::parseRecordings(*Text, Path);
  if (!Processes)
    return Processes.errors();
  auto T = report::timelineOf(*Processes);
  if (T)
    return T;
  Diagnostic D = T.errors().front();
  D.File = Path;
  return D;
}

static Result<Plan> readPlanOf(const std::string &Path) {
  auto Bytes = readFile(Path, LargestPlan);
  if (!Bytes)
    return Bytes.errors();
  auto P = readEitherPlan(*Bytes, Path);
  if (P)
    canonicalise(*P);
  return P;
}

static std::string baseName(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

/// A recording says itself whether a plan was primed.
static std::vector<std::string>
labelsOf(const std::vector<report::Timeline> &Timelines,
         const std::vector<std::string> &Paths) {
  std::vector<std::string> Labels;
  Labels.reserve(Timelines.size());
  for (const report::Timeline &T : Timelines)
    Labels.emplace_back(report::figuresOf(T).Primings ? "With the plan"
                                                      : "Without the plan");
  if (Labels.size() == 2 && Labels[0] == Labels[1])
    for (size_t I = 0; I < 2; ++I)
      Labels[I] += ": " + baseName(Paths[I]);
  return Labels;
}

static std::optional<Diagnostic> writeOutputs(const ReportOptions &Options,
                                              const report::ReportInput &In) {
  if (std::string Path = Options.page(); !Path.empty())
    if (auto Error = writeFileAtomically(Path, report::htmlReport(In)))
      return Error;
  if (!Options.Perfetto.empty()) {
    std::vector<std::pair<std::string, const report::Timeline *>> Sides;
    Sides.reserve(In.Sides.size());
    for (const report::Side &S : In.Sides)
      Sides.emplace_back(In.Sides.size() > 1 ? S.Label : "", S.T);
    if (auto Error =
            writeFileAtomically(Options.Perfetto, report::perfettoTrace(Sides)))
      return Error;
  }
  if (Options.Json)
    std::fputs(report::jsonReport(In).c_str(), stdout);
  return std::nullopt;
}

/// "report.html: 6 stalls without the plan, 0 with the plan".
static void sayWhatIsIn(const ReportOptions &Options,
                        const report::ReportInput &In) {
  std::string Line =
      "kplan: " + (Options.page().empty() ? Options.Perfetto : Options.page());
  for (const report::Side &S : In.Sides) {
    const size_t Stalls = report::figuresOf(*S.T).Stalls;
    std::string Label = S.Label;
    Label[0] = 'w';
    Line += (&S == In.Sides.data() ? ": " : ", ") + std::to_string(Stalls) +
            (Stalls == 1 ? " stall " : " stalls ") + Label;
  }
  std::fprintf(stderr, "%s\n", Line.c_str());
}

static Status write(const ReportOptions &Options,
                    const report::ReportInput &In) {
  if (auto Error = writeOutputs(Options, In)) {
    printDiagnostics({*Error});
    return Status::Usage;
  }
  if (!Options.page().empty() || !Options.Perfetto.empty())
    sayWhatIsIn(Options, In);
  return Status::Ok;
}

static Status runReport(const ReportOptions &Options) {
  auto Refuse = [](const std::vector<Diagnostic> &Errors) {
    printDiagnostics(Errors);
    return Status::Usage;
  };
  if (Options.Recordings.empty() && Options.Plan.empty())
    return Refuse({makeError("nothing to report on",
                             "name a recording ('kplan trace --record'), two "
                             "to compare, or a plan by --plan")});
  if (Options.Recordings.empty() && !Options.Perfetto.empty())
    return Refuse({makeError("--perfetto needs a recording")});

  std::vector<report::Timeline> Timelines;
  for (const std::string &Path : Options.Recordings) {
    auto T = readTimeline(Path);
    if (!T)
      return Refuse(T.errors());
    Timelines.push_back(std::move(*T));
  }
  report::ReportInput In;
  In.Title = Options.Title;
  const auto Labels = labelsOf(Timelines, Options.Recordings);
  for (size_t I = 0; I < Timelines.size(); ++I)
    In.Sides.push_back(
        {Labels[I], baseName(Options.Recordings[I]), &Timelines[I]});
  if (Options.Plan.empty())
    return write(Options, In);
  auto Read = readPlanOf(Options.Plan);
  if (!Read)
    return Refuse(Read.errors());
  In.ThePlan = &*Read;
  In.PlanFile = baseName(Options.Plan);
  return write(Options, In);
}

void addReportCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<ReportOptions>();
  CLI::App *Command = App.add_subcommand(
      "report", "Show what a plan bought, as a page or Perfetto trace");
  Command
      ->add_option("recordings", Options->Recordings,
                   "What 'kplan trace --record' or 'kplan run --record' kept; "
                   "two are compared: without the plan, then with it")
      ->expected(0, 2)
      ->type_name("RECORDING...");
  Command
      ->add_option("--plan", Options->Plan,
                   "Also show what this plan holds; alone: its traced stalls")
      ->type_name("FILE");
  Command
      ->add_option("-o,--output", Options->Output,
                   "Page to write [report.html, where nothing else is asked "
                   "for]")
      ->check(fileName())
      ->type_name("FILE.html");
  Command
      ->add_option("--perfetto", Options->Perfetto,
                   "Write a trace for ui.perfetto.dev or chrome://tracing")
      ->type_name("FILE.json");
  Command
      ->add_option("--title", Options->Title,
                   "Title of the page, instead of the program's name")
      ->type_name("TEXT");
  Command->add_flag("--json", Options->Json,
                    "Print the figures and stalls as JSON");
  Command->footer(
      "The page needs no network and can be mailed. It shows what was "
      "recorded, "
      "and nothing\nelse.\n\n"
      "Example:\n"
      "  kplan trace -o plan.yaml --record before.rec -- ./app\n"
      "  kplan run --plan plan.yaml --record after.rec -- ./app\n"
      "  kplan report before.rec after.rec --plan plan.yaml -o report.html");
  Command->callback([Options, &Exit] { Exit = runReport(*Options); });
}

} // namespace kplan::tool
