//===- main.cpp - kplan's command line ------------------------------------===//
//
// Parses and dispatches; each command stands in its own file.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "plan/Plan.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>

using namespace kplan::tool;

static const char *const Description =
    "kplan: know before a CUDA program runs which device code and kernel "
    "attributes it\nwill need, so that no first use stalls it.\n\n"
    "A plan is a YAML file. 'kplan-scan' writes one from source; the commands "
    "here work\non plans and need neither LLVM nor a GPU.";

static const char *const Examples =
    "Examples:\n"
    "  kplan check plan.yaml                  is it a plan? all that is wrong "
    "with it\n"
    "  kplan show plan.yaml                   what is in it, for people\n"
    "  kplan show --json plan.yaml            ... and for programs\n"
    "  kplan merge a.yaml b.yaml -o all.yaml  several plans to one\n"
    "  kplan compile plan.yaml -o compiled    what a program runs with\n"
    "  kplan trace -o plan.yaml -- ./app      what a run used, as a plan\n"
    "  kplan run --plan plan.yaml -- ./app    primed, escapes counted\n"
    "  kplan report before.rec after.rec      what the plan bought, as a "
    "page\n\n"
    "'kplan COMMAND --help' tells more. Exit status: 0 ok, 1 something is "
    "wrong "
    "with a\nplan, 2 wrong usage, or a file that cannot be read or written.";

static std::string versionText() {
  return "kplan " KPLAN_VERSION " (plan schema " +
         std::to_string(kplan::SchemaVersion) + '.' +
         std::to_string(kplan::SchemaMinor) +
         ", yaml-cpp " KPLAN_YAMLCPP_VERSION ")";
}

static int run(int Argc, char **Argv) {
  CLI::App App(Description, "kplan");
  App.footer(Examples);
  App.set_version_flag("--version", versionText(),
                       "Print versions of kplan, the plan's schema and "
                       "yaml-cpp, and exit");
  App.require_subcommand(1);
  Status Exit = Status::Ok;
  addCheckCommand(App, Exit);
  addShowCommand(App, Exit);
  addTraceCommand(App, Exit);
  addMergeCommand(App, Exit);
  addCompileCommand(App, Exit);
  addRunCommand(App, Exit);
  addSealCommand(App, Exit);
  addReportCommand(App, Exit);
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::ParseError &E) {
    // 0 for --help and --version; CLI11's other numbers mean nothing to users.
    return App.exit(E) == 0 ? 0 : static_cast<int>(Status::Usage);
  }
  // What was printed may have gone nowhere.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    printDiagnostics({kplan::makeError("cannot write to standard output")});
    return static_cast<int>(Status::Usage);
  }
  return static_cast<int>(Exit);
}

int main(int Argc, char **Argv) {
  try {
    return run(Argc, Argv);
  } catch (const std::exception &E) {
    // Out of memory; nothing else throws.
    std::fprintf(stderr, "error: %s\n", E.what());
    return static_cast<int>(Status::Usage);
  }
}

void kplan::tool::printDiagnostics(const std::vector<Diagnostic> &Diagnostics) {
  for (const Diagnostic &D : Diagnostics)
    std::fputs(format(D).c_str(), stderr);
}
