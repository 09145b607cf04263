//===- PlanCompiler.cpp - The cubins that a plan needs --------------------===//

#include "link/PlanCompiler.h"

#include "image/Compiled.h"
#include "image/Image.h"
#include "image/Origin.h"
#include "image/Sha256.h"
#include "image/Store.h"
#include "link/LinkJob.h"
#include "link/LinkOptions.h"
#include "plan/FileIO.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

namespace fs = std::filesystem;

namespace kplan::link {

namespace {

constexpr size_t LargestInput = size_t(1) << 30;

/// Something to be linked, for every architecture.
struct Source {
  std::string What; ///< "module m".
  std::vector<LinkInput> Inputs;
  std::vector<std::string> Options;
  std::vector<std::string> Planned; ///< Sorted.
  std::vector<std::string> Ids;
  std::vector<CompiledImage> *Compiled;
  bool MayNotFit = false; ///< Not every architecture needs to run it.
};

class Compiler {
public:
  Compiler(Plan P, const CompileRequest &Request,
           const std::function<void(const CompileStep &)> &Step)
      : Request(Request), Step(Step) {
    Out.Plan = std::move(P);
    std::error_code Error;
    SameStore = fs::equivalent(Request.PlanFolder, Request.OutFolder, Error);
  }

  Result<CompileResult> run() {
    copyImages();
    for (Module &M : Out.Plan.Modules)
      addModule(M);
    if (Request.Ptx)
      for (Image &I : Out.Plan.Images)
        if (I.Kind == ImageKind::Ptx)
          addPtx(I);
    if (Errors.empty() && !Sources.empty())
      linkAll();
    if (!Errors.empty())
      return Errors;
    return std::move(Out);
  }

private:
  void fail(const std::vector<Diagnostic> &Why) {
    Errors.insert(Errors.end(), Why.begin(), Why.end());
  }

  void copyImages();
  void copyCompiled(std::vector<CompiledImage> &Compiled);
  void addModule(Module &M);
  void addPtx(Image &I);
  void linkAll();
  void linkOne(const NvJitLink &Linker, Source &From, image::Arch Wanted);
  bool reuse(const Source &From, const LinkJob &Job, const CompiledImage &Made);
  static void keep(const Source &From, CompiledImage Made);

