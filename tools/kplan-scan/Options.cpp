//===- Options.cpp - The command line of kplan-scan -----------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "CommandModel.h"

#include "scan/GpuArch.h"

#include "clang/Basic/Version.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace cl = llvm::cl;

namespace kplan::scan {

namespace {

constexpr const char *Overview =
    R"(Finds out which kernels and kernel attributes a CUDA program will need, by
reading its source, and writes them down as a plan. No GPU is needed.

Compile flags come from compile_commands.json, looked for in the paths, their
parents and build*/ below either; without one they are guessed, and the summary
says how. What follows -- is added to every command.
)";

constexpr const char *Examples = R"(
WARNINGS:
  -Wkplan-<name>, -Wno-kplan-<name>, -Wkplan, -Wno-kplan
      turn a warning, or all, on or off; docs/warnings.md lists them

EXAMPLES:
  kplan-scan src/ -o plan.yaml
      scans what is below src/
  kplan-scan -p build -o plan.yaml
      scans what build/compile_commands.json compiles
  kplan-scan src/ --exclude 'tests/**' -o plan.yaml -- -Ithird_party -DUSE_X=1
      leaves tests out; what follows -- is added to every compile command
  kplan-scan src/ --check plan.yaml
      shows what changed since plan.yaml was written; exit code 1 if anything
  kplan-scan src/ --explain gemm
      says how the kernels with gemm in their names, and their values, were found
  kplan-scan --command -o a.frag.yaml -- nvcc -std=c++17 -Iinclude -c a.cu
      scans one TU by its own command; 'kplan merge' joins the fragments

EXIT CODES:
  0  done
  1  findings: with --strict, a TU with errors or a site that is not resolved;
     with --check, a difference; with --explain, no such kernel; with
     --command, no result
  2  wrong usage, nothing to scan, every TU failed and nothing was found, or
     the output cannot be written
)";

cl::OptionCategory Category("kplan-scan's options");

cl::list<std::string>
    Paths(cl::Positional, cl::cat(Category),
          cl::desc("[folders and files...] [-- clang's flags...]"));
cl::opt<std::string> Output("o", cl::cat(Category), cl::value_desc("file"),
                            cl::desc("Write the plan here; -: to standard "
                                     "output (the default)"));
cl::opt<std::string>
    Database("p", cl::cat(Category), cl::value_desc("folder"),
             cl::desc("Build folder with a compile_commands.json, or that "
                      "file itself"));
cl::opt<std::string>
    Root("root", cl::cat(Category), cl::value_desc("folder"),
         cl::desc("Paths in the plan start here (default: the source folder "
                  "of the build, else the common parent of the paths)"));
cl::opt<std::string> Arch("arch", cl::cat(Category), cl::value_desc("sm_90"),
                          cl::desc("GPU architecture, instead of the "
                                   "command's"));
cl::opt<std::string>
    CudaPath("cuda-path", cl::cat(Category), cl::value_desc("folder"),
             cl::desc("CUDA toolkit, instead of the one found"));
cl::list<std::string>
    Include("include", cl::cat(Category), cl::value_desc("glob"),
            cl::desc("Scan only TUs whose path below the root matches, by the "
                     "rules of .gitignore; may be repeated"));
cl::list<std::string> Exclude("exclude", cl::cat(Category),
                              cl::value_desc("glob"),
                              cl::desc("Leave out what matches; may be "
                                       "repeated"));
cl::opt<unsigned>
    Jobs("jobs", cl::cat(Category), cl::value_desc("number"),
         cl::desc("TUs parsed at a time (default: as many as there are "
                  "processors and memory for)"));
cl::opt<unsigned>
    TimeLimit("time-limit", cl::cat(Category), cl::value_desc("seconds"),
              cl::desc("Give up on a TU after this time; 0: never (default: "
                       "1800)"),
              cl::init(1800));
cl::opt<std::string>
    Cache("cache", cl::cat(Category), cl::value_desc("folder"),
          cl::desc("Keep the result of each TU here, and scan again only TUs "
                   "with a command or a file that changed"));
cl::opt<std::string> Depfile("depfile", cl::cat(Category),
                             cl::value_desc("file"),
                             cl::desc("Also write all files that were read, "
                                      "for Make or Ninja"));
cl::opt<bool>
    NoShortcuts("no-shortcuts", cl::cat(Category),
                cl::desc("Parse everything as a compiler does: the same plan, "
                         "more slowly"));
cl::opt<bool> Strict("strict", cl::cat(Category),
                     cl::desc("Exit code 1 if a TU had errors or a site could "
                              "not be resolved"));
cl::opt<std::string> Check("check", cl::cat(Category), cl::value_desc("plan"),
                           cl::desc("Compare with a plan written earlier"));
cl::opt<std::string>
    PrintCommand("print-command", cl::cat(Category), cl::value_desc("file"),
                 cl::desc("Print the clang command that this file is parsed "
                          "with, and scan nothing"));
cl::opt<std::string>
    Explain("explain", cl::cat(Category), cl::value_desc("symbol"),
            cl::desc("Say on standard output how a kernel and its values were "
                     "found, or why it is not in the plan; by its symbol or a "
                     "part of its name"));
cl::opt<std::string>
    Sarif("sarif", cl::cat(Category), cl::value_desc("file"),
          cl::desc("Also write errors and warnings as SARIF 2.1.0"));
cl::opt<bool> Command("command", cl::cat(Category),
                      cl::desc("Scan one TU by the compile command that "
                               "follows --, and write a fragment"));

