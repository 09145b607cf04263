//===- PrimeTest.cpp - Execute a plan on one device ----------------------===//

#include "Prime.h"
#include "FakeDriver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace kplan;
using namespace kplan::runtime;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

constexpr Attribute Shared = Attribute::MaxDynamicSharedSizeBytes;

/// Two libraries; a plan that uses one kernel of the first (with an attribute,
/// a cache config, printf, malloc and a large frame) and a variable.
struct Scene {
  Scene() {
    FakeLibrary &First = Driver.addLibrary();
    Planned = &Driver.addKernel(First, "planned");
    Planned->LocalBytes = 33000;
    Neighbour = &Driver.addKernel(First, "neighbour");
    FakeLibrary &Second = Driver.addLibrary();
    Other = &Driver.addKernel(Second, "other");
    Images = {Driver.image(1, First), Driver.image(2, Second)};
    Images[0].Variables.push_back({&Variable, "g"});

    Kernel K;
    K.Key.Symbol = "planned";
    K.Attributes[Shared] = 65536;
    K.Cache = CacheConfig::PreferShared;
    K.Uses = {Use::Printf, Use::Malloc};
    P.Kernels = {K};
    P.Globals.push_back({"g", "a.cu", {}, {}});
  }

  kplan_status run(const Plan *Which) {
    Report = {};
    PrimeInput Input;
    Input.Registered = Images;
    Input.ThePlan = Which;
    Input.Complete = true;
    kplan_status Status =
        kplan::runtime::prime(Driver.Api, Input, Options, Primed, Report);
    Report.finish();
    return Status;
  }

  FakeDriver Driver;
  FakeKernel *Planned, *Neighbour, *Other;
  int Variable = 42;
  std::vector<RegisteredImage> Images;
  Plan P;
  PrimeOptions Options;
  std::vector<PrimedContext> Primed;
  kplan_report Report;
};

class Prime : public testing::Test, public Scene {};

TEST_F(Prime, KeepsTheProgramsLastErrorWhenItsOwnCallsFail) {
  Driver.makeCurrent(Driver.activatePrimary());
  Driver.lastError() = 700;
  Driver.fail("cudaGetKernel", 1);
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Report.Missing.size(), 1u);
  EXPECT_EQ(Driver.lastError(), 700);
  Driver.fail("cudaGetSymbolAddress", 1);
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_TRUE(Driver.failed());
  EXPECT_EQ(Driver.lastError(), 700);
}

TEST_F(Prime, PutsThePlanInPlace) {
  Driver.makeCurrent(Driver.activatePrimary());
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_TRUE(Planned->Loaded);
  EXPECT_FALSE(Neighbour->Loaded);
  EXPECT_FALSE(Other->Library->Resident);
  EXPECT_EQ(Planned->Attributes[8], 65536);
  EXPECT_EQ(Planned->CacheConfigs, 1);
  EXPECT_THAT(Driver.GlobalsAsked, ElementsAre(42));
  EXPECT_THAT(Driver.Launched,
              ElementsAre("kplan_start_printf", "kplan_start_malloc",
                          "kplan_reserve_local"));

  EXPECT_EQ(Report.count(KPLAN_COUNT_LIBRARIES), 1U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_FUNCTIONS), 1U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_ATTRIBUTES), 2U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_GLOBALS), 1U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_LOCAL_BYTES), 33000U);
  // 33000 rounded up to 16, a thousand threads in the fake device.
  EXPECT_EQ(Report.count(KPLAN_COUNT_DEVICE_BYTES), 33008000U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_NOT_COVERED), 1U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_WARNINGS), 0U) << Report.text();
  EXPECT_EQ(Driver.disturbance(), "");
}

TEST_F(Prime, AgainChangesNothing) {
  Driver.makeCurrent(Driver.activatePrimary());
  ASSERT_EQ(run(&P), KPLAN_OK);
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Driver.Launched.size(), 3U);
  EXPECT_EQ(Planned->CacheConfigs, 1);
  EXPECT_EQ(Driver.calls("KernelSetAttribute"), 1);
  EXPECT_EQ(Report.count(KPLAN_COUNT_ATTRIBUTES), 0U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_UNCHANGED), 2U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_LOCAL_BYTES), 33000U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_DEVICE_BYTES), 0U);
}

TEST_F(Prime, AGreenContextSharesWithItsPrimary) {
  FakeContext *Green = Driver.createGreen();
  Driver.makeCurrent(Green);
  ASSERT_EQ(run(&P), KPLAN_OK);
  Driver.makeCurrent(Driver.activatePrimary());
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Driver.Launched.size(), 3U);
  EXPECT_EQ(Primed.size(), 1U);
}

