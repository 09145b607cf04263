//===- FirstUsesTest.cpp - What a call would use for the first time -------===//

#include "escapes/FirstUses.h"

#include "FakeDriver.h"

#include <gtest/gtest.h>

#include <memory>

using namespace kplan::runtime;

namespace {

/// A library with the kernels a and b, that the hooks have seen.
class FirstUsesTest : public testing::Test {
protected:
  FirstUsesTest() : Known(new record::SeenSet) {
    Driver.makeCurrent(Driver.activatePrimary());
    Library = &Driver.addLibrary();
    A = &Driver.addKernel(*Library, "a");
    B = &Driver.addKernel(*Library, "b");
    Uses.loaded(HandleKind::Library, Library, Home, "xxh3:1");
    Uses.given(A, Library, "a");
    Uses.given(B, Library, "b");
  }

  static PossibleUse kernel(FakeKernel *K) {
    return {HandleKind::Kernel, UsedCode::Kernel, -1, K, nullptr};
  }
  static PossibleUse launch(FakeKernel *K) {
    return {HandleKind::Function, UsedCode::Kernel, -1, K, nullptr};
  }
  PossibleUse library() const {
    return {HandleKind::Library, UsedCode::Library, -1, Library, "v"};
  }
  /// What a call does that nobody sees.
  void load(FakeKernel *K) {
    Library->Resident = true;
    K->Loaded = true;
  }
  /// A call that is seen; what it used for the first time.
  std::optional<FirstUse> call(const PossibleUse &Use, FakeKernel *Loads) {
    auto New = Uses.lookBefore(Use, Home);
    Library->Resident = true;
    if (Loads)
      Loads->Loaded = true;
    bool Told = !Uses.used(Use, Home);
    EXPECT_FALSE(New && Told);
    return New;
  }

  static constexpr int Home = 0;
  FakeDriver Driver;
  FakeLibrary *Library;
  FakeKernel *A, *B;
  Homes Where;
  std::unique_ptr<record::SeenSet> Known;
  FirstUses Uses{Driver.Api, Where, *Known};
};

TEST_F(FirstUsesTest, TheFirstUseOfALibrary) {
  EXPECT_EQ(Uses.seal(), 1U); // Not in use.
  EXPECT_FALSE(Library->Resident);
  auto New = call(kernel(A), A);
  ASSERT_TRUE(New);
  EXPECT_EQ(New->Symbol, "a");
  EXPECT_EQ(New->Image, "xxh3:1");
  EXPECT_FALSE(call(kernel(A), A));
  EXPECT_TRUE(Uses.look().empty());
}

TEST_F(FirstUsesTest, TheFirstUseOfAKernelInAResidentLibrary) {
  Uses.used(kernel(A), Home);
  load(A);
  EXPECT_EQ(Uses.seal(), 0U);
  EXPECT_FALSE(call(kernel(A), A));
  auto New = call(kernel(B), B);
  ASSERT_TRUE(New);
  EXPECT_EQ(New->Symbol, "b");
}

TEST_F(FirstUsesTest, AnUnseenUseBeforeTheSealIsRespected) {
  load(A); // A launch that is not hooked.
  Uses.seal();
  EXPECT_FALSE(call(kernel(A), A));
  EXPECT_TRUE(call(kernel(B), B));
}

TEST_F(FirstUsesTest, AnUnseenUseAfterTheSealIsFoundByLooking) {
  Uses.used(kernel(A), Home);
  load(A);
  Uses.seal();
  load(B);
  auto Found = Uses.look();
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Symbol, "b");
  EXPECT_EQ(Found[0].Device, 0);
  EXPECT_STREQ(Found[0].Api, "");
  EXPECT_TRUE(Uses.look().empty());
}

TEST_F(FirstUsesTest, AnUnseenUseOfALateLibraryIsFoundToo) {
  Uses.seal();
  FakeLibrary &Late = Driver.addLibrary();
  FakeKernel &C = Driver.addKernel(Late, "c");
  FakeKernel &D = Driver.addKernel(Late, "d");
  Uses.loaded(HandleKind::Library, &Late, Home, "xxh3:2");
  Uses.given(&C, &Late, "c");
  Uses.given(&D, &Late, "d");
  Late.Resident = C.Loaded = true; // A launch.
  EXPECT_TRUE(call(kernel(&D), &D));
  auto Found = Uses.look();
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Symbol, "c");
}

TEST_F(FirstUsesTest, AVariableUsesItsLibrary) {
  Uses.seal();
  auto New = call(library(), nullptr);
  ASSERT_TRUE(New);
  EXPECT_EQ(New->Symbol, "v");
  EXPECT_FALSE(call(library(), nullptr));
}

