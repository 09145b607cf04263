//===- CheckCommand.cpp - kplan check -------------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "Values.h"

#include "check/Check.h"
#include "image/Arch.h"
#include "plan/FileIO.h"
#include "plan/Summary.h"
#include "plan/Text.h"
#include "probe/Device.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kplan::tool {

namespace {

struct CheckOptions {
  std::vector<std::string> Paths;
  std::vector<std::string> Binaries;
  std::string Against;
  std::string Arch;
  std::optional<int> Device;
  bool Origins = false;
  bool Full = false;
  bool Json = false;
};

/// What plans are held against, read once for all of them.
struct Standard {
  std::vector<image::ProgramCode> Programs;
  std::optional<Plan> Other;
  std::optional<unsigned> Arch;
  std::optional<check::Limits> Limits;
  std::optional<check::TracedOn> Here; ///< With --device.
};

struct Checked {
  std::string Path;
  Status Outcome = Status::Ok;
  PlanSummary Summary; ///< Where it is a plan.
  std::string Looked;  ///< What was found where it should be.
  std::vector<Diagnostic> Errors;
  std::vector<Diagnostic> Warnings;
};

} // namespace

static std::string folderOf(const std::string &Path) {
  std::string Folder = std::filesystem::path(Path).parent_path().string();
  return Folder.empty() ? "." : Folder;
}

static Result<Plan> readPlanOf(const std::string &Path, Status &Failure) {
  Failure = Status::Usage;
  auto Bytes = readFile(Path, LargestPlan);
  if (!Bytes)
    return Bytes.errors();
  Failure = Status::Findings;
  return readEitherPlan(*Bytes, Path);
}

/// The errors say what cannot be read.
static std::vector<Diagnostic> readStandard(const CheckOptions &Options,
                                            Standard &Out) {
  if (!Options.Arch.empty()) {
    auto Arch = image::parseArch(Options.Arch);
    if (!Arch)
      return {makeError("'" + Options.Arch + "' is no architecture",
                        "write for example --arch sm_90")};
    Out.Arch = Arch->Number;
    auto Limits = check::limitsOfArch(Arch->Number);
    if (!Limits)
      return Limits.errors();
    Out.Limits = std::move(*Limits);
  }
  if (Options.Device) {
    auto Device = probe::readDevice(*Options.Device);
    if (!Device)
      return Device.errors();
    Out.Arch = Device->Arch;
    Out.Limits = {"this " + Device->Gpu + " (sm_" +
                      std::to_string(Device->Arch) + ")",
                  Device->SharedBytes, Device->Clusters};
    Out.Here = {Device->Gpu, Device->Sms, Device->Driver};
  }
  std::vector<Diagnostic> Errors;
  for (const std::string &Path : Options.Binaries) {
    auto Program = image::readProgramCode(Path, Out.Arch);
    if (Program)
      Out.Programs.push_back(std::move(*Program));
    else
      Errors.push_back(Program.errors().front());
  }
  if (!Options.Against.empty()) {
    Status Ignored;
    auto Other = readPlanOf(Options.Against, Ignored);
    if (Other)
      Out.Other = std::move(*Other);
    else
      Errors.insert(Errors.end(), Other.errors().begin(), Other.errors().end());
  }
  return Errors;
}

static std::string lookedAt(const check::Findings &F) {
  std::string Text;
  auto Add = [&](size_t Count, const char *What) {
    if (Count)
      Text += "; " + std::to_string(Count) + What;
  };
  Add(F.KernelsFound, " kernels in the binaries");
  Add(F.KernelsElsewhere, " kernels in other images");
  Add(F.OriginsSound, " images where the plan says");
  Add(F.OriginsAbsent, " images in files that are not here");
  return Text;
}

static void holdAgainst(const Plan &P, const CheckOptions &Options,
                        const Standard &S, Checked &Out) {
  check::Subject Of{P, Out.Path, folderOf(Out.Path)};
  check::Findings F;
  if (!S.Programs.empty())
    check::checkKernels(Of, S.Programs, F);
  if (S.Limits)
    check::checkLimits(Of, *S.Limits, S.Programs, F);
  else
    check::checkValues(Of, F);
  if (S.Here)
    check::checkTracedOn(Of, *S.Here, F);
  if (Options.Origins || !S.Programs.empty())
    check::checkOrigins(Of, S.Programs, F);
  if (S.Other)
    check::checkAgainst(
        Of, {*S.Other, Options.Against, folderOf(Options.Against)}, F);
  for (Diagnostic &D : F.List)
    (D.Level == Severity::Error ? Out.Errors : Out.Warnings)
        .push_back(std::move(D));
  if (!Out.Errors.empty())
    Out.Outcome = Status::Findings;
  Out.Looked = lookedAt(F);
}

