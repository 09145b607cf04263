//===- WorklistTest.cpp - What a plan asks of this program ---------------===//

#include "Worklist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::runtime;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr Attribute Shared = Attribute::MaxDynamicSharedSizeBytes;
constexpr Attribute Carveout = Attribute::PreferredSharedMemoryCarveout;

const kplan_link_unit Unit = {};

RegisteredImage image(uint64_t Serial, std::vector<std::string> Kernels,
                      std::vector<std::string> Variables = {}) {
  RegisteredImage I;
  I.Unit = &Unit;
  I.Serial = Serial;
  for (std::string &K : Kernels)
    I.Kernels.push_back({&Unit, std::move(K)});
  for (std::string &V : Variables)
    I.Variables.push_back({&Unit, std::move(V)});
  return I;
}

Kernel external(std::string Symbol) {
  Kernel K;
  K.Key.Symbol = std::move(Symbol);
  return K;
}

Kernel internal(std::string Symbol, std::string File) {
  Kernel K = external(std::move(Symbol));
  K.Key.Link = Linkage::Internal;
  K.Key.File = std::move(File);
  return K;
}

Plan plan(std::vector<Kernel> Kernels) {
  Plan P;
  P.Kernels = std::move(Kernels);
  return P;
}

/// Of a program that has registered all its code.
Worklist workOn(const std::vector<RegisteredImage> &Registered, const Plan *P) {
  return makeWorklist(Registered, {}, P, true);
}

TEST(Worklist, EveryRegistrationOfASymbolIsPrimed) {
  Plan P = plan({external("k")});
  Worklist W = workOn({image(1, {"k", "other"}), image(2, {"k"})}, &P);
  ASSERT_EQ(W.Images.size(), 2U);
  EXPECT_EQ(W.Images[0].Id.Serial, 1U);
  ASSERT_EQ(W.Images[0].Kernels.size(), 1U);
  EXPECT_EQ(W.Images[0].Kernels[0].Symbol, "k");
  EXPECT_EQ(W.Images[1].Id.Serial, 2U);
  EXPECT_THAT(W.Missing, IsEmpty());
  EXPECT_EQ(W.NotCovered, 0U);
}

TEST(Worklist, AnImageWithoutPlannedKernelsIsNotCovered) {
  Plan P = plan({external("k")});
  Worklist W = workOn({image(1, {"k"}), image(2, {"x", "y"})}, &P);
  EXPECT_EQ(W.Images.size(), 1U);
  EXPECT_EQ(W.NotCovered, 2U);
}

TEST(Worklist, PatternsFindInternalKernels) {
  Plan P = plan({internal("_ZN*_GLOBAL__N__*_4_a_cu_*1kEv", "a.cu")});
  Worklist W =
      workOn({image(1, {"_ZN34_GLOBAL__N__1925b8fe_4_a_cu_09e5aec91kEv",
                        "_ZN34_GLOBAL__N__1925b8fe_4_b_cu_09e5aec91kEv"})},
             &P);
  ASSERT_EQ(W.Images.size(), 1U);
  ASSERT_EQ(W.Images[0].Kernels.size(), 1U);
  EXPECT_THAT(W.Images[0].Kernels[0].Symbol, HasSubstr("_a_cu_"));
}

TEST(Worklist, WhatIsNotRegisteredIsMissingWithItsReason) {
  Kernel Named = external("_Z1kv");
  Named.Name = "k()";
  Plan P = plan({Named});
  P.Globals.push_back({"g", "a.cu", {}, {}});
  Worklist W = workOn({image(1, {"other"})}, &P);
  EXPECT_TRUE(W.Images.empty());
  EXPECT_THAT(W.Missing, ElementsAre(HasSubstr("_Z1kv (k()): not registered"),
                                     HasSubstr("global g")));
}

TEST(Worklist, WhatAnImageBringsIsAwaited) {
  Kernel Traced = external("nvjet");
  Traced.Key.Image = "xxh3:00";
  Plan P = plan({Traced});
  Worklist W = workOn({image(1, {"other"})}, &P);
  EXPECT_THAT(W.Missing, IsEmpty());
  EXPECT_EQ(W.Waiting, 1U);
}

TEST(Worklist, WhileMoreMayComeNothingIsMissing) {
  Plan P = plan({external("k")});
  Worklist W = makeWorklist({}, {}, &P, false);
  EXPECT_THAT(W.Missing, IsEmpty());
  EXPECT_EQ(W.Waiting, 1U);
}

TEST(Worklist, WithoutPlanWhatTheProgramDidNotRegisterIsLeftAlone) {
  LoadedImage Library;
  Library.Serial = 1;
  Library.Kernels = {"nvjet"};
  Worklist W = makeWorklist({image(1, {"k"})}, {Library}, nullptr, true);
  ASSERT_EQ(W.Images.size(), 1U);
  EXPECT_EQ(W.Images[0].Kernels[0].Symbol, "k");
}