TEST_F(Prime, AfterAResetEverythingIsDoneAgain) {
  Driver.makeCurrent(Driver.activatePrimary());
  ASSERT_EQ(run(&P), KPLAN_OK);
  Driver.resetDevice(0);
  Driver.makeCurrent(Driver.activatePrimary());
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Driver.Launched.size(), 6U);
  EXPECT_EQ(Primed.size(), 1U);
}

TEST_F(Prime, EachDeviceIsPrimedByItself) {
  Options.Device = 0;
  ASSERT_EQ(run(&P), KPLAN_OK);
  Options.Device = 1;
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Report.Device, 1);
  EXPECT_EQ(Driver.Launched.size(), 6U);
  EXPECT_EQ(Driver.disturbance(), "");
}

TEST_F(Prime, WithoutPlanEverythingBecomesResident) {
  ASSERT_EQ(run(nullptr), KPLAN_OK);
  EXPECT_TRUE(Planned->Loaded);
  EXPECT_TRUE(Neighbour->Loaded);
  EXPECT_TRUE(Other->Loaded);
  EXPECT_EQ(Report.count(KPLAN_COUNT_LIBRARIES), 2U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_FUNCTIONS), 3U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_ATTRIBUTES), 0U);
  EXPECT_THAT(Driver.Launched,
              ElementsAre("kplan_start_printf", "kplan_reserve_local"));
}

TEST_F(Prime, AttributesCanBeSwitchedOff) {
  Options.Attributes = false;
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_TRUE(Planned->Loaded);
  EXPECT_EQ(Planned->Attributes.count(8), 0U);
  EXPECT_EQ(Planned->CacheConfigs, 0);
}

TEST_F(Prime, LocalMemoryCanBeRefused) {
  Options.LocalMemory = false;
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_THAT(Driver.Launched, testing::Not(Contains("kplan_reserve_local")));
  EXPECT_EQ(Report.count(KPLAN_COUNT_LOCAL_BYTES), 0U);
  EXPECT_THAT(Report.Warnings,
              ElementsAre(HasSubstr("planned (33000 bytes a thread)")));
}

TEST_F(Prime, NothingIsLaunchedThatNoPlannedKernelNeeds) {
  P.Kernels[0].Uses.clear();
  Planned->LocalBytes = 0;
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_THAT(Driver.Launched, IsEmpty());
  EXPECT_EQ(Driver.calls("StreamCreate"), 0);
}

TEST_F(Prime, ALimitThatTheProgramHasYetToSetHoldsItsService) {
  P.Limits = {{"printf_fifo_size", 1 << 24},
              {"malloc_heap_size", 8 << 20},
              {"stack_size", 4096}};
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_THAT(Driver.Launched,
              ElementsAre("kplan_start_malloc", "kplan_reserve_local"));
  EXPECT_THAT(Report.Warnings,
              UnorderedElementsAre(
                  HasSubstr("limit printf_fifo_size is 1048576, the plan has "
                            "16777216: set it before priming"),
                  HasSubstr("limit stack_size is 1024")));
}

TEST_F(Prime, AStackThatIsLargeEnoughAlreadyIsNoWarning) {
  P.Limits = {{"stack_size", 512}};
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_THAT(Report.Warnings, IsEmpty());
}

TEST_F(Prime, AMissingKernelIsAnErrorOnlyWhenStrict) {
  P.Kernels.emplace_back().Key.Symbol = "gone";
  EXPECT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_MISSING), 1U);
  EXPECT_THAT(Report.message(0), HasSubstr("gone"));
  Options.Strict = true;
  EXPECT_EQ(run(&P), KPLAN_ERROR_MISSING);
  EXPECT_TRUE(Planned->Loaded);
}

TEST_F(Prime, ManyImagesOnSeveralThreadsGiveOneOrderedReport) {
  Images.clear();
  Plan Many;
  for (int I = 0; I < 40; ++I) {
    FakeLibrary &L = Driver.addLibrary();
    std::string Symbol = "k" + std::to_string(I);
    Driver.addKernel(L, Symbol);
    Images.push_back(Driver.image(I + 1, L));
    Kernel K;
    K.Key.Symbol = Symbol;
    K.Attributes[Shared] = I % 2 ? 1024 : 1 << 30; // Every second is refused.
    Many.Kernels.push_back(K);
  }
  Options.Threads = 4;
  ASSERT_EQ(run(&Many), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_LIBRARIES), 40U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_ATTRIBUTES), 20U);
  ASSERT_EQ(Report.Missing.size(), 20U);
  for (int I = 0; I < 20; ++I)
    EXPECT_THAT(Report.Missing[I],
                HasSubstr(" of k" + std::to_string(2 * I) + " "));
  EXPECT_EQ(Driver.disturbance(), "");
}

