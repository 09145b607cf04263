//===- NvJitLink.cpp - NVIDIA's device linker, loaded when it is needed ---===//

#include "link/NvJitLink.h"

#include "image/Origin.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <memory>

namespace fs = std::filesystem;

namespace kplan::link {

// The interface of nvJitLink.h, which toolkits may lack. Result 0 is success.
using Handle = struct Link *;

struct NvJitLink::Functions {
  int (*Version)(unsigned *, unsigned *) = nullptr;
  int (*Create)(Handle *, uint32_t, const char **) = nullptr;
  int (*Destroy)(Handle *) = nullptr;
  int (*AddData)(Handle, int, const void *, size_t, const char *) = nullptr;
  int (*Complete)(Handle) = nullptr;
  int (*GetLinkedCubinSize)(Handle, size_t *) = nullptr;
  int (*GetLinkedCubin)(Handle, void *) = nullptr;
  int (*GetErrorLogSize)(Handle, size_t *) = nullptr;
  int (*GetErrorLog)(Handle, char *) = nullptr;
  int (*GetInfoLogSize)(Handle, size_t *) = nullptr;
  int (*GetInfoLog)(Handle, char *) = nullptr;
};

// Finding it.

/// Newest first. The functions used here are the same in both.
static constexpr auto SonameMajors = std::to_array<unsigned>({13, 12});

static std::string sonameOf(unsigned Major) {
  return "libnvJitLink.so." + std::to_string(Major);
}

/// The folders of a toolkit, and of wheels below a `site-packages`.
static void addInstallation(std::vector<std::string> &Out,
                            const std::string &Root) {
  for (const char *Inside :
       {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
        "nvidia/cu13/lib", "nvidia/nvjitlink/lib"})
    Out.push_back(Root + '/' + Inside);
}

/// Wheels of a Python environment.
static void addPython(std::vector<std::string> &Out, const std::string &Root) {
  std::error_code Error;
  for (fs::directory_iterator It(Root + "/lib", Error), End;
       !Error && It != End; It.increment(Error))
    if (It->path().filename().string().starts_with("python3"))
      for (const char *Inside : {"nvidia/cu13/lib", "nvidia/nvjitlink/lib"})
        Out.push_back((It->path() / "site-packages" / Inside).string());
  Out.push_back(Root + "/lib");
}

LinkerPlaces linkerPlaces(const std::string &CudaPath) {
  LinkerPlaces Places;
  if (!CudaPath.empty()) {
    Places.Loader = false;
    Places.Folders.push_back(CudaPath);
    addInstallation(Places.Folders, CudaPath);
    return Places;
  }
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Root = std::getenv(Variable); Root && *Root)
      addInstallation(Places.Folders, Root);
  for (const char *Variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *Root = std::getenv(Variable); Root && *Root)
      addPython(Places.Folders, Root);
  addInstallation(Places.Folders, KPLAN_CUDA_ROOT);
  return Places;
}

/// What dlopen() would not say of a file that is there.
static bool exists(const std::string &Path) {
  std::error_code Error;
  return fs::exists(Path, Error);
}

static std::string pathOf(void *Library) {
  struct link_map *Map = nullptr;
  if (::dlinfo(Library, RTLD_DI_LINKMAP, static_cast<void *>(&Map)) != 0 ||
      !Map)
    return {};
  return Map->l_name;
}

Result<NvJitLink> NvJitLink::open(const LinkerPlaces &Places) {
  void *Library = nullptr;
  std::string Looked, Broken;
  auto Try = [&](const std::string &Path) {
    Library = ::dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return Library != nullptr;
  };
  for (const std::string &Folder : Places.Folders) {
    std::error_code Error;
    if (!fs::is_directory(Folder, Error))
      continue;
    Looked += (Looked.empty() ? "" : ", ") + Folder;
    for (unsigned Major : SonameMajors) {
      std::string Path = Folder + '/' + sonameOf(Major);
      if (!exists(Path) || Try(Path))
        continue;
      Broken = ::dlerror();
    }
    if (Library)
      break;
  }
  if (!Library && Places.Loader) {
    Looked += (Looked.empty() ? "" : ", ") +
              std::string("and where the system's loader looks");
    for (unsigned Major : SonameMajors)
      if (Try(sonameOf(Major)))
        break;
  }
  if (!Library && !Broken.empty())
    return makeError("libnvJitLink cannot be opened: " + Broken);
  if (!Library)
    return makeError(
        "libnvJitLink, the device linker of CUDA 12 and 13, was not found",
        (Looked.empty() ? "there are none of the folders where it could be"
                        : "looked in " + Looked) +
            "; it comes with the CUDA toolkit and as the wheel "
            "nvidia-nvjitlink: say where with --cuda-path");

  auto F = std::make_shared<Functions>();
  std::string Missing;
  auto Find = [&](auto &To, const std::string &Function) {
    using Pointer = std::remove_reference_t<decltype(To)>;
    std::string Plain = "nvJitLink" + Function;
    To = reinterpret_cast<Pointer>(::dlsym(Library, Plain.c_str()));
    if (!To)
      Missing = Plain;
  };
  Find(F->Version, "Version");
  Find(F->Create, "Create");
  Find(F->Destroy, "Destroy");
  Find(F->AddData, "AddData");
  Find(F->Complete, "Complete");
  Find(F->GetLinkedCubinSize, "GetLinkedCubinSize");
  Find(F->GetLinkedCubin, "GetLinkedCubin");
  Find(F->GetErrorLogSize, "GetErrorLogSize");
  Find(F->GetErrorLog, "GetErrorLog");
  Find(F->GetInfoLogSize, "GetInfoLogSize");
  Find(F->GetInfoLog, "GetInfoLog");
  std::string Path = pathOf(Library);
  auto Unusable = [&](std::string Why) {
    Diagnostic D = makeError(std::move(Why), "install another version of CUDA");
    D.File = Path;
    return D;
  };
  if (!Missing.empty())
    return Unusable("this libnvJitLink has no " + Missing);
  unsigned Minor = 0;
  NvJitLink Out;
  if (F->Version(&Out.Major, &Minor) != 0)
    return Unusable("this libnvJitLink does not tell its version");
  Out.Name =
      "nvjitlink " + std::to_string(Out.Major) + '.' + std::to_string(Minor);
  if (std::string Build = image::readBuildId(Path); !Build.empty())
    Out.Name += ", build " + Build;
  Out.Call = std::move(F);
  return Out;
}

