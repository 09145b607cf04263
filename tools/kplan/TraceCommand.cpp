//===- TraceCommand.cpp - kplan trace -------------------------------------===//

#include "Commands.h"
#include "Launch.h"
#include "OutputFile.h"
#include "Recordings.h"
#include "Values.h"

#include "plan/PlanWriter.h"
#include "plan/Summary.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

namespace kplan::tool {

namespace {

struct TraceOptions {
  std::string Output = "plan.yaml";
  std::string Record;
  bool Live = false;
  std::vector<std::string> Words;
};

} // namespace

static std::string nanosecondsNow() {
  timespec T;
  ::clock_gettime(CLOCK_MONOTONIC, &T);
  return std::to_string(static_cast<uint64_t>(T.tv_sec) * 1000000000 +
                        static_cast<uint64_t>(T.tv_nsec));
}

/// False, and said why: there is no plan.
static bool writeTracedPlan(const PrivateFolder &From,
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
  if (auto Unwritable = whyNotWritable(Options.Record, "recording"))
    return Refuse({*Unwritable});
  auto Recordings = PrivateFolder::create(*PlanFolder, "trace");
  if (!Recordings)
    return Refuse(Recordings.errors());

  Command What;
  What.Words = Options.Words;
  What.Environment = {{"KPLAN_TRACE", Recordings->path()},
                      {"KPLAN_TRACE_STORE", *PlanFolder},
                      {"KPLAN_TRACE_TIMES", std::nullopt},
                      {"KPLAN_TRACE_LIVE", std::nullopt}};
  if (!Options.Record.empty())
    What.Environment[2].second = "1";
  if (Options.Live)
    What.Environment.back().second = nanosecondsNow();
  auto Exit = run(What);
  if (!Exit)
    return Refuse(Exit.errors());
  bool Written = writeTracedPlan(*Recordings, *PlanFolder, Options.Output);
  if (auto Error = keepRecordings(*Recordings, Options.Record)) {
    printDiagnostics({*Error});
    Written = false;
  }
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
      ->check(fileName())
      ->type_name("FILE");
  addRecordOption(*Command, Options->Record);
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
      "  kplan trace -o plan.yaml -- python serve.py --warm-up\n"
      "  kplan trace -o plan.yaml --record before.rec -- ./app   for 'kplan "
      "report'");
  Command->callback([Options, &Exit] { Exit = runTrace(*Options); });
}

} // namespace kplan::tool
