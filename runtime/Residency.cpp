//===- Residency.cpp - Bring code and globals onto the device -------------===//

#include "Residency.h"

#include "Context.h"
#include "LinkUnit.h"
#include "Parallel.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// More gain little (FACTS: 193, 134, 114, 106 ms with 1, 2, 4, 8) and disturb
/// a program that is starting.
constexpr unsigned DefaultThreads = 4;
constexpr unsigned MostThreads = 64;

/// One image's part of the result, and the cache configs that are in force.
struct ImageResult {
  Residency Part;
  std::set<CUfunction> Functions;
  CacheConfigs Caches;
};

class ImagePrimer {
public:
  ImagePrimer(const DriverApi &Api, const ResidencyTarget &Target,
              const CacheConfigs &Before)
      : Api(Api), Target(Target), Setter(Api, Target.Device), Before(Before) {}

  ImageResult prime(const ImageWork &Image) {
    ImageResult Result;
    std::optional<CodeTable::Pin> Pin;
    if (!Image.Unit && !Pin.emplace(*Target.Loaded, Image.Id.Serial))
      return Result; // Unloaded meanwhile.
    for (const KernelWork &K : Image.Kernels)
      primeKernel(Image, K, Result);
    for (const VariableWork &V : Image.Variables)
      primeVariable(Image, V, Result.Part);
    // Where the driver does not tell libraries, an image counts as one.
    Result.Part.Libraries = Api.KernelGetLibrary || !Image.Unit
                                ? Result.Part.Resident.size()
                                : Result.Part.Functions != 0;
    return Result;
  }

  bool outOfMemory() const { return OutOfMemory.load(); }

private:
  struct Found {
    KernelHandle Kernel;
    CUfunction Function = nullptr;
  };

  Result<Found> find(const ImageWork &Image, const KernelWork &Work) {
    CUkernel Kernel = nullptr;
    Found F;
    if (Image.Unit) {
      auto Known = getKernel(*Image.Unit, Work.Stub);
      if (!Known)
        return Known.errors();
      Kernel = *Known;
    } else if (auto *Module = std::get_if<CUmodule>(&Image.Code)) {
      if (CUresult Error =
              Api.ModuleGetFunction(&F.Function, *Module, Work.Symbol.c_str()))
        return failed(Error, "cuModuleGetFunction");
      F.Kernel = F.Function;
      return F;
    } else if (CUresult Error = Api.LibraryGetKernel(
                   &Kernel, std::get<CUlibrary>(Image.Code),
                   Work.Symbol.c_str())) {
      return failed(Error, "cuLibraryGetKernel");
    }
    F.Kernel = Kernel;
    if (CUresult Error = Api.KernelGetFunction(&F.Function, Kernel))
      return failed(Error, "cuKernelGetFunction");
    return F;
  }

  void primeKernel(const ImageWork &Image, const KernelWork &Work,
                   ImageResult &Out) {
    Residency &Part = Out.Part;
    auto F = find(Image, Work);
    if (!F) {
      Part.Missing.push_back("kernel " + Work.Symbol + ": " +
                             F.errors().front().Message);
      return;
    }
    // With relocatable device code the stubs of several TUs share one.
    if (!Out.Functions.insert(F->Function).second)
      return;
    ++Part.Functions;
    noteCode(Image, F->Kernel, Part);

    int Local = 0;
    if (Api.FuncGetAttribute(&Local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                             F->Function) == CUDA_SUCCESS &&
        Local > 0 && static_cast<uint64_t>(Local) > Part.LocalBytes) {
      Part.LocalBytes = static_cast<uint64_t>(Local);
      Part.LocalSymbol = Work.Symbol;
    }

    if (!Target.Attributes)
      return;
    Setter.setAttributes(F->Kernel, Work, Part.Attributes, Part.Missing);
    if (Work.Cache) {
      std::pair Key(Image.Id, Work.Symbol);
      auto Known = Before.find(Key);
      if (Setter.setCacheConfig(
              F->Kernel, Work, Known == Before.end() ? nullptr : &Known->second,
              Part.Attributes, Part.Missing))
        Out.Caches[Key] = *Work.Cache;
    }
  }