// Linking.

namespace {

const char *resultText(int Result) {
  static constexpr auto Texts = std::to_array<const char *>(
      {"success", "unrecognized option", "no architecture", "invalid input",
       "PTX could not be compiled", "NVVM could not be compiled",
       "internal error", "thread pool", "unrecognized input", "not complete",
       "null input", "incompatible options", "wrong type of input",
       "architectures do not match", "the linker is older than an input",
       "missing fatbin", "unrecognized architecture",
       "unsupported architecture", "LTO is not enabled"});
  return Result >= 0 && static_cast<size_t>(Result) < Texts.size()
             ? Texts[static_cast<size_t>(Result)]
             : "unknown error";
}

std::string readLog(Handle H, int (*GetSize)(Handle, size_t *),
                    int (*Get)(Handle, char *)) {
  size_t Size = 0;
  if (!H || GetSize(H, &Size) != 0 || !Size)
    return {};
  std::string Log(Size, '\0');
  if (Get(H, Log.data()) != 0)
    return {};
  Log.resize(std::min(Log.find('\0'), Log.size()));
  while (!Log.empty() && Log.back() == '\n')
    Log.pop_back();
  return Log;
}

} // namespace

Result<std::string> NvJitLink::link(const std::vector<std::string> &Options,
                                    const std::vector<LinkInput> &Inputs,
                                    std::string *Warnings) const {
  std::vector<const char *> Arguments;
  Arguments.reserve(Options.size());
  for (const std::string &Option : Options)
    Arguments.push_back(Option.c_str());

  Handle H = nullptr;
  auto Close = [this](Handle *Open) {
    if (*Open)
      (void)Call->Destroy(Open);
  };
  std::unique_ptr<Handle, decltype(Close)> Closing(&H, Close);
  auto Failed = [&](int Result, const std::string &Where) {
    std::string Log = readLog(H, Call->GetErrorLogSize, Call->GetErrorLog);
    Diagnostic D = makeError(
        "the device linker failed: " + std::string(resultText(Result)) +
        (Log.empty() ? "" : "\n" + Log));
    D.File = Where;
    return D;
  };
  std::string All;
  for (const LinkInput &Input : Inputs)
    All += (All.empty() ? "" : ", ") + Input.Name;

  if (int Result = Call->Create(&H, static_cast<uint32_t>(Arguments.size()),
                                Arguments.data()))
    return Failed(Result, All);
  for (const LinkInput &Input : Inputs) {
    // It reads PTX up to its NUL.
    std::string Text;
    const void *Data = Input.Bytes.data();
    size_t Size = Input.Bytes.size();
    if (Input.Kind == InputKind::Ptx) {
      Text = Input.Bytes.text();
      Data = Text.c_str();
      ++Size;
    }
    if (int Result = Call->AddData(H, static_cast<int>(Input.Kind), Data, Size,
                                   Input.Name.c_str()))
      return Failed(Result, Input.Name);
  }
  if (int Result = Call->Complete(H))
    return Failed(Result, All);
  size_t Size = 0;
  if (int Result = Call->GetLinkedCubinSize(H, &Size))
    return Failed(Result, All);
  std::string Cubin(Size, '\0');
  if (int Result = Call->GetLinkedCubin(H, Cubin.data()))
    return Failed(Result, All);
  if (Warnings)
    *Warnings = readLog(H, Call->GetInfoLogSize, Call->GetInfoLog);
  return Cubin;
}

} // namespace kplan::link
