//===- CompileCommand.cpp - kplan compile ---------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "Values.h"

#include "image/Arch.h"
#include "image/Image.h"
#include "link/PlanCompiler.h"
#include "plan/CompiledPlan.h"
#include "plan/FileIO.h"
#include "plan/PlanReader.h"
#include "plan/Summary.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace kplan::tool {

namespace {

struct CompileOptions {
  std::string Path;
  std::string OutFolder;
  std::vector<std::string> Archs;
  std::vector<std::string> Modules;
  bool Ptx = false;
  std::string CudaPath;
};

/// One line on a terminal, gone at the end.
class ProgressLine {
public:
  ~ProgressLine() {
    if (Shown)
      std::fputs("\r\033[K", stderr);
  }
  void show(const link::CompileStep &Step) {
    if (!::isatty(STDERR_FILENO))
      return;
    Shown = true;
    std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", Step.Number, Step.Of,
                 Step.What.c_str());
    std::fflush(stderr);
  }

private:
  bool Shown = false;
};

constexpr const char *PlanName = "plan.kplan";

} // namespace

static std::vector<std::string> split(const std::string &Text, char At) {
  std::vector<std::string> Parts;
  for (size_t Begin = 0;;) {
    size_t End = Text.find(At, Begin);
    Parts.push_back(Text.substr(Begin, End - Begin));
    if (End == std::string::npos)
      return Parts;
    Begin = End + 1;
  }
}

static std::optional<Diagnostic>
readArchs(const std::vector<std::string> &Names, std::vector<image::Arch> &To) {
  for (const std::string &Name : Names) {
    auto Arch = image::parseArch(Name);
    if (!Arch)
      return makeError("'" + Name + "' is no architecture",
                       "write for example --arch sm_90,sm_100");
    if (std::find(To.begin(), To.end(), *Arch) == To.end())
      To.push_back(*Arch);
  }
  return std::nullopt;
}

/// "name=a.ltoir,b.ptx". In the plan's place where it has one of that name.
static std::optional<Diagnostic> addModule(Plan &To, link::CompileRequest &How,
                                           const std::string &Text) {
  size_t Equals = Text.find('=');
  Module M;
  M.Name = Text.substr(0, Equals);
  if (Equals != std::string::npos)
    M.Inputs = split(Text.substr(Equals + 1), ',');
  if (M.Name.empty() || M.Inputs.empty() ||
      std::find(M.Inputs.begin(), M.Inputs.end(), "") != M.Inputs.end())
    return makeError("'" + Text + "' names no module and its inputs",
                     "write for example --module m=a.ltoir,b.ptx");
  for (const std::string &Input : M.Inputs)
    if (::access(Input.c_str(), R_OK) != 0) {
      Diagnostic D =
          makeError(std::string("cannot open: ") + std::strerror(errno));
      D.File = Input;
      return D;
    }
  How.FromWorkingFolder.insert(M.Name);
  auto Same =
      std::find_if(To.Modules.begin(), To.Modules.end(),
                   [&](const Module &Other) { return Other.Name == M.Name; });
  if (Same == To.Modules.end())
    To.Modules.push_back(std::move(M));
  else
    Same->Inputs = std::move(M.Inputs);
  return std::nullopt;
}

static std::string folderOf(const std::string &Path) {
  std::string Folder = fs::path(Path).parent_path().string();
  return Folder.empty() ? "." : Folder;
}

/// What an earlier run put there; nothing where that cannot be read.
static std::vector<CompiledImage> compiledBefore(const std::string &PlanPath) {
  std::vector<CompiledImage> Out;
  auto Bytes = readFile(PlanPath, size_t(1) << 30);
  if (!Bytes)
    return Out;
  auto Before = readCompiledPlan(*Bytes, PlanPath);
  if (!Before)
    return Out;
  for (Image &I : Before->Plan.Images)
    Out.insert(Out.end(), I.Compiled.begin(), I.Compiled.end());
  for (Module &M : Before->Plan.Modules)
    Out.insert(Out.end(), M.Compiled.begin(), M.Compiled.end());
  return Out;
}

static Status failWith(const std::vector<Diagnostic> &Errors, Status S) {
  printDiagnostics(Errors);
  return S;
}

