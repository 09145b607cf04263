//===- CheckTest.cpp ------------------------------------------------------===//

#include "check/Check.h"

#include "plan/PlanReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::check;
using image::ProgramCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static Plan parse(const std::string &Text) {
  auto P = readPlan("kplan: 1\n" + Text, "p.yaml");
  EXPECT_TRUE(P) << format(P.errors()[0]);
  return P ? *P : Plan();
}

static ProgramCode program(const std::string &Path,
                           const std::vector<std::string> &Symbols,
                           uint64_t StaticSharedBytes = 0) {
  ProgramCode Out;
  Out.Path = Path;
  Out.Units.emplace_back();
  for (const std::string &Symbol : Symbols) {
    image::KernelCode K;
    K.Symbol = Symbol;
    K.StaticSharedBytes = StaticSharedBytes;
    Out.Units[0].Code.Kernels.push_back(std::move(K));
  }
  return Out;
}

static std::vector<std::string> messages(const Findings &F) {
  std::vector<std::string> Out;
  Out.reserve(F.List.size());
  for (const Diagnostic &D : F.List)
    Out.push_back((D.Level == Severity::Warning ? "warning: " : "") +
                  D.Message);
  return Out;
}

static std::vector<std::string>
kernels(const std::string &Text, const std::vector<ProgramCode> &Programs) {
  Plan P = parse(Text);
  Findings F;
  checkKernels({P, "p.yaml", "."}, Programs, F);
  return messages(F);
}

TEST(CheckKernels, AreInSomeProgram) {
  const char *Text = "kernels: [{symbol: a}, {symbol: b, name: b()}, {symbol: "
                     "\"s*_x\", linkage: internal, file: s.cu}]";
  EXPECT_THAT(
      kernels(Text, {program("app", {"a", "s12_x"}), program("lib.so", {"b"})}),
      IsEmpty());
  EXPECT_THAT(kernels(Text, {program("app", {"a", "s12_y"})}),
              ElementsAre("kernel b() (b) is not in app",
                          "kernel s*_x of s.cu is not in app"));
}

TEST(CheckKernels, OfAnImageAreInItsFile) {
  std::string Id = "xxh3:0123456789abcdef0123456789abcdef";
  std::string Text = "kernels: [{symbol: a, image: \"" + Id +
                     "\"}]\nimages: [{id: \"" + Id +
                     "\", kind: fatbin, loader: library, origin: {file: "
                     "/opt/liba.so, offset: 0, size: 1}}]";
  EXPECT_THAT(kernels(Text, {program("x/liba.so", {"a"})}), IsEmpty());
  EXPECT_THAT(kernels(Text, {program("x/liba.so", {"b"})}),
              ElementsAre("kernel a is not in x/liba.so"));
  // Of a library that is not given nothing can be said.
  EXPECT_THAT(kernels(Text, {program("libb.so", {"b"})}), IsEmpty());
}

TEST(CheckKernels, MayBeWhereNothingCanBeRead) {
  ProgramCode Packed = program("app", {});
  Packed.Unread = 2;
  Packed.WhyUnread = "it is LTO-IR";
  EXPECT_THAT(kernels("kernels: [{symbol: a}]", {Packed}),
              ElementsAre("warning: kernel a was not found in app"));
}

static std::vector<std::string>
limits(const std::string &Kernel, unsigned Arch,
       const std::vector<ProgramCode> &Programs = {}) {
  Plan P = parse("kernels: [{symbol: k, " + Kernel + "}]");
  Findings F;
  auto Device = limitsOfArch(Arch);
  if (!Device) {
    F.List = Device.errors();
    return messages(F);
  }
  checkLimits({P, "p.yaml", "."}, *Device, Programs, F);
  return messages(F);
}

TEST(CheckLimits, KnowSharedMemory) {
  const char *Most = "attributes: {max_dynamic_shared_size_bytes: 232448}";
  EXPECT_THAT(limits(Most, 90), IsEmpty());
  EXPECT_THAT(limits(Most, 80),
              ElementsAre("kernel k: max_dynamic_shared_size_bytes: 232448 "
                          "cannot be on sm_80: a block has 166912 bytes at the "
                          "most"));
  EXPECT_THAT(limits(Most, 90, {program("app", {"k"}, 16)}),
              ElementsAre(HasSubstr("of which the kernel has 16 statically")));
  // What is computed for the device fits it.
  EXPECT_THAT(limits("attributes: {max_dynamic_shared_size_bytes: max}", 75),
              IsEmpty());
  EXPECT_THAT(
      limits("attributes: {max_dynamic_shared_size_bytes: {at_most: 999999}}",
             75),
      IsEmpty());
}

TEST(CheckLimits, KnowClusters) {
  const char *Nine = "attributes: {required_cluster_width: 9}";
  EXPECT_THAT(
      limits(Nine, 90),
      ElementsAre(HasSubstr("needs non_portable_cluster_size_allowed")));
  EXPECT_THAT(limits("attributes: {required_cluster_width: 9, "
                     "non_portable_cluster_size_allowed: 1}",
                     90),
              IsEmpty());
  EXPECT_THAT(limits("attributes: {required_cluster_width: 2}", 80),
              ElementsAre(HasSubstr("clusters begin with sm_90")));
  EXPECT_THAT(limits("attributes: {required_cluster_width: 4, "
                     "required_cluster_height: 5, "
                     "non_portable_cluster_size_allowed: 1}",
                     100),
              ElementsAre(HasSubstr("16 blocks at the most")));
}

