//===- PlanGenerator.cpp - Plans for property tests -----------------------===//

#include "plan/PlanGenerator.h"

#include "plan/Attributes.h"
#include "plan/Canonical.h"
#include "plan/Names.h"

#include <array>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace kplan::test {

namespace {

/// Text that a careless writer or reader of YAML changes.
constexpr auto HardText =
    std::to_array<const char *>({"plain",
                                 "two words",
                                 "null",
                                 "true",
                                 "~",
                                 "010",
                                 "0x1f",
                                 "1e3",
                                 "-1",
                                 "1",
                                 "- a",
                                 "a: b",
                                 "a #b",
                                 "# c",
                                 "[x]",
                                 "{x}",
                                 "a,b",
                                 "?q",
                                 "? q",
                                 "&a",
                                 "*a",
                                 "!t",
                                 "|",
                                 ">",
                                 "%d",
                                 "@x",
                                 "`x`",
                                 "'x'",
                                 "\"x\"",
                                 "back\\slash",
                                 "a\nb",
                                 "tab\tb",
                                 " lead",
                                 "trail ",
                                 "a:",
                                 ":a",
                                 "--- x",
                                 "...",
                                 "<<",
                                 "=",
                                 "\xC3\xA9t\xC3\xA9",
                                 "\xF0\x9F\x98\x80",
                                 "\x1b[0m",
                                 "\xC2\x85",
                                 "\xE2\x80\xA8",
                                 "\xEF\xBB\xBF",
                                 "2001-12-14",
                                 "1:30",
                                 "22.1.8",
                                 "5e10",
                                 "std::max<int, 3>(int*)::{lambda(int)#1}",
                                 "k<T>"});

class Generator {
public:
  explicit Generator(uint32_t Seed) : Random(Seed) {}
  Plan plan();

private:
  /// std's distributions differ between libraries; this does not.
  uint32_t below(uint32_t Bound) {
    return static_cast<uint32_t>(Random() % Bound);
  }
  bool chance(uint32_t Percent) { return below(100) < Percent; }
  std::string hard() { return HardText[below(HardText.size())]; }
  std::string letter() { return std::string(1, char('a' + below(3))); }
  std::string file() {
    return chance(80) ? letter() + ".cu" : "dir " + hard() + "/x.cu";
  }
  SourcePosition at() { return {file(), 1 + below(4), 1 + below(3)}; }
  std::string imageId() {
    return "xxh3:" + std::string(32, char('0' + below(3)));
  }

  Value value() {
    switch (below(4)) {
    case 0:
      return MaxValue();
    case 1:
      return AtMostValue{int64_t(below(3)) * 100};
    default:
      return int64_t(below(3)) * 100;
    }
  }
  Attribute attribute() {
    static constexpr Attribute Some[] = {
        Attribute::MaxDynamicSharedSizeBytes,
        Attribute::PreferredSharedMemoryCarveout,
        Attribute::NonPortableClusterSizeAllowed};
    return Some[below(3)];
  }
  template <typename E> E any() {
    return EnumeratorNames<E>[below(EnumeratorNames<E>.size())].first;
  }

  Extensions extensions() {
    static constexpr auto Texts = std::to_array<const char *>(
        {"1", "\"1\"", "word", "null", "[a, {b: \"c d\"}]", "{}", "-3", "010"});
    Extensions Out;
    while (chance(15))
      Out["x-" + letter()] = Texts[below(Texts.size())];
    return Out;
  }

  template <typename T, typename F> void fill(std::vector<T> &List, F Make) {
    for (uint32_t I = below(4); I--;)
      List.push_back((this->*Make)());
  }

  Site site();
  Kernel kernel();
  Image image();
  CompiledImage compiled();
  Global global() { return {letter(), file(), at(), extensions()}; }
  Module module();
  UnresolvedSite unresolved() {
    return {any<SiteKind>(), at(), hard(), chance(50) ? hard() : "",
            extensions()};
  }
  Conflict conflict();
  TemplateSite templateSite();
  Stall stall() {
    return {"cuLaunchKernel", letter(), below(1000) / 8.0, below(3),
            extensions()};
  }
  Producer producer();

