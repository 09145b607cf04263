//===- TranslateNvcc.cpp - nvcc's commands --------------------------------===//

#include "scan/Translation.h"

#include "scan/CommandLine.h"
#include "scan/NvccOptions.h"
#include "scan/Paths.h"

#include <algorithm>

namespace kplan::scan {

/// What an nvcc command has said so far. The folders and macros are kept
/// apart because nvcc hands them on in an order of its own.
struct Translation::NvccState {
  std::vector<std::string> Includes;       ///< -I
  std::vector<std::string> SystemIncludes; ///< -isystem
  std::vector<std::string> Defines;
  std::vector<std::string> Undefines;
  std::vector<std::string> Macros; ///< Those that nvcc's options define.
  std::vector<std::string> Passed; ///< For clang as they are.
  std::vector<std::string> HostOptions;
  std::vector<std::string> Inputs;
  std::vector<std::string> Unknown;
  std::string HostCompiler;
  std::string TargetDirectory;
  std::string Language;
  std::string Standard;
  std::string Arch;
  std::vector<std::string> Code;
  std::vector<std::vector<std::string>> GenerateCode;
  bool Relocatable = false;
  bool ForwardUnknown = false;
  bool IgnoreUnknown = false;
  bool NoProfile = false;
};

namespace {

void append(std::vector<std::string> &To,
            const std::vector<std::string> &From) {
  To.insert(To.end(), From.begin(), From.end());
}

/// `arch=compute_90,code=[sm_90,compute_90]`, split at its commas.
void addGenerateCode(const std::vector<std::string> &Items, GpuArchSet &Archs) {
  bool IsCode = false;
  for (std::string Item : Items) {
    std::erase_if(Item, [](char C) {
      return C == '[' || C == ']' || C == '"' || C == '\'';
    });
    if (size_t Equals = Item.find('='); Equals != std::string::npos) {
      IsCode = Item.substr(0, Equals) == "code";
      Item.erase(0, Equals + 1);
    }
    if (std::optional<GpuArch> Arch = parseGpuArch(Item))
      (IsCode ? Archs.Code : Archs.Virtual).push_back(*Arch);
  }
}

} // namespace

void Translation::applyNvcc(const NvccArgument &Argument, NvccState &State) {
  if (Argument.K == NvccArgument::Input) {
    append(State.Inputs, Argument.Values);
    return;
  }
  if (Argument.K == NvccArgument::Unknown) {
    State.Unknown.push_back(Argument.Spelling);
    return;
  }
  if (Argument.K == NvccArgument::Refused) {
    warn("nvcc refuses '" + Argument.Spelling + "': " + Argument.Problem);
    return;
  }
  const NvccOption &Option = *Argument.Which;
  const std::vector<std::string> &Values = Argument.Values;
  std::string Text(Option.Text);
  switch (Option.Action) {
  case NvccAction::Drop:
  case NvccAction::OptionsFile: // read in place already
    return;
  case NvccAction::Pass:
    State.Passed.push_back(Text);
    return;
  case NvccAction::PassJoined:
    State.Passed.push_back(Text + Values[0]);
    return;
  case NvccAction::PassEach:
    for (const std::string &Value : Values)
      append(State.Passed, {Text, Value});
    return;
  case NvccAction::DefineMacro:
    State.Macros.push_back(Text);
    return;
  case NvccAction::Define:
    append(State.Defines, Values);
    return;
  case NvccAction::Undefine:
    append(State.Undefines, Values);
    return;
  case NvccAction::IncludeFolder:
    append(State.Includes, Values);
    return;
  case NvccAction::SystemFolder:
    append(State.SystemIncludes, Values);
    return;
  case NvccAction::HostOptions:
    // nvcc pastes each value into a line for the shell: `-Xcompiler "-a -b"`.
    for (const std::string &Value : Values)
      for (const std::vector<std::string> &Words : splitShell(Value))
        append(State.HostOptions, Words);
    return;
  case NvccAction::HostCompiler:
    State.HostCompiler = Values[0];
    return;
  case NvccAction::TargetDirectory:
    State.TargetDirectory = Values[0];
    return;
  case NvccAction::Language:
    State.Language = Values[0];
    return;
  case NvccAction::Standard:
    State.Standard = Values[0];
    return;
  case NvccAction::Architecture:
    State.Arch = Values[0];
    return;
  case NvccAction::Code:
    append(State.Code, Values);
    return;
  case NvccAction::GenerateCode:
    State.GenerateCode.push_back(Values);
    return;
  case NvccAction::Relocatable:
    State.Relocatable = Values[0] == "true";
    return;
  case NvccAction::RelocatableOn:
    State.Relocatable = true;
    return;
  case NvccAction::RelocatableOff:
    State.Relocatable = false;
    return;
  case NvccAction::DefaultStream:
    if (Values[0] == "per-thread")
      State.Macros.push_back("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    return;
  case NvccAction::ForwardUnknown:
    State.ForwardUnknown = true;
    return;
  case NvccAction::IgnoreUnknown:
    State.IgnoreUnknown = true;
    return;
  case NvccAction::NoProfile:
    State.NoProfile = true;
    return;
  }
}

std::optional<CudaToolkit> Translation::nvccToolkit(const NvccState &State) {
  if (!Parent.Options.CudaPath.empty())
    return toolkitAt(Parent.Options.CudaPath);
  if (Call.Kind == CompilerKind::Nvcc) {
    std::string Nvcc = findProgram(Call.Program, Command.Directory, System);
    auto [It, New] =
        Parent.Toolkits.try_emplace(Nvcc + '\n' + State.TargetDirectory);
    if (New && !Nvcc.empty())
      It->second = toolkitOfNvcc(Nvcc, System, State.TargetDirectory);
    if (It->second)
      return It->second;
  }
  return defaultToolkit();
}

GpuArchSet Translation::nvccArchs(const NvccState &State,
                                  const std::optional<CudaToolkit> &Toolkit) {
  GpuArchSet Archs = requestedArchs();
  if (!Archs.empty())
    return Archs;
  unsigned Major = Toolkit ? Toolkit->Major : 13;
  unsigned Minor = Toolkit ? Toolkit->Minor : 0;
  for (const std::vector<std::string> &Items : State.GenerateCode)
    addGenerateCode(Items, Archs);
  if (State.Arch == "all" || State.Arch == "all-major") {
    std::vector<GpuArch> All = allArchs(Major, Minor, State.Arch != "all");
    Archs.Virtual.insert(Archs.Virtual.end(), All.begin(), All.end());
    Archs.Code.insert(Archs.Code.end(), All.begin(), All.end());
  } else if (State.Arch == "native") {
    // Which GPU that is, only the machine of the build knows.
    Archs.Virtual.push_back({90, 0});
    Archs.Code.push_back({90, 0});
    warn("-arch=native is taken as sm_90", "say which GPU with --arch");
  } else if (std::optional<GpuArch> Arch = parseGpuArch(State.Arch)) {
    Archs.Virtual.push_back(*Arch);
    if (State.Code.empty())
      Archs.Code.push_back(*Arch);
    addGenerateCode(
        [&] {
          std::vector<std::string> Items = {"code="};
          append(Items, State.Code);
          return Items;
        }(),
        Archs);
  } else if (!State.Arch.empty()) {
    warn("architecture '" + State.Arch + "' is not known");
  }
  if (Archs.empty()) {
    Archs.Virtual.push_back(defaultArch(Major));
    Archs.Code = Archs.Virtual;
  }
  return Archs;
}

Result<ClangCommand> Translation::nvcc() {
  std::vector<std::string> Whole =
      splitNvccEnvironment(System.environment("NVCC_PREPEND_FLAGS"));
  append(Whole, Call.Arguments);
  append(Whole, splitNvccEnvironment(System.environment("NVCC_APPEND_FLAGS")));
  Call.Arguments = std::move(Whole);
  Result<std::vector<std::string>> Arguments = expandedArguments();
  if (!Arguments)
    return Arguments.errors();

  NvccState State;
  State.HostCompiler = System.environment("NVCC_CCBIN");
  bool Wrapper = Call.Kind == CompilerKind::NvccWrapper;
  for (const NvccArgument &Argument : parseNvccArguments(*Arguments))
    applyNvcc(Argument, State);
  if (State.ForwardUnknown || Wrapper)
    append(State.HostOptions, State.Unknown);
  else if (!State.IgnoreUnknown)
    warnUnknown(State.Unknown, "nvcc");
  HostArguments Host = parseHostArguments(State.HostOptions);
  if (State.ForwardUnknown || Wrapper || !State.HostOptions.empty())
    warnUnknown(Host.Unknown, "host compiler");

  Result<std::string> File = mainFile(State.Inputs);
  if (!File)
    return File.errors();
  SourceKind Kind = sourceKind(*File);
  Language L = Language::Cuda;
  if (State.Language == "c" ||
      (State.Language.empty() && !Wrapper && Kind == SourceKind::C))
    L = Language::C;
  else if (State.Language == "c++" ||
           (State.Language.empty() && !Wrapper && Kind == SourceKind::Cxx))
    L = Language::Cxx;

  ClangCommand Clang;
  std::string Standard =
      State.Standard.empty() ? Host.Standard : State.Standard;
  // nvcc 12 and 13 take C++17, GCC and clang with GNU extensions.
  if (Standard.empty() && L != Language::C)
    Standard = "gnu++17";
  begin(Clang, L, Standard);
  Clang.RelocatableDeviceCode = State.Relocatable;
  std::optional<CudaToolkit> Toolkit = nvccToolkit(State);
  GpuArchSet Archs = nvccArchs(State, Toolkit);
  auto &Out = Clang.Arguments;
  if (L == Language::Cuda) {
    addCuda(Clang, Toolkit, Archs);
    // Newer clangs mangle some templates differently from nvcc.
    Out.push_back("-fclang-abi-compat=17");
  } else if (Toolkit) {
    Clang.CudaPath = Toolkit->Root;
    Clang.CudaVersion = Toolkit->version();
  }
  append(Out,
         toolchain(State.HostCompiler.empty() ? "gcc" : State.HostCompiler));
  append(Out, Host.Kept);
  append(Out, State.Passed);
  for (const std::string &Folder : State.Includes)
    Out.push_back("-I" + Folder);
  bool Folders = Toolkit && !State.NoProfile;
  if (Folders)
    addCudaFolders(Clang, *Toolkit);
  for (const std::string &Folder : State.SystemIncludes)
    append(Out, {"-isystem", Folder});
  if (Folders && !Toolkit->CcclFolder.empty())
    append(Out, {"-isystem", Toolkit->CcclFolder});

  for (const std::string &Macro : State.Defines)
    Out.push_back("-D" + Macro);
  for (const std::string &Macro : State.Undefines)
    Out.push_back("-U" + Macro);
  // CUB and Thrust name their inline namespace after the whole list.
  Out.push_back("-D__CUDA_ARCH_LIST__=" + Archs.archList());
  if (Toolkit && Toolkit->Major) {
    std::string Major = std::to_string(Toolkit->Major);
    std::string Minor = std::to_string(Toolkit->Minor);
    append(Out, {"-D__CUDACC_VER_MAJOR__=" + Major,
                 "-D__CUDACC_VER_MINOR__=" + Minor,
                 "-D__CUDACC_VER_BUILD__=" + std::to_string(Toolkit->Build),
                 "-D__CUDA_API_VER_MAJOR__=" + Major,
                 "-D__CUDA_API_VER_MINOR__=" + Minor});
  }
  if (L == Language::Cuda) {
    // __NVCC__ stays undefined: with it CCCL takes what only nvcc compiles.
    // What stands in for __NVCC__ in <cooperative_groups.h>: without it
    // cluster_group is missing.
    Out.push_back("-D_CG_CLUSTER_INTRINSICS_AVAILABLE");
    if (State.Relocatable)
      Out.push_back("-D__CUDACC_RDC__");
    for (const std::string &Macro : State.Macros)
      Out.push_back("-D" + Macro);
  } else {
    // Host code is compiled by the host compiler, with this one macro.
    Out.push_back("-D__NVCC__");
  }
  finish(Clang, *File);
  return Clang;
}

} // namespace kplan::scan