static Status runCompile(const CompileOptions &Options) {
  link::CompileRequest Request;
  if (auto Error = readArchs(Options.Archs, Request.Archs))
    return failWith({*Error}, Status::Usage);
  auto Text = readFile(Options.Path, YamlLimits().MaxBytes);
  if (!Text)
    return failWith(Text.errors(), Status::Usage);
  auto P = readYamlPlan(*Text, Options.Path);
  if (!P)
    return failWith(P.errors(), Status::Findings);
  for (const std::string &Module : Options.Modules)
    if (auto Error = addModule(*P, Request, Module))
      return failWith({*Error}, Status::Usage);

  std::error_code Error;
  fs::create_directories(Options.OutFolder, Error);
  if (Error) {
    Diagnostic D = makeError("cannot be created: " + Error.message());
    D.File = Options.OutFolder;
    return failWith({D}, Status::Usage);
  }
  const std::string Target = (fs::path(Options.OutFolder) / PlanName).string();
  Request.PlanFolder = folderOf(Options.Path);
  Request.OutFolder = Options.OutFolder;
  Request.Ptx = Options.Ptx;
  Request.CudaPath = Options.CudaPath;
  Request.Before = compiledBefore(Target);
  PlanSummary Summary = summarise(*P);

  Result<link::CompileResult> Made = [&] {
    ProgressLine Line;
    return link::compilePlanCode(
        std::move(*P), Request,
        [&](const link::CompileStep &Step) { Line.show(Step); });
  }();
  if (!Made)
    return failWith(Made.errors(), Status::Findings);
  printDiagnostics(Made->Warnings);
  auto Bytes =
      compilePlan(Made->Plan, image::contentId(image::ByteView(*Text)));
  if (!Bytes)
    return failWith(Bytes.errors(), Status::Findings);
  if (auto Error = writeFileAtomically(Target, *Bytes))
    return failWith({*Error}, Status::Usage);
  // Whatever the umask: the runtime takes no plan that others may write.
  fs::permissions(Target, fs::perms::group_write | fs::perms::others_write,
                  fs::perm_options::remove, Error);
  std::string Cubins = Made->Linked + Made->Reused == 0
                           ? ""
                           : "; cubins: " + std::to_string(Made->Linked) +
                                 " linked, " + std::to_string(Made->Reused) +
                                 " reused";
  std::printf("%s: %s%s\n", Target.c_str(), formatSummary(Summary).c_str(),
              Cubins.c_str());
  return Status::Ok;
}

void addCompileCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<CompileOptions>();
  CLI::App *Command = App.add_subcommand(
      "compile", "Lower a plan to what the runtime loads, code included");
  Command->add_option("plan", Options->Path, "Plan to compile")
      ->required()
      ->type_name("PLAN");
  Command
      ->add_option("-o,--output", Options->OutFolder,
                   "Folder for plan.kplan and its images")
      ->required()
      ->check(fileName())
      ->type_name("DIR");
  Command
      ->add_option("--arch", Options->Archs,
                   "Architectures to link code for, for example sm_90,sm_100")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ARCH");
  Command
      ->add_option("--module", Options->Modules,
                   "A module to link ahead, beside those of the plan: a name "
                   "and its inputs, which are LTO-IR, PTX, cubins, fatbins, "
                   "objects or archives; may be given several times")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE,...");
  Command->add_flag("--ptx", Options->Ptx,
                    "Compile the plan's PTX images ahead, too");
  Command
      ->add_option("--cuda-path", Options->CudaPath,
                   "The CUDA toolkit, or folder of NVIDIA's wheels, whose "
                   "libnvJitLink links; without it the environment's, the "
                   "build's or the system's")
      ->type_name("DIR");
  Command->footer(
      "Needs no GPU. Code that was linked before, from the same inputs by the "
      "same linker,\nis used again. Run a program with the result:\n"
      "  KPLAN_PLAN=compiled/plan.kplan ./app\n\nExample:\n"
      "  kplan compile plan.yaml --arch sm_90 --module m=a.ltoir,b.ptx -o "
      "compiled");
  Command->callback([Options, &Exit] { Exit = runCompile(*Options); });
}

} // namespace kplan::tool
