//===- LoadedImages.cpp - What loaded code holds --------------------------===//

#include "LoadedImages.h"

#include <algorithm>
#include <map>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// Empty where the driver does not tell.
std::vector<std::string> namesIn(const DriverApi &Api, CUlibrary Library) {
  unsigned Count = 0;
  if (!Api.LibraryGetKernelCount || !Api.LibraryEnumerateKernels ||
      !Api.KernelGetName ||
      Api.LibraryGetKernelCount(&Count, Library) != CUDA_SUCCESS || !Count)
    return {};
  std::vector<CUkernel> Kernels(Count);
  if (Api.LibraryEnumerateKernels(Kernels.data(), Count, Library) !=
      CUDA_SUCCESS)
    return {};
  std::vector<std::string> Names;
  for (CUkernel K : Kernels) {
    const char *Name = nullptr;
    if (Api.KernelGetName(&Name, K) == CUDA_SUCCESS && Name)
      Names.emplace_back(Name);
  }
  return Names;
}

std::vector<std::string> namesIn(const DriverApi &Api, CUmodule Module) {
  unsigned Count = 0;
  if (!Api.ModuleGetFunctionCount || !Api.ModuleEnumerateFunctions ||
      !Api.FuncGetName ||
      Api.ModuleGetFunctionCount(&Count, Module) != CUDA_SUCCESS || !Count)
    return {};
  std::vector<CUfunction> Functions(Count);
  if (Api.ModuleEnumerateFunctions(Functions.data(), Count, Module) !=
      CUDA_SUCCESS)
    return {};
  std::vector<std::string> Names;
  for (CUfunction F : Functions) {
    const char *Name = nullptr;
    if (Api.FuncGetName(&Name, F) == CUDA_SUCCESS && Name)
      Names.emplace_back(Name);
  }
  return Names;
}

} // namespace

std::vector<LoadedImage>
kplan::runtime::describeLoaded(const DriverApi &Api,
                               const std::vector<CodeEntry> &Entries,
                               CodeTable &Table, const Plan *P) {
  // Kernels that name their image, by it; any that does not can be anywhere.
  std::map<std::string_view, std::vector<std::string>> OfImage;
  bool Anywhere = !P;
  if (P)
    for (const Kernel &K : P->Kernels) {
      if (K.Key.Image.empty())
        Anywhere = true;
      else
        OfImage[K.Key.Image].push_back(K.Key.Symbol);
    }

  std::vector<LoadedImage> Images;
  for (const CodeEntry &E : Entries) {
    LoadedImage &I = Images.emplace_back();
    I.Serial = E.Serial;
    I.Code = E.Handle;
    I.Image = E.Image;
    if (Anywhere)
      if (CodeTable::Pin Pin(Table, E.Serial); Pin)
        I.Kernels = std::visit(
            [&](auto Handle) { return namesIn(Api, Handle); }, E.Handle);
    if (auto Known = OfImage.find(E.Image); Known != OfImage.end())
      I.Kernels.insert(I.Kernels.end(), Known->second.begin(),
                       Known->second.end());
    std::ranges::sort(I.Kernels);
    auto Rest = std::ranges::unique(I.Kernels);
    I.Kernels.erase(Rest.begin(), Rest.end());
  }
  return Images;
}
