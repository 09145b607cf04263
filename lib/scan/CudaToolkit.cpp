//===- CudaToolkit.cpp ----------------------------------------------------===//

#include "scan/CudaToolkit.h"

#include "scan/CommandLine.h"
#include "scan/Paths.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kplan::scan {

namespace {

struct Version {
  unsigned Major = 0, Minor = 0, Build = 0;
};

/// "13.0.88", ended by anything else.
std::optional<Version> parseVersion(std::string_view Text) {
  std::array<unsigned, 3> Parts{};
  const char *At = Text.data(), *End = At + Text.size();
  for (size_t Part = 0; Part < Parts.size(); ++Part) {
    auto [Next, Error] = std::from_chars(At, End, Parts[Part]);
    if (Error != std::errc())
      return std::nullopt;
    At = Next;
    if (Part + 1 < Parts.size()) {
      if (At == End || *At != '.')
        return std::nullopt;
      ++At;
    }
  }
  return Version{Parts[0], Parts[1], Parts[2]};
}

std::optional<Version> versionAfter(std::string_view Text,
                                    std::string_view Marker) {
  size_t At = Text.find(Marker);
  if (At == std::string_view::npos)
    return std::nullopt;
  return parseVersion(Text.substr(At + Marker.size()));
}

/// NVIDIA's installers write version.json: "cuda_nvcc": {..., "version": ...}.
std::optional<Version> versionFromJson(const std::string &Root,
                                       const HostSystem &System) {
  std::optional<std::string> Text = System.read(Root + "/version.json");
  if (!Text)
    return std::nullopt;
  size_t Nvcc = Text->find("\"cuda_nvcc\"");
  if (Nvcc == std::string::npos)
    return std::nullopt;
  std::string_view Rest = std::string_view(*Text).substr(Nvcc);
  size_t Key = Rest.find("\"version\"");
  if (Key == std::string_view::npos)
    return std::nullopt;
  Rest.remove_prefix(Key + 9);
  size_t Digit = Rest.find_first_of("0123456789");
  if (Digit == std::string_view::npos)
    return std::nullopt;
  return parseVersion(Rest.substr(Digit));
}

/// nvcc's own `--version` text, found in the program.
std::optional<Version> versionFromNvcc(const std::string &Root,
                                       const HostSystem &System) {
  std::optional<std::string> Program = System.read(Root + "/bin/nvcc");
  if (!Program)
    return std::nullopt;
  std::string_view Text = *Program;
  size_t At = Text.find("Cuda compilation tools, release ");
  if (At == std::string_view::npos)
    return std::nullopt;
  return versionAfter(Text.substr(At, 80), ", V");
}

/// Wheels: nvidia_cuda_nvcc-13.0.88.dist-info, two folders above nvidia/cu13.
std::optional<Version> versionFromWheels(const std::string &Root,
                                         const HostSystem &System) {
  std::string Parent = parentPath(Root);
  for (const std::string &Folder :
       {Root + "/dist-info", Parent, parentPath(Parent)})
    for (const std::string &Name : System.list(Folder))
      if (Name.starts_with("nvidia_cuda_nvcc"))
        if (std::optional<Version> V = versionAfter(Name, "-"))
          return V;
  return std::nullopt;
}

/// `#define CUDA_VERSION 13000`.
std::optional<Version> versionFromHeader(const std::string &IncludeFolder,
                                         const HostSystem &System) {
  std::optional<std::string> Text = System.read(IncludeFolder + "/cuda.h");
  if (!Text)
    return std::nullopt;
  constexpr std::string_view Define = "#define CUDA_VERSION ";
  size_t At = Text->find(Define);
  if (At == std::string::npos)
    return std::nullopt;
  unsigned Number = 0;
  const char *Begin = Text->data() + At + Define.size();
  std::from_chars(Begin, Text->data() + Text->size(), Number);
  return Version{Number / 1000, Number % 1000 / 10, 0};
}

std::vector<std::string> includeFolders(const std::string &Root,
                                        const HostSystem &System,
                                        std::string_view Target) {
  std::vector<std::string> Candidates;
  if (!Target.empty()) {
    Candidates = {Root + "/targets/" + std::string(Target) + "/include"};
  } else {
    Candidates = {Root + "/include", Root + "/targets/x86_64-linux/include",
                  Root + "/targets/sbsa-linux/include",
                  Root + "/targets/aarch64-linux/include"};
  }
  for (const std::string &Folder : Candidates)
    if (System.isFile(Folder + "/cuda.h"))
      return {Folder};
  // CUDA 12's wheels: a folder for each part.
  std::string Runtime = Root + "/cuda_runtime/include";
  if (!System.isFile(Runtime + "/cuda.h"))
    return {};
  std::vector<std::string> Folders = {Runtime};
  for (const std::string &Name : System.list(Root)) {
    std::string Folder = Root + "/" + Name + "/include";
    if (Name != "cuda_runtime" && System.isDirectory(Folder))
      Folders.push_back(Folder);
  }
  return Folders;
}

/// `exec /opt/cuda/bin/nvcc "$@"`: the nvcc that a script starts.
std::string scriptTarget(const std::string &Script, const HostSystem &System) {
  std::optional<std::string> Text = System.read(Script);
  if (!Text || Text->size() > 64 * 1024 || !Text->starts_with("#!"))
    return "";
  for (const std::vector<std::string> &Words : splitShell(*Text))
    for (const std::string &Word : Words)
      if (Word != Script && Word.starts_with("/") && fileName(Word) == "nvcc" &&
          System.isFile(Word))
        return Word;
  return "";
}

std::string newestNumbered(const std::string &Folder, std::string_view Prefix,
                           const HostSystem &System) {
  std::string Newest;
  std::pair<unsigned, unsigned> Best;
  for (const std::string &Name : System.list(Folder)) {
    if (!Name.starts_with(Prefix))
      continue;
    // "12.4": as a version with a build number.
    std::optional<Version> V = parseVersion(Name.substr(Prefix.size()) + ".0");
    if (V && std::pair(V->Major, V->Minor) > Best) {
      Best = {V->Major, V->Minor};
      Newest = Folder + "/" + Name;
    }
  }
  return Newest;
}

} // namespace