cl::opt<std::string>
    Generate("generate", cl::Hidden, cl::cat(Category),
             cl::desc("Print completions for a shell, or the manual page"));

cl::extrahelp ExamplesHelp(Examples);

/// LLVM's libraries register hundreds of options of their own.
void forgetOtherOptions() {
  std::vector<cl::Option *> Others;
  for (auto &Entry : cl::getRegisteredOptions()) {
    cl::Option *O = Entry.second;
    bool IsOurs = llvm::is_contained(O->Categories, &Category);
    bool IsGeneral = O->ArgStr == "help" || O->ArgStr == "version";
    if (!IsOurs && !IsGeneral)
      Others.push_back(O);
  }
  for (cl::Option *O : Others)
    O->removeArgument();
}

void printVersion(llvm::raw_ostream &Out) {
  Out << "kplan-scan " << KPLAN_VERSION << " (clang " << CLANG_VERSION_STRING
      << ")\n";
}

bool usageError(const std::string &Message) {
  llvm::errs() << "kplan-scan: error: " << Message
               << "\nkplan-scan: note: see 'kplan-scan --help'\n";
  return false;
}

/// For whoever builds and packs kplan-scan; ends the program.
[[noreturn]] void printGenerated() {
  auto Text =
      cli::generate(commandOf(Overview, Examples), Generate, KPLAN_VERSION);
  if (!Text)
    usageError("--generate makes bash, zsh, fish or man");
  else
    llvm::outs() << *Text;
  llvm::outs().flush();
  std::exit(Text ? 0 : 2);
}

bool isConsistent(const ToolOptions &O) {
  if (Jobs.getNumOccurrences() && O.Jobs == 0)
    return usageError("--jobs needs a number above 0");
  if (!O.Arch.empty()) {
    const std::optional<GpuArch> Arch = parseGpuArch(O.Arch);
    if (!Arch)
      return usageError("--arch needs one architecture, as in sm_90; '" +
                        O.Arch + "' is none");
    if (!isKnownArch(*Arch))
      return usageError("--arch: no GPU is known that is '" + O.Arch + "'");
  }
  if (!O.Depfile.empty() && (O.Output.empty() || O.Output == "-"))
    return usageError("--depfile needs -o with a file: its rule says what that "
                      "file depends on");
  if (Explain.getNumOccurrences() && O.Explain.empty())
    return usageError(
        "--explain needs a kernel's symbol or a part of its name");
  if (!O.Explain.empty() && (O.Output == "-" || !O.Check.empty()))
    return usageError("--explain writes to standard output; " +
                      std::string(O.Check.empty() ? "give -o a file"
                                                  : "--check does as well"));
  if (!O.Command)
    return true;
  if (O.AfterDashes.empty())
    return usageError("--command needs a compile command behind --, as in "
                      "'kplan-scan --command -o a.frag.yaml -- nvcc -c a.cu'");
  if (!O.Paths.empty())
    return usageError("--command takes its file from the compile command; '" +
                      O.Paths.front() + "' is one too many");
  for (const auto &[Name, IsGiven] :
       {std::pair{"-p", !O.Database.empty()},
        std::pair{"--include", !O.Include.empty()},
        std::pair{"--exclude", !O.Exclude.empty()},
        std::pair{"--check", !O.Check.empty()},
        std::pair{"--explain", !O.Explain.empty()},
        std::pair{"--print-command", !O.PrintCommand.empty()}})
    if (IsGiven)
      return usageError(std::string(Name) + " makes no sense with --command");
  return true;
}

} // namespace

std::optional<ToolOptions> parseOptions(int Count, const char *const *Words) {
  ToolOptions O;
  const char *const *End = Words + Count;
  const char *const *Dashes = std::find(Words, End, std::string_view("--"));
  O.HasDashes = Dashes != End;
  if (O.HasDashes)
    O.AfterDashes.assign(Dashes + 1, End);
  // LLVM's libraries have an option -W of their own.
  std::vector<const char *> Others;
  for (const char *const *Word = Words; Word != Dashes; ++Word) {
    std::string_view Flag = *Word;
    if (!Flag.starts_with("-W")) {
      Others.push_back(*Word);
      continue;
    }
    if (std::optional<Diagnostic> Error = O.Warnings.apply(Flag.substr(2))) {
      llvm::errs() << "kplan-scan: " << format(*Error);
      return std::nullopt;
    }
  }

  forgetOtherOptions();
  cl::SetVersionPrinter(printVersion);
  std::string Message;
  llvm::raw_string_ostream Errors(Message);
  if (!cl::ParseCommandLineOptions(static_cast<int>(Others.size()),
                                   Others.data(), Overview, &Errors)) {
    llvm::errs() << Message;
    return std::nullopt;
  }
  if (Generate.getNumOccurrences())
    printGenerated();
  O.Paths = Paths;
  O.Output = Output;
  O.Database = Database;
  O.Root = Root;
  O.Arch = Arch;
  O.CudaPath = CudaPath;
  O.Include = Include;
  O.Exclude = Exclude;
  O.Cache = Cache;
  O.Depfile = Depfile;
  O.Check = Check;
  O.PrintCommand = PrintCommand;
  O.Sarif = Sarif;
  O.Explain = Explain;
  O.Jobs = Jobs;
  O.TimeLimitSeconds = TimeLimit;
  O.NoShortcuts = NoShortcuts;
  O.Strict = Strict;
  O.Command = Command;
  if (!isConsistent(O))
    return std::nullopt;
  return O;
}

} // namespace kplan::scan