static Checked checkFile(const std::string &Path, const CheckOptions &Options,
                         const Standard &S) {
  Checked Out;
  Out.Path = Path;
  auto P = readPlanOf(Path, Out.Outcome);
  if (!P) {
    Out.Errors = P.errors();
    return Out;
  }
  Out.Outcome = Status::Ok;
  Out.Summary = summarise(*P);
  holdAgainst(*P, Options, S, Out);
  return Out;
}

/// As many as people read, unless they want all.
static void printSome(const std::vector<Diagnostic> &All, bool Full) {
  constexpr size_t Most = 20;
  if (Full || All.size() <= Most)
    return printDiagnostics(All);
  printDiagnostics({All.begin(), All.begin() + Most});
  Diagnostic More;
  More.Level = Severity::Note;
  More.File = All.front().File;
  More.Message =
      "and " + std::to_string(All.size() - Most) + " more; --full prints all";
  printDiagnostics({More});
}

static void print(const Checked &C, bool Full) {
  printSome(C.Errors, Full);
  printSome(C.Warnings, Full);
  if (C.Outcome == Status::Ok)
    std::printf("%s: ok: %s%s\n", C.Path.c_str(),
                formatSummary(C.Summary).c_str(), C.Looked.c_str());
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

static std::string listJson(const std::vector<Diagnostic> &List) {
  std::string Out = "[";
  for (const Diagnostic &D : List)
    Out += (&D == List.data() ? "\n  " : ",\n  ") + errorJson(D);
  return Out + ']';
}

static void printJson(const std::vector<Checked> &All) {
  std::string Out = "[";
  for (const Checked &C : All) {
    Out += Out.size() > 1 ? ",\n " : "\n ";
    Out += "{\"file\": " + jsonString(C.Path) +
           ", \"ok\": " + (C.Outcome == Status::Ok ? "true" : "false") +
           ", \"errors\": " + listJson(C.Errors) +
           ", \"warnings\": " + listJson(C.Warnings);
    if (C.Outcome == Status::Ok)
      Out += ", \"summary\": " + summaryJson(C.Summary);
    Out += '}';
  }
  std::printf("%s\n]\n", Out.c_str());
}

static Status runCheck(const CheckOptions &Options) {
  Standard S;
  if (auto Errors = readStandard(Options, S); !Errors.empty()) {
    printDiagnostics(Errors);
    return Status::Usage;
  }
  std::vector<Checked> All;
  Status Exit = Status::Ok;
  for (const std::string &Path : Options.Paths) {
    All.push_back(checkFile(Path, Options, S));
    Exit = std::max(Exit, All.back().Outcome);
    if (!Options.Json)
      print(All.back(), Options.Full);
  }
  if (Options.Json)
    printJson(All);
  return Exit;
}

void addCheckCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<CheckOptions>();
  CLI::App *Command = App.add_subcommand(
      "check", "Say what is wrong with plans, and whether they fit");
  Command->add_option("plan", Options->Paths, "Plans to check")
      ->required()
      ->type_name("PLAN");
  Command
      ->add_option("--binary", Options->Binaries,
                   "Programs and libraries: each kernel must be in their "
                   "device code, and images where the plan says")
      ->type_name("FILE");
  Command
      ->add_option("--against", Options->Against,
                   "Another plan: what it has must be in the plan, too")
      ->type_name("PLAN");
  Command
      ->add_option("--arch", Options->Arch,
                   "Each value must be within the limits of this "
                   "architecture, for example sm_90")
      ->type_name("ARCH");
  Command
      ->add_option("--device", Options->Device,
                   "The same for a GPU of this machine, as its driver has "
                   "them; a traced plan must come from such a GPU")
      ->check(wholeNumber(0, "device"))
      ->type_name("N")
      ->excludes("--arch");
  Command->add_flag("--origins", Options->Origins,
                    "Images must be in the files and the store that the plan "
                    "names; implied by --binary");
  Command->add_flag("--full", Options->Full, "Print all findings, not some");
  Command->add_flag("--json", Options->Json,
                    "Print the result as JSON on standard output");
  Command->footer(
      "Prints every error with its file, line and column, or one "
      "line with what the\nplan holds. Exit status 1 where something is "
      "wrong: made for CI.\n\nExamples:\n"
      "  kplan check plan.yaml\n"
      "  kplan check plan.yaml --arch sm_90 --binary app "
      "libkernels.so\n"
      "  kplan check plan.yaml --device 0\n"
      "  kplan check traced.yaml --against scanned.yaml");
  Command->callback([Options, &Exit] { Exit = runCheck(*Options); });
}

} // namespace kplan::tool