std::string CudaToolkit::version() const {
  return std::to_string(Major) + "." + std::to_string(Minor);
}

std::optional<CudaToolkit> openCudaToolkit(const std::string &Root,
                                           const HostSystem &System,
                                           std::string_view Target) {
  CudaToolkit Toolkit;
  Toolkit.Root = Root;
  Toolkit.IncludeFolders = includeFolders(Root, System, Target);
  if (Toolkit.IncludeFolders.empty())
    return std::nullopt;
  const std::string &Main = Toolkit.IncludeFolders.front();
  if (System.isDirectory(Main + "/cccl"))
    Toolkit.CcclFolder = Main + "/cccl";
  Toolkit.ClangFindsHeaders =
      Main == Root + "/include" && System.isDirectory(Root + "/bin");

  std::optional<Version> Header = versionFromHeader(Main, System);
  for (auto Reader : {versionFromJson, versionFromNvcc, versionFromWheels}) {
    std::optional<Version> V = Reader(Root, System);
    // A build number counts only where it is that of the headers' release.
    if (!V ||
        (Header && (V->Major != Header->Major || V->Minor != Header->Minor)))
      continue;
    Header = V;
    break;
  }
  if (Header) {
    Toolkit.Major = Header->Major;
    Toolkit.Minor = Header->Minor;
    Toolkit.Build = Header->Build;
  }
  return Toolkit;
}

std::optional<CudaToolkit> toolkitOfNvcc(const std::string &Nvcc,
                                         const HostSystem &System,
                                         std::string_view Target) {
  std::string Script = scriptTarget(Nvcc, System);
  for (const std::string &Program :
       {Nvcc, System.realPath(Nvcc), Script,
        Script.empty() ? Script : System.realPath(Script)}) {
    if (Program.empty())
      continue;
    std::string Root = parentPath(parentPath(Program));
    if (std::optional<CudaToolkit> Toolkit =
            openCudaToolkit(Root, System, Target))
      return Toolkit;
  }
  return std::nullopt;
}

std::optional<CudaToolkit> findCudaToolkit(const HostSystem &System) {
  for (const char *Variable : {"CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH"}) {
    std::string Root = System.environment(Variable);
    if (!Root.empty())
      if (auto Toolkit = openCudaToolkit(absolutePath(Root, "/"), System))
        return Toolkit;
  }
  std::string Nvcc = findProgram("nvcc", "/", System);
  if (!Nvcc.empty())
    if (auto Toolkit = toolkitOfNvcc(Nvcc, System))
      return Toolkit;
  for (const std::string &Root : {std::string("/usr/local/cuda"),
                                  newestNumbered("/usr/local", "cuda-", System),
                                  std::string("/opt/cuda")})
    if (!Root.empty())
      if (auto Toolkit = openCudaToolkit(Root, System))
        return Toolkit;
  return std::nullopt;
}

} // namespace kplan::scan
