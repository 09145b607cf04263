//===- Translation.cpp ----------------------------------------------------===//

#include "scan/Translation.h"

#include "scan/Paths.h"
#include "scan/ResponseFile.h"

#include <algorithm>

namespace kplan::scan {

Translation::Translation(Translator &Parent, const CompileCommand &Command,
                         CompilerCall TheCall, const HostSystem &System,
                         std::vector<Diagnostic> &Warnings)
    : Parent(Parent), Command(Command), Call(std::move(TheCall)),
      System(System, Call.Environment), Warnings(Warnings) {}

Result<ClangCommand> Translation::run() {
  switch (Call.Kind) {
  case CompilerKind::Nvcc:
  case CompilerKind::NvccWrapper:
    return nvcc();
  case CompilerKind::Gcc:
  case CompilerKind::Clang:
  case CompilerKind::Unknown:
    return host();
  }
  return host();
}

Result<std::vector<std::string>> Translation::expandedArguments() {
  bool Nvcc =
      Call.Kind == CompilerKind::Nvcc || Call.Kind == CompilerKind::NvccWrapper;
  Result<std::vector<std::string>> Expanded = expandResponseFiles(
      Call.Arguments, Command.Directory,
      Nvcc ? ResponseSyntax::Nvcc : ResponseSyntax::Gnu, System);
  if (Expanded)
    return Expanded;
  std::vector<Diagnostic> Errors = Expanded.errors();
  for (Diagnostic &Error : Errors)
    if (Error.File.empty())
      Error.File = Command.File;
  return Errors;
}

Result<std::string>
Translation::mainFile(const std::vector<std::string> &Inputs) {
  if (!Command.File.empty())
    return absolutePath(Command.File, Command.Directory);
  for (const std::string &Input : Inputs)
    if (sourceKind(Input) != SourceKind::None)
      return absolutePath(Input, Command.Directory);
  return makeError("the command compiles no source file",
                   "kplan reads .cu, .c, .cc, .cpp, .cxx and .C files");
}

std::optional<CudaToolkit> Translation::toolkitAt(const std::string &Root) {
  auto [It, New] = Parent.Toolkits.try_emplace(Root);
  if (New)
    It->second = openCudaToolkit(Root, System);
  return It->second;
}

std::optional<CudaToolkit> Translation::defaultToolkit() {
  // The environment may differ from command to command.
  std::string Key;
  for (const char *Name :
       {"CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH", "PATH"})
    Key += '\n' + System.environment(Name);
  auto [It, New] = Parent.Toolkits.try_emplace(Key);
  if (New)
    It->second = findCudaToolkit(System);
  return It->second;
}

const std::vector<std::string> &
Translation::toolchain(const std::string &Compiler) {
  std::string Key =
      Command.Directory + '\n' + Compiler + '\n' + System.environment("PATH");
  auto [It, New] = Parent.Toolchains.try_emplace(Key);
  if (New)
    It->second = toolchainOptions(Compiler, Command.Directory, System);
  return It->second;
}

GpuArchSet Translation::requestedArchs() const {
  GpuArchSet Archs;
  std::string_view Names = Parent.Options.Arch;
  while (!Names.empty()) {
    size_t Comma = std::min(Names.find(','), Names.size());
    if (std::optional<GpuArch> Arch = parseGpuArch(Names.substr(0, Comma))) {
      Archs.Virtual.push_back(*Arch);
      Archs.Code.push_back(*Arch);
    }
    Names.remove_prefix(std::min(Comma + 1, Names.size()));
  }
  return Archs;
}

void Translation::begin(ClangCommand &Clang, Language L,
                        const std::string &Standard) {
  std::string Program = Parent.Options.Clang;
  if (Program.empty())
    Program = KPLAN_CLANG;
  Clang.Directory = Command.Directory;
  Clang.Guesses = Command.Guesses;
  Clang.IsCuda = L == Language::Cuda;
  Clang.Arguments = {
      L == Language::C ? Program : Program + "++", "-x",
      L == Language::C     ? "c"
      : L == Language::Cxx ? "c++"
                           : "cuda",
      "-fsyntax-only",
      // Warnings are the build's business; a scan keeps going after errors.
      "-w", "-ferror-limit=0"};
  if (!Standard.empty())
    Clang.Arguments.push_back("-std=" + Standard);
}

void Translation::addCuda(ClangCommand &Clang,
                          const std::optional<CudaToolkit> &Toolkit,
                          const GpuArchSet &Archs) {
  auto &Arguments = Clang.Arguments;
  Clang.Archs = Archs.names();
  Arguments.push_back("--cuda-host-only");
  // clang warns of, or refuses, releases newer than itself.
  Arguments.push_back("--no-cuda-version-check");
  Arguments.push_back("-nogpulib");
  std::vector<GpuArch> Virtual = Archs.Virtual;
  std::sort(Virtual.begin(), Virtual.end());
  Arguments.push_back("--cuda-gpu-arch=" + clangArchName(Virtual.back()));
  if (Clang.RelocatableDeviceCode)
    Arguments.push_back("-fgpu-rdc");
  if (!Toolkit) {
    warn("no CUDA toolkit found for this command",
         "give its folder with --cuda-path");
    return;
  }
  Clang.CudaPath = Toolkit->Root;
  Clang.CudaVersion = Toolkit->version();
  if (Toolkit->ClangFindsHeaders) {
    Arguments.push_back("--cuda-path=" + Toolkit->Root);
    return;
  }
  // A layout that clang does not know: what it would have added itself.
  Arguments.insert(Arguments.end(),
                   {"-nogpuinc", "-include", "__clang_cuda_runtime_wrapper.h"});
}

void Translation::addCudaFolders(ClangCommand &Clang,
                                 const CudaToolkit &Toolkit) {
  for (const std::string &Folder : Toolkit.IncludeFolders) {
    // Before the standard library these would break its #include_next.
    if (Folder == "/usr/include" || Folder == "/usr/local/include")
      continue;
    Clang.Arguments.push_back("-isystem");
    Clang.Arguments.push_back(Folder);
  }
}

void Translation::finish(ClangCommand &Clang, const std::string &File) {
  Clang.File = File;
  auto &Arguments = Clang.Arguments;
  const auto &Extra = Parent.Options.ExtraArguments;
  Arguments.insert(Arguments.end(), Extra.begin(), Extra.end());
  Arguments.push_back("--");
  Arguments.push_back(File);
}

void Translation::warn(std::string Message, std::string Hint) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.File = Command.File;
  D.Message = std::move(Message);
  D.Option = "kplan-command";
  D.Hint = std::move(Hint);
  Warnings.push_back(std::move(D));
}

void Translation::warnUnknown(const std::vector<std::string> &Options,
                              const std::string &Compiler) {
  for (const std::string &Option : Options)
    warn(Compiler + " option '" + Option + "' is not known and was left out",
         "if the source depends on it, give clang's option for it after `--`");
}

} // namespace kplan::scan
