//===- TranslateHost.cpp - GCC's and clang's commands ---------------------===//

#include "scan/Translation.h"

#include "scan/Paths.h"

#include <algorithm>

namespace kplan::scan {

namespace {

bool isCudaLanguage(std::string_view Name) {
  return Name == "cuda" || Name == "cu";
}

} // namespace

Result<ClangCommand> Translation::host() {
  Result<std::vector<std::string>> Arguments = expandedArguments();
  if (!Arguments)
    return Arguments.errors();
  HostArguments Host = parseHostArguments(*Arguments);
  Result<std::string> File = mainFile(Host.Inputs);
  if (!File)
    return File.errors();
  warnUnknown(Host.Unknown, std::string(fileName(Call.Program)));

  std::string_view Program = fileName(Call.Program);
  bool CxxDriver = Program.find("++") != std::string_view::npos ||
                   Program == "CC" || Program.starts_with("mpicxx");
  SourceKind Kind = sourceKind(*File);
  Language L = Language::Cxx;
  if (isCudaLanguage(Host.Language) ||
      (Host.Language.empty() && Kind == SourceKind::Cuda))
    L = Language::Cuda;
  else if (Host.Language == "c" ||
           (Host.Language.empty() && Kind == SourceKind::C && !CxxDriver))
    L = Language::C;

  ClangCommand Clang;
  begin(Clang, L, Host.Standard);
  std::optional<CudaToolkit> Toolkit;
  if (!Parent.Options.CudaPath.empty())
    Toolkit = toolkitAt(Parent.Options.CudaPath);
  else if (!Host.CudaPath.empty())
    Toolkit = toolkitAt(absolutePath(Host.CudaPath, Command.Directory));
  else
    Toolkit = defaultToolkit();

  if (L == Language::Cuda) {
    Clang.BuiltByClang = true;
    Clang.RelocatableDeviceCode = Host.GpuRdc;
    GpuArchSet Archs = requestedArchs();
    if (Archs.empty())
      for (const std::string &Name : Host.OffloadArchs)
        if (std::optional<GpuArch> Arch = parseGpuArch(Name)) {
          Archs.Virtual.push_back(*Arch);
          Archs.Code.push_back(*Arch);
        }
    if (Archs.empty())
      Archs.Virtual.push_back({52, 0}); // clang's default
    addCuda(Clang, Toolkit, Archs);
  } else if (Toolkit) {
    Clang.CudaPath = Toolkit->Root;
    Clang.CudaVersion = Toolkit->version();
  }

  // Where the command chooses headers itself, that choice stands.
  auto Chooses = [](const std::string &Argument) {
    return Argument.starts_with("--gcc-") || Argument == "--sysroot" ||
           Argument.starts_with("--sysroot=") ||
           Argument.starts_with("-stdlib=") || Argument == "-target" ||
           Argument.starts_with("--target=");
  };
  if (std::none_of(Host.Kept.begin(), Host.Kept.end(), Chooses))
    for (const std::string &Option : toolchain(Call.Program))
      Clang.Arguments.push_back(Option);
  Clang.Arguments.insert(Clang.Arguments.end(), Host.Kept.begin(),
                         Host.Kept.end());
  // A CUDA build of clang found CCCL by itself; behind its own folders this
  // changes nothing there and helps where it did not.
  if (L == Language::Cuda && Toolkit) {
    addCudaFolders(Clang, *Toolkit);
    if (!Toolkit->CcclFolder.empty())
      Clang.Arguments.insert(Clang.Arguments.end(),
                             {"-isystem", Toolkit->CcclFolder});
  }
  finish(Clang, *File);
  return Clang;
}

} // namespace kplan::scan
