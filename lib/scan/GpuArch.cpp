//===- GpuArch.cpp --------------------------------------------------------===//

#include "scan/GpuArch.h"

#include <algorithm>
#include <iterator>

namespace kplan::scan {

namespace {

template <typename T> void sortUnique(std::vector<T> &Values) {
  std::sort(Values.begin(), Values.end());
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
}

/// An architecture and the releases of nvcc that know it.
struct Support {
  unsigned Number;
  unsigned First; ///< 10 * major + minor of the first release.
  unsigned Last;  ///< ... of the last one.
};

constexpr unsigned Still = ~0u;
constexpr Support Supported[] = {
    {50, 0, 129},      {52, 0, 129},      {53, 0, 129},      {60, 0, 129},
    {61, 0, 129},      {62, 0, 129},      {70, 0, 129},      {72, 0, 129},
    {75, 0, Still},    {80, 0, Still},    {86, 0, Still},    {87, 0, Still},
    {88, 130, Still},  {89, 0, Still},    {90, 0, Still},    {100, 128, Still},
    {101, 128, 129},   {103, 129, Still}, {110, 130, Still}, {120, 128, Still},
    {121, 129, Still},
};

/// What clang 22 takes for --cuda-gpu-arch, without suffixes.
constexpr unsigned KnownToClang[] = {50, 52,  53,  60,  61,  62,  70,
                                     72, 75,  80,  86,  87,  88,  89,
                                     90, 100, 101, 103, 110, 120, 121};

} // namespace

std::optional<GpuArch> parseGpuArch(std::string_view Name) {
  for (std::string_view Prefix : {"sm_", "compute_", "lto_"}) {
    if (!Name.starts_with(Prefix))
      continue;
    Name.remove_prefix(Prefix.size());
    GpuArch Arch;
    size_t Digits = 0;
    while (Digits < Name.size() && Digits < 4 && Name[Digits] >= '0' &&
           Name[Digits] <= '9')
      Arch.Number = Arch.Number * 10 + unsigned(Name[Digits++] - '0');
    std::string_view Rest = Name.substr(Digits);
    if (Digits < 2 || (!Rest.empty() && Rest != "a" && Rest != "f"))
      return std::nullopt;
    if (!Rest.empty())
      Arch.Suffix = Rest[0];
    return Arch;
  }
  return std::nullopt;
}

bool isKnownArch(GpuArch Arch) {
  return std::any_of(
      std::begin(Supported), std::end(Supported),
      [Arch](const Support &S) { return S.Number == Arch.Number; });
}

std::string realArchName(GpuArch Arch) {
  std::string Name = "sm_" + std::to_string(Arch.Number);
  if (Arch.Suffix)
    Name += Arch.Suffix;
  return Name;
}

std::string GpuArchSet::archList() const {
  std::vector<unsigned> Numbers;
  for (GpuArch Arch : Virtual)
    Numbers.push_back(Arch.Number);
  sortUnique(Numbers);
  std::string List;
  for (unsigned Number : Numbers)
    List += (List.empty() ? "" : ",") + std::to_string(Number * 10);
  return List;
}

std::vector<std::string> GpuArchSet::names() const {
  std::vector<GpuArch> Sorted = Code.empty() ? Virtual : Code;
  sortUnique(Sorted);
  std::vector<std::string> Names;
  for (GpuArch Arch : Sorted)
    Names.push_back(realArchName(Arch));
  return Names;
}

std::vector<GpuArch> allArchs(unsigned CudaMajor, unsigned CudaMinor,
                              bool MajorOnly) {
  unsigned Release = 10 * CudaMajor + CudaMinor;
  std::vector<GpuArch> Archs;
  for (const Support &S : Supported)
    if (Release >= S.First && Release <= S.Last)
      // The oldest one counts as major: 75 in CUDA 13.
      if (!MajorOnly || S.Number % 10 == 0 || Archs.empty())
        Archs.push_back({S.Number, 0});
  return Archs;
}

GpuArch defaultArch(unsigned CudaMajor) {
  return {CudaMajor >= 13 ? 75u : 52u, 0};
}

std::string clangArchName(GpuArch Arch) {
  const unsigned *Next = std::upper_bound(std::begin(KnownToClang),
                                          std::end(KnownToClang), Arch.Number);
  unsigned Nearest =
      Next == std::begin(KnownToClang) ? KnownToClang[0] : *std::prev(Next);
  // Of the suffixes clang knows `a` only, and host code depends on neither.
  bool KeepsSuffix = Arch.Suffix == 'a' && Nearest == Arch.Number &&
                     (Arch.Number == 90 || Arch.Number >= 100);
  return realArchName({Nearest, KeepsSuffix ? 'a' : '\0'});
}

} // namespace kplan::scan
