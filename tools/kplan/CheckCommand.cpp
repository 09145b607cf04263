//===- CheckCommand.cpp - kplan check -------------------------------------===//

#include "Commands.h"

#include "plan/FileIO.h"
#include "plan/PlanReader.h"
#include "plan/Summary.h"
#include "plan/Text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace kplan::tool {

namespace {

struct CheckOptions {
  std::vector<std::string> Paths;
  bool Json = false;
};

struct Checked {
  std::string Path;
  Status Outcome = Status::Ok;
  PlanSummary Summary; ///< Where all is well.
  std::vector<Diagnostic> Errors;
};

} // namespace

static Checked checkFile(const std::string &Path) {
  Checked Out;
  Out.Path = Path;
  auto Text = readFile(Path, YamlLimits().MaxBytes);
  if (!Text) {
    Out.Outcome = Status::Usage;
    Out.Errors = Text.errors();
    return Out;
  }
  auto P = readPlan(*Text, Path);
  if (!P) {
    Out.Outcome = Status::Findings;
    Out.Errors = P.errors();
    return Out;
  }
  Out.Summary = summarise(*P);
  return Out;
}

static void print(const Checked &C) {
  printDiagnostics(C.Errors);
  if (C.Outcome == Status::Ok)
    std::printf("%s: ok: %s\n", C.Path.c_str(),
                formatSummary(C.Summary).c_str());
}

static std::string summaryJson(const PlanSummary &S) {
  std::string Out = "{";
  auto Add = [&](const char *Name, size_t Count) {
    Out += (Out.size() > 1 ? ", \"" : "\"") + std::string(Name) +
           "\": " + std::to_string(Count);
  };
  Add("kernels", S.Kernels);
  Add("kernels_with_attributes", S.KernelsWithAttributes);
  Add("set_sites", S.SetSites);
  Add("launch_sites", S.LaunchSites);
  Add("query_sites", S.QuerySites);
  Add("device_launch_sites", S.DeviceLaunchSites);
  Add("images", S.Images);
  Add("globals", S.Globals);
  Add("modules", S.Modules);
  Add("unresolved", S.Unresolved);
  Add("conflicts", S.Conflicts);
  Add("templates", S.Templates);
  Add("stalls", S.Stalls);
  return Out + "}";
}

static std::string errorJson(const Diagnostic &D) {
  std::string Out = "{\"file\": " + jsonString(D.File);
  if (D.Line)
    Out += ", \"line\": " + std::to_string(D.Line);
  if (D.Column)
    Out += ", \"column\": " + std::to_string(D.Column);
  Out += ", \"message\": " + jsonString(D.Message);
  if (!D.Hint.empty())
    Out += ", \"hint\": " + jsonString(D.Hint);
  return Out + "}";
}

static void printJson(const std::vector<Checked> &All) {
  std::string Out = "[";
  for (const Checked &C : All) {
    Out += Out.size() > 1 ? ",\n " : "\n ";
    Out += "{\"file\": " + jsonString(C.Path) +
           ", \"ok\": " + (C.Outcome == Status::Ok ? "true" : "false") +
           ", \"errors\": [";
    for (const Diagnostic &D : C.Errors)
      Out += (&D == C.Errors.data() ? "\n  " : ",\n  ") + errorJson(D);
    Out += ']';
    if (C.Outcome == Status::Ok)
      Out += ", \"summary\": " + summaryJson(C.Summary);
    Out += '}';
  }
  std::printf("%s\n]\n", Out.c_str());
}

static Status runCheck(const CheckOptions &Options) {
  std::vector<Checked> All;
  Status Exit = Status::Ok;
  for (const std::string &Path : Options.Paths) {
    All.push_back(checkFile(Path));
    Exit = std::max(Exit, All.back().Outcome);
    if (!Options.Json)
      print(All.back());
  }
  if (Options.Json)
    printJson(All);
  return Exit;
}

void addCheckCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<CheckOptions>();
  CLI::App *Command = App.add_subcommand(
      "check", "Say whether files are plans, and what is wrong with them");
  Command->add_option("plan", Options->Paths, "Plans to check")
      ->required()
      ->type_name("PLAN");
  Command->add_flag("--json", Options->Json,
                    "Print the result as JSON on standard output");
  Command->footer("Prints every error with its file, line and column, or one "
                  "line with what the\nplan holds.\n\nExample:\n"
                  "  kplan check plan.yaml");
  Command->callback([Options, &Exit] { Exit = runCheck(*Options); });
}

} // namespace kplan::tool
