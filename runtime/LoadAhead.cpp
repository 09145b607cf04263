//===- LoadAhead.cpp - Load what the program will load --------------------===//

#include "LoadAhead.h"

#include "Context.h"
#include "LoadOptions.h"
#include "Residency.h"
#include "image/Compiled.h"
#include "image/Image.h"
#include "image/Origin.h"

#include <atomic>
#include <optional>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// What one image came to.
struct ImageResult {
  std::vector<CodeEntry> Entries;
  std::string Missing;
  std::string Warning;
};

std::string textOf(const Diagnostic &D) {
  std::string Text = format(D);
  while (!Text.empty() && Text.back() == '\n')
    Text.pop_back();
  return Text;
}

class ImageLoader {
public:
  ImageLoader(const DriverApi &Api, const LoadTarget &Target,
              const std::string &PlanFolder, const CodeTable &Table)
      : Api(Api), Target(Target), PlanFolder(PlanFolder), Table(Table),
        Capability(capabilityOf(Api, Target.Device)) {}

  ImageResult load(const Image &I) {
    ImageResult Result;
    auto Miss = [&](const std::string &Why) {
      Result.Missing = "image " + I.Id + ": " + Why;
    };
    if (I.LoadedBy == Loader::Module && !Target.Home) {
      Miss("the driver does not tell contexts apart");
      return Result;
    }
    const unsigned There = Table.copies(I.LoadedBy, I.Id, I.Options, homeOf(I));
    if (There >= I.Copies)
      return Result;
    if (std::holds_alternative<std::monostate>(I.Origin)) {
      Miss("the plan has no bytes that could be loaded in its place; it is "
           "primed when the program has loaded it");
      return Result;
    }
    auto Bytes = image::readOrigin(I, PlanFolder);
    if (!Bytes) {
      Miss(textOf(Bytes.errors().front()));
      return Result;
    }
    auto Shared = std::make_shared<const image::ImageBytes>(std::move(*Bytes));
    auto Identity = image::identify(Shared->view());
    if (!Identity || Identity->Kind != I.Kind ||
        Identity->Bytes.size() != Shared->view().size()) {
      Miss("the plan takes it for another kind of image");
      return Result;
    }
    const auto Compiled = compiledFor(I, Result);
    for (unsigned Copy = There; Copy < I.Copies; ++Copy) {
      auto Loaded = Compiled ? loadOne(I, *Compiled, ImageKind::Cubin)
                             : loadOne(I, *Shared, I.Kind);
      if (!Loaded) {
        Miss(Loaded.errors().front().Message);
        break;
      }
      Loaded->Bytes = Shared;
      Result.Entries.push_back(std::move(*Loaded));
    }
    return Result;
  }

  bool outOfMemory() const { return OutOfMemory.load(); }

private:
  uint64_t homeOf(const Image &I) const {
    return I.LoadedBy == Loader::Module ? Target.Home : 0;
  }

  /// 90 for compute capability 9.0; 0: not known.
  static unsigned capabilityOf(const DriverApi &Api, CUdevice Device) {
    int Major = 0, Minor = 0;
    if (Api.DeviceGetAttribute(&Major,
                               CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                               Device) != CUDA_SUCCESS ||
        Api.DeviceGetAttribute(&Minor,
                               CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                               Device) != CUDA_SUCCESS)
      return 0;
    return static_cast<unsigned>(10 * Major + Minor);
  }

  /// The cubin that the plan allows to stand in for PTX, if there is one for
  /// this device.
  std::optional<image::ImageBytes> compiledFor(const Image &I,
                                               ImageResult &To) const {
    if (!I.UseCompiled || I.Kind != ImageKind::Ptx || !Capability)
      return std::nullopt;
    const CompiledImage *Found = image::selectCompiled(I.Compiled, Capability);
    if (!Found)
      return std::nullopt;
    auto Bytes = image::readCompiled(*Found, PlanFolder);
    if (Bytes)
      return std::move(*Bytes);
    To.Warning = "image " + I.Id +
                 " is compiled by the driver, not taken from the plan: " +
                 textOf(Bytes.errors().front());
    return std::nullopt;
  }

  /// \param Code what is loaded for the image.
  Result<CodeEntry> loadOne(const Image &I, const image::ImageBytes &Bytes,
                            ImageKind Code) {
    // Options have been compiled in.
    auto Options = LoadAheadOptions::make(
        Code == I.Kind ? I.Options : SemanticOptions(), Code);
    if (!Options)
      return Options.errors();
    LoadAheadOptions &O = **Options;
    CodeEntry Entry;
    if (I.LoadedBy == Loader::Library) {
      CUlibrary Library = nullptr;
      if (CUresult Error =
              Api.LibraryLoadData(&Library, Bytes.data(), O.options(),
                                  O.values(), O.count(), nullptr, nullptr, 0))
        return failed(Error, "cuLibraryLoadData");
      Entry.Handle = Library;
    } else {
      CUmodule Module = nullptr;
      if (CUresult Error = Api.ModuleLoadDataEx(
              &Module, Bytes.data(), O.count(), O.options(), O.values()))
        return failed(Error, "cuModuleLoadDataEx");
      Entry.Handle = Module;
    }
    Entry.Owner = CodeOwner::Ahead;
    Entry.Image = I.Id;
    Entry.Options = I.Options;
    Entry.Home = homeOf(I);
    Entry.Device = Target.Device;
    Entry.Kind = I.Kind;
    Entry.Log = O.log(); // Of a cubin in the place of PTX: empty.
    return Entry;
  }

  Diagnostic failed(CUresult Error, const char *Call) {
    if (Error == CUDA_ERROR_OUT_OF_MEMORY)
      OutOfMemory.store(true);
    return makeError(Api.describe(Error, Call));
  }

  const DriverApi &Api;
  const LoadTarget &Target;
  const std::string &PlanFolder;
  const CodeTable &Table;
  const unsigned Capability;
  std::atomic<bool> OutOfMemory{false};
};

} // namespace

LoadedAhead kplan::runtime::loadAhead(const DriverApi &Api,
                                      const LoadTarget &Target, const Plan &P,
                                      const std::string &PlanFolder,
                                      CodeTable &Table) {
  ImageLoader Images(Api, Target, PlanFolder, Table);
  std::vector<ImageResult> Results(P.Images.size());
  try {
    runInContext(Api, Target.Context, Target.Threads, P.Images.size(),
                 [&](size_t I) {
                   if (!Images.outOfMemory())
                     Results[I] = Images.load(P.Images[I]);
                 });
  } catch (...) { // Out of memory, of the host.
    for (const ImageResult &R : Results)
      giveBack(Api, R.Entries);
    throw;
  }

  // In the order of the plan, whichever thread did them.
  LoadedAhead All;
  All.OutOfMemory = Images.outOfMemory();
  for (ImageResult &R : Results) {
    All.Copies += R.Entries.size();
    for (CodeEntry &E : R.Entries)
      Table.add(std::move(E));
    if (!R.Missing.empty())
      All.Missing.push_back(std::move(R.Missing));
    if (!R.Warning.empty())
      All.Warnings.push_back(std::move(R.Warning));
  }
  return All;
}

void kplan::runtime::giveBack(const DriverApi &Api,
                              const std::vector<CodeEntry> &Entries) {
  for (const CodeEntry &E : Entries) {
    if (const auto *Library = std::get_if<CUlibrary>(&E.Handle))
      Api.LibraryUnload(*Library);
    else
      Api.ModuleUnload(std::get<CUmodule>(E.Handle));
  }
}
