//===- SealCommand.cpp - kplan seal ---------------------------------------===//

#include "Commands.h"
#include "Values.h"

#include "control/ControlClient.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace kplan::tool {

namespace {

struct SealOptions {
  int Process = 0;
  bool Unseal = false;
  bool Escapes = false;
  bool Json = false;
};

} // namespace

static Status runSeal(const SealOptions &Options) {
  std::string Request = Options.Unseal    ? "unseal"
                        : Options.Escapes ? "escapes"
                                          : "seal";
  if (Options.Json)
    Request += " json";
  auto Answer = runtime::control::ask(Options.Process, Request);
  if (!Answer) {
    printDiagnostics(Answer.errors());
    return Status::Usage;
  }
  std::fputs(Answer->c_str(), stdout);
  return Status::Ok;
}

void addSealCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<SealOptions>();
  CLI::App *Command = App.add_subcommand(
      "seal", "Tell a running process that its concurrent phase starts");
  Command->add_option("process", Options->Process, "Its process id")
      ->required()
      ->check(wholeNumber(1, "process id"))
      ->type_name("PID");
  auto *Unseal = Command->add_flag("--unseal", Options->Unseal,
                                   "The concurrent phase ends");
  auto *Escapes = Command->add_flag("--escapes", Options->Escapes,
                                    "Print its escapes so far; do not seal");
  Command->add_flag("--json", Options->Json, "Print them as JSON")
      ->needs(Escapes);
  Unseal->excludes(Escapes);
  Command->footer("The process must have been started by 'kplan run', or with "
                  "KPLAN_SOCKET=1, by the\nsame user.\n\n"
                  "Examples:\n"
                  "  kplan seal 4711\n"
                  "  kplan seal 4711 --escapes --json");
  Command->callback([Options, &Exit] { Exit = runSeal(*Options); });
}

} // namespace kplan::tool