TEST_F(Prime, TwoStubsOfOneFunctionAreOneFunction) {
  Images[0].Kernels.push_back(Images[0].Kernels[0]); // As with -rdc.
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_FUNCTIONS), 1U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_ATTRIBUTES), 2U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_UNCHANGED), 0U);
}

TEST_F(Prime, AProgramThatRegistersNothingIsTold) {
  Images.clear();
  Driver.makeCurrent(Driver.activatePrimary());
  ASSERT_EQ(run(nullptr), KPLAN_OK);
  EXPECT_THAT(Report.Warnings, ElementsAre(HasSubstr("link kplan::runtime")));
}

TEST_F(Prime, ADriverThatDoesNotTellLibrariesIsEnough) {
  Driver.Api.KernelGetLibrary = nullptr;
  Driver.Api.StreamGetGreenCtx = nullptr;
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_LIBRARIES), 1U);
  EXPECT_TRUE(Planned->Loaded);
}

TEST_F(Prime, AFrameThatTheCompilerMadeSmallerIsReported) {
  Driver.FrameLoss = 16;
  ASSERT_EQ(run(&P), KPLAN_OK);
  EXPECT_THAT(Report.Warnings,
              ElementsAre(AllOf(HasSubstr("local memory is not reserved"),
                                HasSubstr("a frame of only 32992 bytes"))));
  EXPECT_EQ(Report.count(KPLAN_COUNT_LOCAL_BYTES), 0U);
}

/// A plan that makes priming use all that it can, on one thread, so that the
/// nth call of a function is always the same one.
struct FailureScene : Scene {
  FailureScene() {
    P.Limits = {{"stack_size", 1024}, {"malloc_heap_size", 8 << 20}};
    Kernel K;
    K.Key.Symbol = "other";
    K.Attributes[Shared] = MaxValue{};
    P.Kernels.push_back(K);
    P.Globals.push_back({"h", "b.cu", {}, {}});
    Images[1].Variables.push_back({&Variable, "h"});
    Options.Threads = 1;
  }

  int callsOf(const std::string &Call) {
    EXPECT_EQ(run(&P), KPLAN_OK);
    return Driver.calls(Call);
  }

  /// One failure: the program goes on, the report says so.
  void check(const std::string &Call, int Nth) {
    // Where the failure costs nothing: the context is found another way, what
    // was not told is taken to be so, or there was only something to undo.
    const std::set<std::string> Harmless = {"CtxGetCurrent",
                                            "CtxSetCurrent",
                                            "CtxGetId",
                                            "CtxPopCurrent",
                                            "DevicePrimaryCtxGetState",
                                            "MemGetInfo",
                                            "DevicePrimaryCtxRelease",
                                            "DevicePrimaryCtxRetain",
                                            "FuncGetAttribute",
                                            "GetErrorName",
                                            "KernelGetAttribute",
                                            "KernelGetLibrary",
                                            "StreamDestroy",
                                            "ThreadExchangeStreamCaptureMode"};
    const std::set<std::string> Undoing = {"CtxPopCurrent", "StreamDestroy",
                                           "ThreadExchangeStreamCaptureMode"};
    Driver.fail(Call, Nth);
    kplan_status Status = run(&P);
    ASSERT_TRUE(Driver.failed());
    if (!Harmless.count(Call)) {
      EXPECT_GT(Report.count(KPLAN_COUNT_WARNINGS), 0U);
    }
    EXPECT_EQ(Status == KPLAN_OK, Report.Failure.empty());
    Driver.fail("", 0);
    if (!Undoing.count(Call)) {
      EXPECT_EQ(Driver.disturbance(), "");
      CUcontext Now = nullptr;
      Driver.Api.CtxGetCurrent(&Now);
      EXPECT_EQ(Now, nullptr);
    }

    // The next priming finds a working driver and completes.
    EXPECT_EQ(run(&P), KPLAN_OK);
    EXPECT_EQ(Report.count(KPLAN_COUNT_WARNINGS), 0U) << Report.text();
    EXPECT_TRUE(Planned->Loaded);
    EXPECT_TRUE(Other->Loaded);
  }
};

TEST(PrimeFailure, EachCallAtItsFirstUsesInTurn) {
  const std::vector<std::string> Calls = {
#define KPLAN_DRIVER(Name, Version, Needed) #Name,
#include "DriverApi.def"
      "cudaGetKernel", "cudaGetSymbolAddress", "cudaGetDevice",
      "cudaInitDevice"};
  int Failures = 0;
  for (const std::string &Call : Calls) {
    int Uses = FailureScene().callsOf(Call);
    for (int Nth = 1; Nth <= std::min(Uses, 3); ++Nth) {
      SCOPED_TRACE(Call + ", use " + std::to_string(Nth));
      FailureScene().check(Call, Nth);
      ++Failures;
    }
  }
  EXPECT_GT(Failures, 40);
}

} // namespace