  std::mt19937 Random;
};

Site Generator::site() {
  Site S;
  S.Kind = any<SiteKind>();
  S.At = at();
  if (S.Kind == SiteKind::Set) {
    if (chance(80)) {
      S.SetAttribute = attribute();
      S.SetValue = value();
    } else {
      S.SetCacheConfig = any<CacheConfig>();
    }
    if (chance(30))
      S.When = hard();
    if (chance(30))
      S.Once = chance(50);
  } else if (S.Kind != SiteKind::Query) {
    if (chance(30))
      S.Shared = hard();
    if (chance(30))
      S.Cooperative = chance(50);
    if (chance(30))
      S.Cluster = {1 + below(3), 1, 1};
  }
  S.Extra = extensions();
  return S;
}

Kernel Generator::kernel() {
  Kernel K;
  K.Key.Symbol = "_Z1" + letter() + "v";
  if (chance(30)) {
    K.Key.Link = Linkage::Internal;
    K.Key.File = file();
    if (chance(50))
      K.Key.Symbol = "_ZN*" + K.Key.Symbol;
  }
  if (chance(30))
    K.Key.Image = imageId();
  if (chance(60))
    K.Name = hard();
  while (chance(40))
    K.Attributes[attribute()] = value();
  if (chance(30))
    K.Cache = any<CacheConfig>();
  if (chance(30))
    K.LocalBytes = below(3) * 1000;
  while (chance(30))
    K.Uses.push_back(any<Use>());
  sortUnique(K.Uses);
  fill(K.Sites, &Generator::site);
  K.Extra = extensions();
  return K;
}

CompiledImage Generator::compiled() {
  return {"sm_90",
          "images/" + letter() + ".cubin",
          std::string(64, char('a' + below(3))),
          chance(50) ? hard() : "",
          chance(20) ? std::vector{hard(), hard()} : std::vector<std::string>(),
          chance(20) ? std::vector{imageId()} : std::vector<std::string>(),
          extensions()};
}

Image Generator::image() {
  Image I;
  I.Id = imageId();
  I.Kind = any<ImageKind>();
  I.LoadedBy = any<Loader>();
  if (chance(30))
    I.Options["max_registers"] = int64_t(below(2)) * 64;
  I.Copies = 1 + below(3);
  if (chance(40))
    I.Origin = FileOrigin{"lib" + letter() + ".so", chance(50) ? "5e10" : "",
                          below(1000), 1 + below(1000)};
  else if (chance(60))
    I.Origin = StoreOrigin{"images/" + letter() + ".cubin"};
  for (uint32_t N = below(3); N--;)
    I.Globals.push_back(hard());
  I.UseCompiled = chance(10);
  fill(I.Compiled, &Generator::compiled);
  I.Extra = extensions();
  return I;
}

Module Generator::module() {
  Module M;
  M.Name = letter();
  for (uint32_t N = below(3); N--;)
    M.Inputs.push_back(letter() + ".ptx");
  if (chance(50))
    M.Options["lto"] = chance(50);
  if (chance(30))
    M.Options["split"] = int64_t(below(3)) - 1;
  if (chance(30))
    M.Options["arch"] = hard();
  if (chance(20))
    fill(M.Compiled, &Generator::compiled);
  M.Extra = extensions();
  return M;
}

Conflict Generator::conflict() {
  Conflict C;
  C.Symbol = "_Z1" + letter() + "v";
  if (chance(30))
    C.File = file();
  if (chance(70)) {
    C.Attribute = chance(50) ? Attribute::PreferredSharedMemoryCarveout
                             : Attribute::NonPortableClusterSizeAllowed;
    C.Values = {value(), value()};
  } else {
    C.CacheConfigs = {any<CacheConfig>(), any<CacheConfig>()};
  }
  C.Extra = extensions();
  return C;
}

TemplateSite Generator::templateSite() {
  TemplateSite T;
  T.Kind = any<SiteKind>();
  T.At = at();
  T.KernelText = chance(50) ? hard() : "";
  if (T.Kind == SiteKind::Set && chance(70)) {
    T.SetAttribute = attribute();
    T.ValueText = hard();
  }
  T.Extra = extensions();
  return T;
}

Producer Generator::producer() {
  Producer P;
  P.Tool = chance(50) ? "kplan-scan" : "kplan-trace";
  P.Version = "0.1.0";
  if (chance(50))
    P.Cuda = "13.0";
  while (chance(40))
    P.Arch.push_back("sm_" + std::to_string(80 + below(3)));
  if (chance(50))
    P.Sms = below(200);
  P.Loading = chance(50) ? "lazy" : "";
  P.Extra = extensions();
  return P;
}

Plan Generator::plan() {
  Plan P;
  fill(P.Producers, &Generator::producer);
  std::set<KernelKey> Keys;
  for (uint32_t I = below(6); I--;) {
    Kernel K = kernel();
    if (Keys.insert(K.Key).second)
      P.Kernels.push_back(std::move(K));
  }
  std::set<std::tuple<std::string, Loader, std::map<std::string, int64_t>>> Ids;
  for (uint32_t N = below(4); N--;) {
    Image I = image();
    if (Ids.emplace(I.Id, I.LoadedBy, I.Options).second)
      P.Images.push_back(std::move(I));
  }
  fill(P.Globals, &Generator::global);
  fill(P.Modules, &Generator::module);
  while (chance(40))
    P.Limits[std::string(LimitNames[below(3)])] = uint64_t(below(5)) * 1024;
  fill(P.Unresolved, &Generator::unresolved);
  if (chance(50))
    fill(P.Conflicts, &Generator::conflict);
  fill(P.Templates, &Generator::templateSite);
  fill(P.Stalls, &Generator::stall);
  P.Extra = extensions();
  return P;
}

} // namespace

Plan generatePlan(uint32_t Seed) { return Generator(Seed).plan(); }

Plan generateLargePlan(unsigned Kernels) {
  Plan P;
  std::string Nested;
  for (unsigned I = 0; I < 12; ++I)
    Nested += "cutlass::gemm::collective::Mma<" + std::to_string(I) + ", ";
  for (unsigned I = 0; I < Kernels; ++I) {
    Kernel K;
    K.Key.Symbol = "_ZN7cutlass13device_kernelINS_4gemm6kernel" +
                   std::string(400, 'x') + std::to_string(I) + "EEvPT_";
    K.Name = "void cutlass::device_kernel<" + Nested + std::to_string(I) + ">";
    K.Attributes[Attribute::MaxDynamicSharedSizeBytes] = int64_t(I) * 16;
    for (unsigned J = 1; J <= 6; ++J) {
      Site S;
      S.Kind = J % 2 ? SiteKind::Set : SiteKind::Launch;
      S.At = {"include/cutlass/gemm/device/gemm_universal_adapter.h", I + 1, J};
      if (J % 2) {
        S.SetAttribute = Attribute::MaxDynamicSharedSizeBytes;
        S.SetValue = int64_t(I) * 16;
        S.When = "smem_size >= (48 << 10)";
        S.Once = false;
      } else {
        S.Shared = "GemmKernel::SharedStorageSize";
        S.Cooperative = false;
      }
      K.Sites.push_back(std::move(S));
    }
    P.Kernels.push_back(std::move(K));
  }
  return P;
}

} // namespace kplan::test