  const CompileRequest &Request;
  const std::function<void(const CompileStep &)> &Step;
  CompileResult Out;
  bool SameStore = false;
  std::vector<Source> Sources;
  std::deque<std::string> Held; ///< Bytes of modules' inputs.
  std::deque<image::ImageBytes> HeldImages;
  size_t Steps = 0, StepsDone = 0;
  std::vector<Diagnostic> Errors;
};

/// The compiled plan has what it refers to in its own store.
void Compiler::copyImages() {
  if (SameStore)
    return;
  image::Store From(Request.PlanFolder), To(Request.OutFolder);
  for (Image &I : Out.Plan.Images) {
    if (auto *Store = std::get_if<StoreOrigin>(&I.Origin)) {
      auto Bytes = From.read(*Store, I.Id);
      if (!Bytes) {
        fail(Bytes.errors());
        continue;
      }
      auto Kept = To.add(I.Kind, I.Id, Bytes->view());
      if (Kept)
        I.Origin = std::move(*Kept);
      else
        fail(Kept.errors());
    }
    copyCompiled(I.Compiled);
  }
  for (Module &M : Out.Plan.Modules)
    copyCompiled(M.Compiled);
}

void Compiler::copyCompiled(std::vector<CompiledImage> &Compiled) {
  for (CompiledImage &C : Compiled) {
    auto Bytes = image::readCompiled(C, Request.PlanFolder);
    if (!Bytes) {
      fail(Bytes.errors());
      continue;
    }
    auto Kept = image::Store(Request.OutFolder)
                    .add(ImageKind::Cubin, image::contentId(Bytes->view()),
                         Bytes->view());
    if (Kept)
      C.File = Kept->Path;
    else
      fail(Kept.errors());
  }
}

std::string inFolder(const std::string &Folder, const std::string &Path) {
  return Folder.empty() || Path.starts_with('/') ? Path : Folder + '/' + Path;
}

void Compiler::addModule(Module &M) {
  Source S;
  S.What = "module " + M.Name;
  S.Compiled = &M.Compiled;
  auto Options = linkOptions(M);
  if (!Options)
    return fail(Options.errors());
  S.Options = std::move(*Options);
  bool Complete = true;
  const std::string Folder =
      Request.FromWorkingFolder.contains(M.Name) ? "" : Request.PlanFolder;
  for (const std::string &Path : M.Inputs) {
    auto Bytes = readFile(inFolder(Folder, Path), LargestInput);
    if (!Bytes) {
      fail(Bytes.errors());
      Complete = false;
      continue;
    }
    Held.push_back(std::move(*Bytes));
    image::ByteView View(Held.back());
    auto Kind = identifyInput(View);
    if (!Kind) {
      Diagnostic D = Kind.errors().front();
      D.File = Path;
      fail({D});
      Complete = false;
      continue;
    }
    S.Ids.push_back(image::contentId(View));
    S.Inputs.push_back({*Kind, View, Path});
  }
  if (!Complete)
    return;
  if (S.Inputs.empty())
    return fail({makeError("module '" + M.Name + "' has no inputs")});
  // Kernels that the plan knows without an image are the program's own or a
  // module's: of the module are those that its inputs define.
  std::set<std::string> Wanted;
  for (const Kernel &K : Out.Plan.Kernels)
    if (K.Key.Image.empty())
      Wanted.insert(K.Key.Symbol);
  for (std::string &Symbol : definedKernels(S.Inputs))
    if (Wanted.contains(Symbol))
      S.Planned.push_back(std::move(Symbol));
  Sources.push_back(std::move(S));
}

std::string originName(const Image &I) {
  if (const auto *File = std::get_if<FileOrigin>(&I.Origin))
    return File->File + " at " + std::to_string(File->Offset);
  if (const auto *Store = std::get_if<StoreOrigin>(&I.Origin))
    return Store->Path;
  return I.Id;
}

void Compiler::addPtx(Image &I) {
  Source S;
  S.What = "image " + I.Id;
  S.Compiled = &I.Compiled;
  S.MayNotFit = true;
  const std::string Name = originName(I);
  auto Options = linkOptions(I.Options);
  if (!Options) {
    Diagnostic D = Options.errors().front();
    D.File = Name;
    return fail({D});
  }
  S.Options = std::move(*Options);
  // Its store has been copied by now.
  auto Bytes = image::readOrigin(I, Request.OutFolder);
  if (!Bytes)
    return fail(Bytes.errors());
  HeldImages.push_back(std::move(*Bytes));
  S.Inputs.push_back({InputKind::Ptx, HeldImages.back().view(), Name});
  S.Ids.push_back(I.Id);
  for (const Kernel &K : Out.Plan.Kernels)
    if (K.Key.Image == I.Id)
      S.Planned.push_back(K.Key.Symbol);
  std::sort(S.Planned.begin(), S.Planned.end());
  Sources.push_back(std::move(S));
}

void Compiler::linkAll() {
  if (Request.Archs.empty())
    return fail({makeError("nothing says for which architecture to compile",
                           "add --arch sm_90")});
  auto Linker = NvJitLink::open(linkerPlaces(Request.CudaPath));
  if (!Linker)
    return fail(Linker.errors());
  Steps = Sources.size() * Request.Archs.size();
  for (Source &S : Sources)
    for (image::Arch Wanted : Request.Archs)
      linkOne(*Linker, S, Wanted);
}

void Compiler::linkOne(const NvJitLink &Linker, Source &From,
                       image::Arch Wanted) {
  ++StepsDone;
  auto Job = makeLinkJob(From.Inputs, Wanted, From.Options);
  if (!Job && From.MayNotFit) {
    Diagnostic D = Job.errors().front();
    D.Level = Severity::Warning;
    Out.Warnings.push_back(std::move(D));
    return;
  }
  if (!Job)
    return fail(Job.errors());

  CompiledImage Made;
  Made.Arch = Job->Arch.name();
  Made.Tool = Linker.name();
  Made.Options = Job->Options;
  Made.Sources = From.Ids;
  if (reuse(From, *Job, Made))
    return;
  Step({StepsDone, Steps, From.What + " for " + Made.Arch});
  auto Cubin = runLinkJob(Linker, *Job);
  if (!Cubin)
    return fail(Cubin.errors());
  image::ByteView Bytes(*Cubin);
  if (auto Wrong = checkLinked(Bytes, *Job, From.Planned))
    return fail({*Wrong});
  auto Kept = image::Store(Request.OutFolder)
                  .add(ImageKind::Cubin, image::contentId(Bytes), Bytes);
  if (!Kept)
    return fail(Kept.errors());
  Made.File = Kept->Path;
  Made.Sha256 = image::sha256(Bytes);
  keep(From, std::move(Made));
  ++Out.Linked;
}

/// Takes a cubin that was made as \p Made would be, and is still what it was.
bool Compiler::reuse(const Source &From, const LinkJob &Job,
                     const CompiledImage &Made) {
  auto Usable = [&](const CompiledImage &C) {
    if (C.Arch != Made.Arch || C.Tool != Made.Tool ||
        C.Options != Made.Options || C.Sources != Made.Sources)
      return false;
    auto Bytes = image::readCompiled(C, Request.OutFolder);
    return Bytes && !checkLinked(Bytes->view(), Job, From.Planned);
  };
  auto FindIn = [&](const std::vector<CompiledImage> &List) {
    auto Found = std::find_if(List.begin(), List.end(), Usable);
    return Found == List.end() ? std::nullopt : std::optional(*Found);
  };
  std::optional<CompiledImage> Kept = FindIn(*From.Compiled);
  if (!Kept)
    Kept = FindIn(Request.Before);
  if (!Kept)
    return false;
  keep(From, std::move(*Kept));
  ++Out.Reused;
  return true;
}

/// One cubin for each architecture.
void Compiler::keep(const Source &From, CompiledImage Made) {
  std::erase_if(*From.Compiled,
                [&](const CompiledImage &C) { return C.Arch == Made.Arch; });
  From.Compiled->push_back(std::move(Made));
}

} // namespace

Result<CompileResult>
compilePlanCode(Plan P, const CompileRequest &Request,
                const std::function<void(const CompileStep &)> &Step) {
  return Compiler(std::move(P), Request, Step).run();
}

} // namespace kplan::link