TEST(CheckLimits, KnowTheRest) {
  EXPECT_THAT(limits("attributes: {preferred_shared_memory_carveout: 101}", 90),
              ElementsAre(HasSubstr("it is between -1 and 100")));
  EXPECT_THAT(limits("local_bytes: 600000", 90),
              ElementsAre(HasSubstr("a thread has 524288 bytes")));
  EXPECT_THAT(limits("local_bytes: 1", 91),
              ElementsAre("the limits of sm_91 are not known"));
}

static std::vector<std::string> against(const std::string &Text,
                                        const std::string &OtherText) {
  Plan P = parse(Text), Other = parse(OtherText);
  Findings F;
  checkAgainst({P, "p.yaml", "."}, {Other, "o.yaml", "."}, F);
  return messages(F);
}

TEST(CheckAgainst, NamesWhatThePlanLacks) {
  EXPECT_THAT(against("kernels: [{symbol: a}]\nglobals: [{symbol: g}]",
                      "kernels: [{symbol: a}, {symbol: b}]\n"
                      "globals: [{symbol: g}, {symbol: h}]"),
              ElementsAre("lacks kernel b of o.yaml", "lacks global h of "
                                                      "o.yaml"));
  // Not the other way round.
  EXPECT_THAT(
      against("kernels: [{symbol: a}, {symbol: b}]", "kernels: [{symbol: a}]"),
      IsEmpty());
}

TEST(CheckAgainst, LooksAtSymbolsWhateverTheImage) {
  std::string Image = "image: \"xxh3:0123456789abcdef0123456789abcdef\"";
  EXPECT_THAT(against("kernels: [{symbol: a}]",
                      "kernels: [{symbol: a, " + Image + "}]"),
              IsEmpty());
  // A pattern of a scan stands for what a trace saw, and the other way round.
  std::string Pattern = "kernels: [{symbol: \"s*_x\", linkage: internal, file: "
                        "s.cu}]",
              Traced = "kernels: [{symbol: s12_x, " + Image + "}]";
  EXPECT_THAT(against(Pattern, Traced), IsEmpty());
  EXPECT_THAT(against(Traced, Pattern), IsEmpty());
  EXPECT_THAT(against(Pattern, Pattern), IsEmpty());
}

TEST(CheckAgainst, ComparesWhatIsSet) {
  auto Set = [](const std::string &What) {
    return "kernels: [{symbol: a, " + What + "}]";
  };
  std::string Small = Set("attributes: {max_dynamic_shared_size_bytes: 100}"),
              Large = Set("attributes: {max_dynamic_shared_size_bytes: max}");
  EXPECT_THAT(against(Large, Small), IsEmpty());
  EXPECT_THAT(against(Small, Large),
              ElementsAre("lacks max_dynamic_shared_size_bytes: max of kernel "
                          "a of o.yaml"));
  EXPECT_THAT(against(Set("cache_config: prefer_l1"),
                      Set("cache_config: prefer_shared")),
              ElementsAre(HasSubstr("lacks cache_config: prefer_shared")));
  // What is in conflict is left alone knowingly.
  EXPECT_THAT(
      against("kernels: [{symbol: a}]\nconflicts: [{symbol: a, attribute: "
              "preferred_shared_memory_carveout, values: [1, 2]}]",
              Set("attributes: {preferred_shared_memory_carveout: 1}")),
      IsEmpty());
}

static std::vector<std::string> tracedOn(const std::string &Producers,
                                         const TracedOn &Here) {
  Plan P = parse("producers: [" + Producers + "]");
  Findings F;
  checkTracedOn({P, "p.yaml", "."}, Here, F);
  return messages(F);
}

TEST(CheckDevice, APlanIsOfTheGpuThatItWasTracedOn) {
  const std::string A = "{tool: t, gpu: A, sms: 132, driver: '580.1'}",
                    B = "{tool: t, gpu: B, sms: 78, driver: '580.1'}";
  EXPECT_THAT(tracedOn(A, {"A", 132, "580.1"}), IsEmpty());
  EXPECT_THAT(tracedOn("", {"A", 132, "580.1"}), IsEmpty());
  EXPECT_THAT(tracedOn(A + ", " + B, {"B", 78, "580.1"}), IsEmpty());
  EXPECT_THAT(tracedOn(A, {"A", 132, ""}), IsEmpty());
  EXPECT_THAT(tracedOn(A, {"A", 132, "590.1"}),
              ElementsAre("warning: was traced with driver 580.1, and this is "
                          "590.1"));
  EXPECT_THAT(tracedOn(A, {"B", 78, "580.1"}),
              ElementsAre("was traced on A with 132 SMs, and this is a B with "
                          "78 SMs"));
}
