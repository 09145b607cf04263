//===- ContextTest.cpp - Working in the program's context ----------------===//

#include "Context.h"
#include "FakeDriver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

using namespace kplan;
using namespace kplan::runtime;

namespace {

CUcontext handle(FakeContext *C) { return reinterpret_cast<CUcontext>(C); }

CUcontext current(const FakeDriver &D) {
  CUcontext C = nullptr;
  D.Api.CtxGetCurrent(&C);
  return C;
}

TEST(PrimeContext, UsesTheCurrentOne) {
  FakeDriver D;
  FakeContext *Primary = D.activatePrimary();
  D.makeCurrent(Primary);
  {
    PrimeContext C(D.Api, -1, D.unit());
    ASSERT_FALSE(C.error());
    EXPECT_EQ(C.context(), handle(Primary));
    EXPECT_EQ(C.kind(), ContextKind::Primary);
    EXPECT_EQ(C.homeId(), Primary->Id);
  }
  EXPECT_EQ(current(D), handle(Primary));
  EXPECT_EQ(D.Devices[0].References, 1);
  EXPECT_EQ(D.calls("CtxPushCurrent"), 0);
  EXPECT_EQ(D.disturbance(), "");
}

TEST(PrimeContext, IsNoneWhileTheCurrentOneIsNotActive) {
  FakeDriver D;
  FakeContext *Primary = D.activatePrimary();
  D.makeCurrent(Primary);
  Primary->Active = false;
  PrimeContext C(D.Api, -1, nullptr);
  ASSERT_TRUE(C.error());
  EXPECT_EQ(current(D), handle(Primary));
}

TEST(PrimeContext, KnowsAGreenContextAndItsHome) {
  FakeDriver D;
  FakeContext *Primary = D.activatePrimary();
  D.makeCurrent(D.createGreen());
  PrimeContext C(D.Api, -1, nullptr);
  ASSERT_FALSE(C.error());
  EXPECT_EQ(C.kind(), ContextKind::Green);
  EXPECT_EQ(C.homeId(), Primary->Id);
  EXPECT_EQ(D.OpenStreams, 0);
}

TEST(PrimeContext, AnyOtherContextIsPrivate) {
  FakeDriver D;
  D.activatePrimary();
  FakeContext *Own = D.createPrivate();
  D.makeCurrent(Own);
  PrimeContext C(D.Api, -1, nullptr);
  EXPECT_EQ(C.kind(), ContextKind::Private);
  EXPECT_EQ(C.homeId(), Own->Id);
}

TEST(PrimeContext, OtherwiseThePrimaryOfTheCurrentDevice) {
  FakeDriver D;
  D.CurrentDevice = 1;
  {
    PrimeContext C(D.Api, -1, D.unit());
    ASSERT_FALSE(C.error());
    EXPECT_EQ(C.device(), 1);
    EXPECT_EQ(D.calls("cudaInitDevice"), 1); // The runtime made it.
    EXPECT_EQ(current(D), C.context());
  }
  EXPECT_EQ(current(D), nullptr);
  EXPECT_EQ(D.Devices[1].References, 1); // The runtime's, not ours.
  EXPECT_EQ(D.disturbance(), "");
}

TEST(PrimeContext, AnActivePrimaryIsNotInitialisedAgain) {
  FakeDriver D;
  D.activatePrimary(0);
  PrimeContext C(D.Api, 0, D.unit());
  ASSERT_FALSE(C.error());
  EXPECT_EQ(D.calls("cudaInitDevice"), 0);
}

TEST(PrimeContext, ADeviceThatIsAskedForWinsOverTheCurrentContext) {
  FakeDriver D;
  FakeContext *Zero = D.activatePrimary(0);
  FakeContext *One = D.activatePrimary(1);
  D.makeCurrent(Zero);
  {
    PrimeContext C(D.Api, 1, D.unit());
    ASSERT_FALSE(C.error());
    EXPECT_EQ(C.context(), handle(One));
  }
  EXPECT_EQ(current(D), handle(Zero));
}

TEST(PrimeContext, SaysWhyThereIsNone) {
  FakeDriver D;
  EXPECT_THAT(PrimeContext(D.Api, -1, nullptr).error()->Message,
              testing::HasSubstr("no context is current"));
  EXPECT_THAT(PrimeContext(D.Api, 0, nullptr).error()->Message,
              testing::HasSubstr("not active"));
  EXPECT_THAT(PrimeContext(D.Api, 7, D.unit()).error()->Message,
              testing::HasSubstr("cuDeviceGet"));
  D.fail("cudaInitDevice", 1);
  EXPECT_THAT(PrimeContext(D.Api, 0, D.unit()).error()->Message,
              testing::HasSubstr("cudaInitDevice: cudaErrorFake"));
  EXPECT_EQ(PrimeContext(D.Api, 7, D.unit()).status(), KPLAN_ERROR_NO_CONTEXT);
  D.fail("CtxPushCurrent", 1);
  EXPECT_EQ(PrimeContext(D.Api, 0, D.unit()).status(), KPLAN_ERROR_DRIVER);
  EXPECT_EQ(D.disturbance(), "");
}

TEST(PrimeContext, AnEarlierErrorOfTheProgramStays) {
  FakeDriver D;
  D.lastError() = 700;
  D.fail("cudaInitDevice", 1);
  EXPECT_TRUE(PrimeContext(D.Api, 0, D.unit()).error());
  EXPECT_EQ(D.lastError(), 700);
}

} // namespace
