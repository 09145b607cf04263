//===- MergeCommand.cpp - kplan merge -------------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "Values.h"

#include "plan/Canonical.h"
#include "plan/FileIO.h"
#include "plan/Fragment.h"
#include "plan/Merge.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"
#include "plan/Resolve.h"
#include "plan/Summary.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kplan::tool {

namespace {

struct MergeOptions {
  std::vector<std::string> Paths;
  std::string Output;
  bool KeepFragments = false;
};

struct Inputs {
  PlanMerger Plans;
  std::vector<Fragment> Fragments;
};

} // namespace

/// Reads one file, of either kind. Says what is wrong with it.
static Status readInput(const std::string &Path, const MergeOptions &Options,
                        Inputs &All) {
  auto Text = readFile(Path, YamlLimits().MaxBytes);
  if (!Text) {
    printDiagnostics(Text.errors());
    return Status::Usage;
  }
  if (isFragmentFile(*Text)) {
    auto Fragments = readFragments(*Text, Path);
    if (!Fragments) {
      printDiagnostics(Fragments.errors());
      return Status::Findings;
    }
    std::move(Fragments->begin(), Fragments->end(),
              std::back_inserter(All.Fragments));
    return Status::Ok;
  }
  auto P = readYamlPlan(*Text, Path);
  if (!P) {
    printDiagnostics(P.errors());
    return Status::Findings;
  }
  if (Options.KeepFragments) {
    Diagnostic D = makeError("--fragments joins fragments, and this is a plan");
    D.File = Path;
    D.Hint = "leave --fragments out to join it with plans and fragments";
    printDiagnostics({D});
    return Status::Usage;
  }
  All.Plans.add(std::move(*P));
  return Status::Ok;
}

/// Terms that another version wrote may mean something else here.
static void warnOfOtherVersions(const std::vector<Fragment> &Fragments) {
  std::map<std::string, std::vector<std::string>> FilesOf;
  for (const Fragment &F : Fragments)
    if (F.Producer.Version != KPLAN_VERSION)
      FilesOf[F.Producer.Version].push_back(F.File);
  for (const auto &[Version, Files] : FilesOf) {
    Diagnostic D = makeError(
        "kplan " + Version + " made " +
            (Files.size() == 1
                 ? "the fragment of " + Files.front()
                 : std::to_string(Files.size()) + " fragments, that of " +
                       Files.front() + " among them") +
            "; this is kplan " KPLAN_VERSION,
        "scan again with this version: fragments are for one version only");
    D.Level = Severity::Warning;
    printDiagnostics({D});
  }
}

static Status write(const std::string &Text, const std::string &Path,
                    const std::string &Summary) {
  if (Path.empty()) {
    std::fputs(Text.c_str(), stdout);
    return Status::Ok;
  }
  if (auto Error = writeFileAtomically(Path, Text)) {
    printDiagnostics({*Error});
    return Status::Usage;
  }
  std::printf("%s: %s\n", Path.c_str(), Summary.c_str());
  return Status::Ok;
}

static Status runMerge(const MergeOptions &Options) {
  Inputs All;
  Status Exit = Status::Ok;
  for (const std::string &Path : Options.Paths)
    Exit = std::max(Exit, readInput(Path, Options, All));
  if (Exit != Status::Ok)
    return Exit; // nothing is written from a part of the inputs
  warnOfOtherVersions(All.Fragments);

  if (Options.KeepFragments) {
    sortUnique(All.Fragments);
    const std::string Count = std::to_string(All.Fragments.size());
    return write(writeFragments(std::move(All.Fragments)), Options.Output,
                 "fragments from " + Count + " TUs");
  }
  if (!All.Fragments.empty())
    All.Plans.add(resolveFragments(std::move(All.Fragments)));
  Plan Merged = All.Plans.take();
  const std::string Summary = formatSummary(summarise(Merged));
  return write(writePlan(std::move(Merged)), Options.Output, Summary);
}

void addMergeCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<MergeOptions>();
  CLI::App *Command = App.add_subcommand(
      "merge", "Join plans, and fragments of single TUs, into one");
  Command->add_option("file", Options->Paths, "Plans and fragments to join")
      ->required()
      ->type_name("FILE");
  Command
      ->add_option("-o,--output", Options->Output,
                   "File to write; without it the plan goes to standard "
                   "output")
      ->check(fileName())
      ->type_name("FILE");
  Command->add_flag("--fragments", Options->KeepFragments,
                    "Join fragments into one file of fragments, to be merged "
                    "with others later");
  Command->footer(
      "The order of the files does not matter. Where plans give an attribute\n"
      "different values, the largest max_dynamic_shared_size_bytes is taken; "
      "any other\nattribute is listed under 'conflicts' and not set.\n\n"
      "'kplan-scan --command' writes the fragment of one TU. The fragments of "
      "all TUs,\nmerged at once, give the plan that a scan of the folder "
      "gives: what one TU calls\nand another defines is found only where both "
      "are in the same merge.\n\n"
      "Examples:\n"
      "  kplan merge scanned.yaml traced.yaml -o plan.yaml\n"
      "  kplan merge a.frag.yaml b.frag.yaml -o plan.yaml\n"
      "  kplan merge --fragments a.frag.yaml b.frag.yaml -o lib.frag.yaml");
  Command->callback([Options, &Exit] { Exit = runMerge(*Options); });
}

} // namespace kplan::tool
