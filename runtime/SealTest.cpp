//===- SealTest.cpp - First uses after the seal --------------------------===//

#include "Seal.h"
#include "FakeDriver.h"
#include "TestRegistry.h"

#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// A primed library with one loaded and two other kernels, registered.
class SealTest : public testing::Test {
protected:
  SealTest() {
    Driver.activatePrimary();
    Library = &Driver.addLibrary();
    Library->Resident = true;
    Driver.addKernel(*Library, "primed").Loaded = true;
    Late = &Driver.addKernel(*Library, "late");
    Later = &Driver.addKernel(*Library, "later");
    Images.addKernel(Driver.unit(), &Handle, Late, "late");
    PrimedContext C;
    C.HomeId = Driver.Devices[0].Primary->Id;
    C.Device = 0;
    C.Resident = {{{CodeId::Kind::Registered, Images.snapshot()[0].Serial},
                   reinterpret_cast<CUlibrary>(Library)}};
    Primed = {C};
  }

  void close() { S.close(Driver.Api, Code, Primed); }
  void look() {
    for (Escape &E : S.look(Driver.Api, Code))
      Found.push_back(std::move(E));
  }

  FakeDriver Driver;
  FakeLibrary *Library;
  FakeKernel *Late, *Later;
  void *Handle = nullptr;
  TestRegistry Images;
  LiveCode Code{Images};
  std::vector<PrimedContext> Primed;
  Seal S;
  std::vector<Escape> Found;
};

TEST_F(SealTest, NamesAFunctionThatWasLoadedLate) {
  close();
  look();
  EXPECT_TRUE(Found.empty());
  Late->Loaded = true;
  look();
  look();
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Symbol, "late");
  EXPECT_EQ(Found[0].Device, 0);
  Later->Loaded = true;
  look();
  ASSERT_EQ(Found.size(), 2U);
  EXPECT_EQ(Found[1].Symbol, "later");
  EXPECT_EQ(Driver.disturbance(), "");
  EXPECT_EQ(Driver.Devices[0].References, 1);
}

TEST_F(SealTest, WhatWasLoadedBeforeTheSealIsNoEscape) {
  Late->Loaded = true;
  close();
  look();
  EXPECT_TRUE(Found.empty());
}

TEST_F(SealTest, SealingTwiceIsOneSeal) {
  close();
  Late->Loaded = true;
  close();
  look();
  EXPECT_EQ(Found.size(), 1U);
}

TEST_F(SealTest, NothingIsNoticedOnceItIsOpen) {
  close();
  S.open();
  Late->Loaded = true;
  look();
  EXPECT_TRUE(Found.empty());
}

TEST_F(SealTest, PrimingWhileSealedIsNoEscape) {
  close();
  look();
  Late->Loaded = true; // By priming.
  S.primedAgain(Driver.Api, Code, Primed);
  look();
  EXPECT_TRUE(Found.empty());
  Later->Loaded = true;
  look();
  EXPECT_EQ(Found.size(), 1U);
}

TEST_F(SealTest, NothingIsAskedOfAnImageThatIsGone) {
  close();
  Late->Loaded = true;
  Images.remove(&Handle); // dlclose: the handles dangle.
  int Before = Driver.calls("FuncIsLoaded");
  look();
  EXPECT_EQ(Driver.calls("FuncIsLoaded"), Before);
  EXPECT_TRUE(Found.empty());
}

TEST_F(SealTest, NothingIsAskedAfterAReset) {
  close();
  Driver.resetDevice(0);
  Driver.activatePrimary();
  Late->Loaded = true;
  int Before = Driver.calls("FuncIsLoaded");
  look();
  EXPECT_EQ(Driver.calls("FuncIsLoaded"), Before);
  EXPECT_TRUE(Found.empty());
}

TEST_F(SealTest, ADeadPrimaryIsNotBroughtBack) {
  close();
  Driver.resetDevice(0);
  look();
  EXPECT_EQ(Driver.Devices[0].References, 0);
}

TEST_F(SealTest, ALibraryThatPrimingDidNotTouchIsNotTouched) {
  FakeLibrary &Untouched = Driver.addLibrary();
  Driver.addKernel(Untouched, "k");
  void *Other = nullptr;
  Images.addKernel(Driver.unit(), &Other, &Untouched, "k");
  close();
  look();
  EXPECT_FALSE(Untouched.Resident);
}

TEST_F(SealTest, AnOldDriverWatchesNothing) {
  Driver.Api.FuncIsLoaded = nullptr;
  close();
  Late->Loaded = true;
  look();
  EXPECT_TRUE(Found.empty());
}

TEST_F(SealTest, ANamelessFunctionIsAnEscapeToo) {
  Driver.Api.FuncGetName = nullptr;
  close();
  Late->Loaded = true;
  look();
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Symbol, "");
}

TEST_F(SealTest, AFailingCallInventsNoEscape) {
  for (const char *Call :
       {"LibraryGetModule", "ModuleGetFunctionCount",
        "ModuleEnumerateFunctions", "FuncIsLoaded", "CtxPushCurrent",
        "DevicePrimaryCtxRetain", "DevicePrimaryCtxGetState", "CtxGetId"}) {
    Seal Fresh;
    Driver.fail(Call, 1);
    Fresh.close(Driver.Api, Code, Primed);
    EXPECT_TRUE(Fresh.look(Driver.Api, Code).empty()) << Call;
    EXPECT_TRUE(Driver.failed()) << Call;
    EXPECT_EQ(Driver.disturbance(), "") << Call;
    EXPECT_EQ(Driver.Devices[0].References, 1) << Call;
  }
}

} // namespace