  void primeVariable(const ImageWork &Image, const VariableWork &V,
                     Residency &Part) {
    auto Miss = [&](const Diagnostic &Why) {
      Part.Missing.push_back("global " + V.Symbol + ": " + Why.Message);
    };
    if (Image.Unit) {
      if (auto Address = getSymbolAddress(*Image.Unit, V.Host))
        ++Part.Globals;
      else
        Miss(Address.errors().front());
      return;
    }
    CUdeviceptr Address = 0;
    size_t Size = 0;
    auto *Module = std::get_if<CUmodule>(&Image.Code);
    const char *Name = V.Symbol.c_str();
    CUresult Error;
    if (Module) {
      Error = Api.ModuleGetGlobal(&Address, &Size, *Module, Name);
    } else {
      CUlibrary Library = std::get<CUlibrary>(Image.Code);
      Error = Api.LibraryGetGlobal(&Address, &Size, Library, Name);
      // Managed variables of libraries have a function of their own.
      if (Error == CUDA_ERROR_NOT_FOUND)
        Error = Api.LibraryGetManaged(&Address, &Size, Library, Name);
    }
    if (Error == CUDA_SUCCESS) {
      ++Part.Globals;
      noteCode(Image, {}, Part);
    } else if (Error != CUDA_ERROR_NOT_FOUND || !V.MayBeMissing) {
      Miss(failed(Error, Module ? "cuModuleGetGlobal" : "cuLibraryGetGlobal"));
    }
  }

  void noteCode(const ImageWork &Image, KernelHandle Kernel,
                Residency &Part) const {
    ResidentLibrary Code{Image.Id, Image.Code};
    if (Image.Unit) {
      CUlibrary Library = nullptr;
      if (!Api.KernelGetLibrary ||
          Api.KernelGetLibrary(&Library, std::get<CUkernel>(Kernel)) !=
              CUDA_SUCCESS)
        return;
      Code.Code = Library;
    }
    if (std::find(Part.Resident.begin(), Part.Resident.end(), Code) ==
        Part.Resident.end())
      Part.Resident.push_back(Code);
  }

  Diagnostic failed(CUresult Error, const char *Call) {
    if (Error == CUDA_ERROR_OUT_OF_MEMORY)
      OutOfMemory.store(true);
    return makeError(Api.describe(Error, Call));
  }

  const DriverApi &Api;
  const ResidencyTarget &Target;
  AttributeSetter Setter;
  const CacheConfigs &Before;
  std::atomic<bool> OutOfMemory{false};
};

template <typename T> void append(std::vector<T> &To, std::vector<T> &From) {
  To.insert(To.end(), std::make_move_iterator(From.begin()),
            std::make_move_iterator(From.end()));
}

void add(Residency &Sum, Residency &Part) {
  Sum.Libraries += Part.Libraries;
  Sum.Functions += Part.Functions;
  Sum.Globals += Part.Globals;
  Sum.Attributes.Set += Part.Attributes.Set;
  Sum.Attributes.Unchanged += Part.Attributes.Unchanged;
  if (Part.LocalBytes > Sum.LocalBytes) {
    Sum.LocalBytes = Part.LocalBytes;
    Sum.LocalSymbol = Part.LocalSymbol;
  }
  append(Sum.Resident, Part.Resident);
  append(Sum.Missing, Part.Missing);
}

} // namespace

unsigned kplan::runtime::chooseThreads(unsigned Wanted) {
  if (Wanted)
    return std::min(Wanted, MostThreads);
  return std::clamp(std::thread::hardware_concurrency(), 1U, DefaultThreads);
}

void kplan::runtime::runInContext(const DriverApi &Api, CUcontext Context,
                                  unsigned Wanted, size_t Jobs,
                                  const std::function<void(size_t)> &Do) {
  runWorkers(Jobs, chooseThreads(Wanted),
             [&](const NextJob &Next, bool OnCaller) {
               RelaxedCapture Relaxed(Api);
               std::optional<CurrentContext> Current;
               if (!OnCaller) {
                 Current.emplace(Api, Context);
                 if (Current->error() != CUDA_SUCCESS)
                   return; // The calling thread has the context: it does all.
               }
               for (size_t I = 0; Next(I);)
                 Do(I);
             });
}

Residency kplan::runtime::makeResident(const DriverApi &Api,
                                       const ResidencyTarget &Target,
                                       const std::vector<ImageWork> &Images,
                                       CacheConfigs &Caches) {
  ImagePrimer Primer(Api, Target, Caches);
  std::vector<ImageResult> Results(Images.size());

  auto Run = [&] {
    runInContext(Api, Target.Context, Target.Threads, Images.size(),
                 [&](size_t I) {
                   if (!Primer.outOfMemory())
                     Results[I] = Primer.prime(Images[I]);
                 });
  };

  // The program's last CUDA error must outlive a failure of ours.
  const bool Keep = std::ranges::any_of(Images, [](const ImageWork &I) {
    return I.Unit && hasLastError(*I.Unit);
  });
  bool Done = false;
  if (Keep)
    runElsewhere([&] {
      CurrentContext Current(Api, Target.Context);
      if (Current.error() != CUDA_SUCCESS)
        return;
      Run();
      Done = true;
    });
  if (!Done)
    Run();

  // In the order of the images, whichever thread did them.
  Residency Sum;
  Sum.OutOfMemory = Primer.outOfMemory();
  for (ImageResult &R : Results) {
    add(Sum, R.Part);
    for (const auto &[Kernel, Config] : R.Caches)
      Caches[Kernel] = Config;
  }
  return Sum;
}