TEST(Worklist, AgreeingEntriesSetAnAttribute) {
  Kernel Scanned = external("k"), Traced = external("k"),
         Silent = external("k");
  Traced.Key.Image = "xxh3:00";
  Silent.Key.Image = "xxh3:01";
  Scanned.Attributes[Shared] = 65536;
  Traced.Attributes[Shared] = 65536;
  Traced.Cache = CacheConfig::PreferShared;
  Plan P = plan({Scanned, Traced, Silent});
  Worklist W = workOn({image(1, {"k"})}, &P);
  const KernelWork &K = W.Images.at(0).Kernels.at(0);
  EXPECT_EQ(K.Attributes.at(Shared), Value(65536));
  EXPECT_EQ(K.Cache, CacheConfig::PreferShared);
  EXPECT_THAT(W.Warnings, IsEmpty());
}

TEST(Worklist, DisagreeingEntriesDoNot) {
  Kernel A = external("k"), B = external("k");
  B.Key.Image = "xxh3:00";
  A.Attributes[Carveout] = 50;
  B.Attributes[Carveout] = 100;
  A.Attributes[Shared] = MaxValue{};
  A.Cache = CacheConfig::PreferL1;
  B.Cache = CacheConfig::PreferShared;
  Plan P = plan({A, B});
  // Registered twice, said once.
  Worklist W = workOn({image(1, {"k"}), image(2, {"k"})}, &P);
  const KernelWork &K = W.Images.at(0).Kernels.at(0);
  EXPECT_EQ(K.Attributes.count(Carveout), 0U);
  EXPECT_EQ(K.Attributes.at(Shared), Value(MaxValue{}));
  EXPECT_FALSE(K.Cache);
  EXPECT_THAT(
      W.Warnings,
      ElementsAre(HasSubstr("cache_config of k is not set"),
                  AllOf(HasSubstr("preferred_shared_memory_carveout of k"),
                        HasSubstr("(50, 100)"))));
}

TEST(Worklist, ASilentInternalEntryDisagrees) {
  // nvcc gives a static kernel the same name in every TU: the entries may be
  // two kernels, and only one of them wants the attribute.
  Kernel A = internal("_Z2stPi", "a.cu"), B = internal("_Z2stPi", "b.cu");
  A.Attributes[Shared] = 65536;
  A.Cache = CacheConfig::PreferL1;
  Plan P = plan({A, B});
  Worklist W = workOn({image(1, {"_Z2stPi"}), image(2, {"_Z2stPi"})}, &P);
  ASSERT_EQ(W.Images.size(), 2U);
  EXPECT_TRUE(W.Images[0].Kernels[0].Attributes.empty());
  EXPECT_FALSE(W.Images[0].Kernels[0].Cache);
  EXPECT_THAT(W.Warnings, ElementsAre(HasSubstr("(prefer_l1, not set)"),
                                      HasSubstr("(65536, not set)")));
}

TEST(Worklist, GlobalsAreFoundInTheirImage) {
  Plan P;
  P.Globals.push_back({"g", "a.cu", {}, {}});
  P.Globals.push_back({"g", "b.cu", {}, {}});
  Worklist W = workOn({image(1, {}, {"f", "g"}), image(2, {"k"})}, &P);
  ASSERT_EQ(W.Images.size(), 1U);
  ASSERT_EQ(W.Images[0].Variables.size(), 1U);
  EXPECT_EQ(W.Images[0].Variables[0].Symbol, "g");
}

TEST(Worklist, UsesSayWhichServicesStart) {
  Kernel K = external("k");
  Plan None = plan({K});
  EXPECT_FALSE(workOn({}, &None).Printf);
  EXPECT_FALSE(workOn({}, &None).Malloc);
  K.Uses = {Use::Assert};
  Plan Assert = plan({K});
  EXPECT_TRUE(workOn({}, &Assert).Printf);
  K.Uses = {Use::Malloc, Use::Cdp};
  Plan Malloc = plan({K});
  Worklist W = workOn({image(1, {"k"})}, &Malloc);
  EXPECT_FALSE(W.Printf);
  EXPECT_TRUE(W.Malloc);
  EXPECT_THAT(W.Warnings, ElementsAre(HasSubstr("from the device")));
}

TEST(Worklist, WithoutPlanEverythingRegisteredIsPrimed) {
  Worklist W =
      workOn({image(1, {"a", "b"}, {"u", "v"}), image(2, {"c"})}, nullptr);
  ASSERT_EQ(W.Images.size(), 2U);
  EXPECT_EQ(W.Images[0].Kernels.size(), 2U);
  EXPECT_EQ(W.Images[0].Variables.size(), 1U); // One brings the others.
  EXPECT_TRUE(W.Images[1].Variables.empty());
  EXPECT_TRUE(W.Printf);
  EXPECT_FALSE(W.Malloc);
}

} // namespace