TEST_F(FirstUsesTest, AKernelThatStandsForItsFunction) {
  Uses.seal();
  EXPECT_TRUE(call(launch(A), A));
  EXPECT_FALSE(call(launch(A), A));
}

TEST_F(FirstUsesTest, WhatIsKnownIsAnsweredAtOnce) {
  EXPECT_FALSE(Uses.isKnown(kernel(A), Home));
  Uses.used(kernel(A), Home);
  EXPECT_TRUE(Uses.isKnown(kernel(A), Home));
  EXPECT_TRUE(Uses.isKnown(launch(A), Home));
  EXPECT_FALSE(Uses.isKnown(kernel(A), Home + 1));
  EXPECT_FALSE(Uses.isKnown(kernel(B), Home));
}

TEST_F(FirstUsesTest, AskingForALibraryDoesNotMakeAKernelKnown) {
  PossibleUse Parameters = kernel(A);
  Parameters.Uses = UsedCode::Library;
  Uses.used(Parameters, Home);
  EXPECT_FALSE(Uses.isKnown(kernel(A), Home));
}

TEST_F(FirstUsesTest, NothingIsKnownOfWhatIsGone) {
  Uses.used(kernel(A), Home);
  auto Image = Uses.unloading(Library);
  ASSERT_TRUE(Image);
  EXPECT_EQ(*Image, "xxh3:1");
  EXPECT_FALSE(Uses.isKnown(kernel(A), Home));
  EXPECT_FALSE(Uses.unloading(Library));
}

TEST_F(FirstUsesTest, ALibraryThatWasNeverUsedIsNoWaitingUnload) {
  EXPECT_FALSE(Uses.unloading(Library));
}

TEST_F(FirstUsesTest, ALibraryOutlivesAContextButIsNotInUse) {
  Uses.used(kernel(A), Home);
  load(A);
  Uses.ending(Home);
  EXPECT_FALSE(Uses.isKnown(kernel(A), Home));
  Library->Resident = A->Loaded = false;
  Uses.seal();
  EXPECT_FALSE(Library->Resident); // It was not listed, which would touch it.
  EXPECT_TRUE(call(kernel(A), A));
}

TEST_F(FirstUsesTest, PrimingWhileSealedIsNoEscape) {
  Uses.seal();
  load(A);
  load(B);
  Uses.madeResident(HandleKind::Library, Library, Home, "");
  Uses.relist();
  EXPECT_TRUE(Uses.look().empty());
  EXPECT_FALSE(call(kernel(A), A));
}

TEST_F(FirstUsesTest, NothingIsFoundOnceUnsealed) {
  Uses.used(kernel(A), Home);
  load(A);
  Uses.seal();
  Uses.unseal();
  load(B);
  EXPECT_TRUE(Uses.look().empty());
  Uses.seal();
  EXPECT_TRUE(Uses.look().empty());
}

TEST_F(FirstUsesTest, ADriverThatCannotListFindsNothing) {
  Driver.Api.FuncIsLoaded = nullptr;
  Uses.seal();
  EXPECT_FALSE(call(kernel(A), A));
  EXPECT_TRUE(Uses.look().empty());
}

TEST_F(FirstUsesTest, LookingLeavesNoTrace) {
  Uses.used(kernel(A), Home);
  load(A);
  Uses.seal();
  load(B);
  Uses.look();
  EXPECT_EQ(Driver.disturbance(), "");
  EXPECT_EQ(Driver.Devices[0].References, 1);
}

TEST(Homes, OneHomeIsAnsweredWithoutTheDriver) {
  FakeDriver Driver;
  Homes Where;
  Where.shared(1);
  Where.shared(1);
  EXPECT_EQ(Where.current(Driver.Api), 1);
  EXPECT_EQ(Driver.calls("CtxGetCurrent"), 0);
}

TEST(Homes, SeveralAreToldApartByTheCurrentContext) {
  FakeDriver Driver;
  Homes Where;
  FakeContext *Private = Driver.createPrivate(1);
  Where.shared(0);
  Where.shared(1);
  Where.made(reinterpret_cast<CUcontext>(Private), 1);
  Driver.makeCurrent(Driver.activatePrimary(0));
  EXPECT_EQ(Where.current(Driver.Api), 0);
  Driver.makeCurrent(Driver.createGreen(1));
  EXPECT_EQ(Where.current(Driver.Api), 1);
  Driver.makeCurrent(Private);
  int Own = Where.current(Driver.Api);
  EXPECT_GT(Own, 1);
  EXPECT_EQ(Where.deviceOf(Own), 1);
  EXPECT_EQ(Where.ended(reinterpret_cast<CUcontext>(Private)), Own);
  EXPECT_EQ(Where.ended(reinterpret_cast<CUcontext>(Private)), Homes::None);
  EXPECT_EQ(Where.privateContext(Own), nullptr);
}

} // namespace
