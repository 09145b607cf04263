//===- Residency.cpp - Bring code and globals onto the device -------------===//

#include "Residency.h"

#include "Context.h"
#include "LinkUnit.h"
#include "Parallel.h"

#include <algorithm>
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

unsigned chooseThreads(unsigned Wanted) {
  if (Wanted)
    return std::min(Wanted, MostThreads);
  return std::clamp(std::thread::hardware_concurrency(), 1U, DefaultThreads);
}

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

  ImageResult prime(const ImageWork &Image) const {
    ImageResult Result;
    for (const KernelWork &K : Image.Kernels)
      primeKernel(Image, K, Result);
    for (const VariableWork &V : Image.Variables) {
      if (auto Address = getSymbolAddress(*Image.Unit, V.Host))
        ++Result.Part.Globals;
      else
        Result.Part.Missing.push_back("global " + V.Symbol + ": " +
                                      Address.errors().front().Message);
    }
    // Where the driver does not tell libraries, an image counts as one.
    Result.Part.Libraries = Api.KernelGetLibrary ? Result.Part.Resident.size()
                                                 : Result.Part.Functions != 0;
    return Result;
  }

private:
  void primeKernel(const ImageWork &Image, const KernelWork &Work,
                   ImageResult &Out) const {
    Residency &Part = Out.Part;
    auto Miss = [&](const std::string &Why) {
      Part.Missing.push_back("kernel " + Work.Symbol + ": " + Why);
    };
    auto Kernel = getKernel(*Image.Unit, Work.Stub);
    if (!Kernel)
      return Miss(Kernel.errors().front().Message);
    CUfunction Function = nullptr;
    if (CUresult Error = Api.KernelGetFunction(&Function, *Kernel))
      return Miss(Api.describe(Error, "cuKernelGetFunction"));
    // With relocatable device code the stubs of several TUs share one.
    if (!Out.Functions.insert(Function).second)
      return;
    ++Part.Functions;
    noteLibrary(Image, *Kernel, Part);

    int Local = 0;
    if (Api.FuncGetAttribute(&Local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                             Function) == CUDA_SUCCESS &&
        Local > 0 && static_cast<uint64_t>(Local) > Part.LocalBytes) {
      Part.LocalBytes = static_cast<uint64_t>(Local);
      Part.LocalSymbol = Work.Symbol;
    }

    if (!Target.Attributes)
      return;
    Setter.setAttributes(*Kernel, Work, Part.Attributes, Part.Missing);
    if (Work.Cache) {
      std::pair Key(Image.Serial, Work.Stub);
      auto Known = Before.find(Key);
      if (Setter.setCacheConfig(
              *Kernel, Work, Known == Before.end() ? nullptr : &Known->second,
              Part.Attributes, Part.Missing))
        Out.Caches[Key] = *Work.Cache;
    }
  }

  void noteLibrary(const ImageWork &Image, CUkernel Kernel,
                   Residency &Part) const {
    CUlibrary Library = nullptr;
    if (!Api.KernelGetLibrary ||
        Api.KernelGetLibrary(&Library, Kernel) != CUDA_SUCCESS)
      return;
    ResidentLibrary L{Image.Serial, Library};
    if (std::find(Part.Resident.begin(), Part.Resident.end(), L) ==
        Part.Resident.end())
      Part.Resident.push_back(L);
  }

  const DriverApi &Api;
  const ResidencyTarget &Target;
  AttributeSetter Setter;
  const CacheConfigs &Before;
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

Residency kplan::runtime::makeResident(const DriverApi &Api,
                                       const ResidencyTarget &Target,
                                       const std::vector<ImageWork> &Images,
                                       CacheConfigs &Caches) {
  ImagePrimer Primer(Api, Target, Caches);
  std::vector<ImageResult> Results(Images.size());

  runWorkers(Images.size(), chooseThreads(Target.Threads),
             [&](const NextJob &Next, bool OnCaller) {
               RelaxedCapture Relaxed(Api);
               std::optional<CurrentContext> Current;
               if (!OnCaller) {
                 Current.emplace(Api, Target.Context);
                 if (Current->error() != CUDA_SUCCESS)
                   return; // The calling thread has the context: it does all.
               }
               for (size_t I = 0; Next(I);)
                 Results[I] = Primer.prime(Images[I]);
             });

  // In the order of the images, whichever thread did them.
  Residency Sum;
  for (ImageResult &R : Results) {
    add(Sum, R.Part);
    for (const auto &[Kernel, Config] : R.Caches)
      Caches[Kernel] = Config;
  }
  return Sum;
}
