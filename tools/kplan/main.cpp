//===- main.cpp - kplan's command line ------------------------------------===//
//
// Parses and dispatches; each command stands in its own file.
//
//===----------------------------------------------------------------------===//

#include "CommandModel.h"
#include "Commands.h"

#include "plan/Plan.h"
#include "plan/Text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace kplan::tool;

static const char *const Description =
    "Find out which device code a CUDA program needs, and have it in place "
    "first\n"
    "The first use of a kernel loads its code. On a GPU that is shared between "
    "streams that first use waits for whatever runs on the others. A plan is a "
    "file that says what a program will use; primed with it, nothing is used "
    "for the first time while others work.\n"
    "\n"
    "Start here:\n"
    "  kplan trace -o plan.yaml -- ./app      what does it use? written as a "
    "plan\n"
    "  kplan run --plan plan.yaml -- ./app    the same, with all of that in "
    "place\n"
    "\n"
    "kplan-scan writes a plan from source, without a GPU and without a run.";

static const char *const Notes =
    "Examples:\n"
    "  kplan check plan.yaml                  is it a plan? all that is wrong "
    "with it\n"
    "  kplan show plan.yaml                   what is in it; --json for "
    "programs\n"
    "  kplan merge a.yaml b.yaml -o all.yaml  several plans to one\n"
    "  kplan compile plan.yaml -o compiled    code linked ahead\n"
    "  kplan report before.rec after.rec      what the plan bought, as a "
    "page\n"
    "\n"
    "'kplan COMMAND --help' tells more. Exit status: 0 ok, 1 something is "
    "wrong "
    "with a plan, 2 wrong usage, or a file that cannot be read or written.";

/// In the order in which help lists them.
static void addCommands(CLI::App &App, Status &Exit) {
  auto Add = [&](const char *Group, auto... AddEach) {
    const size_t Before = App.get_subcommands({}).size();
    (AddEach(App, Exit), ...);
    const std::vector<CLI::App *> All = App.get_subcommands({});
    for (size_t I = Before; I < All.size(); ++I)
      All[I]->group(Group);
  };
  Add("Make a plan", addTraceCommand, addMergeCommand);
  Add("Run with it", addRunCommand, addSealCommand, addCompileCommand);
  Add("Look at what there is", addShowCommand, addCheckCommand,
      addReportCommand, addProbeCommand);
}

static std::string versionText() {
  return "kplan " KPLAN_VERSION " (plan schema " +
         std::to_string(kplan::SchemaVersion) + '.' +
         std::to_string(kplan::SchemaMinor) +
         ", yaml-cpp " KPLAN_YAMLCPP_VERSION ")";
}

/// Completions and the manual page, for whoever builds and packs kplan.
static void addGenerateOption(CLI::App &App) {
  App.add_option_function<std::string>(
         "--generate",
         [&App](const std::string &What) {
           if (auto Text =
                   kplan::cli::generate(commandOf(App), What, KPLAN_VERSION)) {
             std::fputs(Text->c_str(), stdout);
             throw CLI::Success();
           }
           std::string Known;
           for (std::string_view Name : kplan::cli::Generated)
             Known += (Known.empty() ? "" : ", ") + std::string(Name);
           throw CLI::ValidationError("--generate", "makes " + Known);
         },
         "Print completions for a shell, or the manual page")
      ->group("") // Not in the help.
      ->trigger_on_parse();
}

/// What CLI11 would say of it is that a subcommand is required.
static bool isUnknownCommand(const CLI::App &App, const char *Word) {
  std::vector<std::string> Names;
  for (const CLI::App *Command : App.get_subcommands({}))
    Names.push_back(Command->get_name());
  if (Word[0] == '-' ||
      std::find(Names.begin(), Names.end(), Word) != Names.end())
    return false;
  const std::vector<std::string_view> Views(Names.begin(), Names.end());
  const std::string_view Near = kplan::nearest(Word, Views);
  printDiagnostics({kplan::makeError(
      "there is no command " + kplan::quoteForMessage(Word),
      Near.empty() ? "'kplan --help' names them"
                   : "did you mean 'kplan " + std::string(Near) + "'?")});
  return true;
}

/// Options of a program that is to be run, without the `--` before it.
static bool explainExtras(const CLI::App &App, const char *Message) {
  for (const CLI::App *Command : App.get_subcommands())
    if (Command->get_name() == "trace" || Command->get_name() == "run") {
      printDiagnostics({kplan::makeError(
          Message, "options of the program stand behind '--': kplan " +
                       Command->get_name() +
                       " [OPTIONS] -- PROGRAM [ARGUMENTS]")});
      return true;
    }
  return false;
}

static int run(int Argc, char **Argv) {
  CLI::App App(Description, "kplan");
  App.footer(Notes);
  App.set_help_flag("-h,--help", "Print this help and exit");
  App.set_version_flag("--version", versionText(),
                       "Print versions of kplan, the plan's schema and "
                       "yaml-cpp, and exit");
  App.require_subcommand(1);
  Status Exit = Status::Ok;
  addCommands(App, Exit);
  addGenerateOption(App);
  useModelForHelp(App);
  if (Argc > 1 && isUnknownCommand(App, Argv[1]))
    return static_cast<int>(Status::Usage);
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::ParseError &E) {
    if (dynamic_cast<const CLI::ExtrasError *>(&E) &&
        explainExtras(App, E.what()))
      return static_cast<int>(Status::Usage);
    // 0 for --help and --version; CLI11's other numbers mean nothing to users.
    Exit = App.exit(E) == 0 ? Status::Ok : Status::Usage;
  }
  // What was printed may have gone nowhere.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout.flush()) {
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
