//===- MergeCommand.cpp - kplan merge -------------------------------------===//

#include "Commands.h"

#include "plan/FileIO.h"
#include "plan/Merge.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"
#include "plan/Summary.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kplan::tool {

namespace {

struct MergeOptions {
  std::vector<std::string> Paths;
  std::string Output;
};

} // namespace

static Status runMerge(const MergeOptions &Options) {
  std::vector<Plan> Plans;
  Status Exit = Status::Ok;
  for (const std::string &Path : Options.Paths) {
    auto Text = readFile(Path, YamlLimits().MaxBytes);
    if (!Text) {
      printDiagnostics(Text.errors());
      Exit = Status::Usage;
      continue;
    }
    auto P = readPlan(*Text, Path);
    if (P) {
      Plans.push_back(std::move(*P));
      continue;
    }
    printDiagnostics(P.errors());
    Exit = std::max(Exit, Status::Findings);
  }
  if (Exit != Status::Ok)
    return Exit; // nothing is written from a part of the inputs

  Plan Merged = mergePlans(std::move(Plans));
  if (Options.Output.empty()) {
    std::fputs(writePlan(std::move(Merged)).c_str(), stdout);
    return Status::Ok;
  }
  if (auto Error = writePlanFile(Merged, Options.Output)) {
    printDiagnostics({*Error});
    return Status::Usage;
  }
  std::printf("%s: %s\n", Options.Output.c_str(),
              formatSummary(summarise(Merged)).c_str());
  return Status::Ok;
}

void addMergeCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<MergeOptions>();
  CLI::App *Command = App.add_subcommand("merge", "Join plans into one");
  Command->add_option("plan", Options->Paths, "Plans to join")
      ->required()
      ->type_name("PLAN");
  Command
      ->add_option("-o,--output", Options->Output,
                   "File to write; without it the plan goes to standard "
                   "output")
      ->type_name("FILE");
  Command->footer(
      "The order of the plans does not matter. Where they give an attribute\n"
      "different values, the largest max_dynamic_shared_size_bytes is taken; "
      "any other\nattribute is listed under 'conflicts' and not set.\n\n"
      "Example:\n"
      "  kplan merge scanned.yaml traced.yaml -o plan.yaml");
  Command->callback([Options, &Exit] { Exit = runMerge(*Options); });
}

} // namespace kplan::tool
