//===- PreloadPrimeTest.cpp - Priming where loads are seen ---------------===//

#include "FakeDriver.h"
#include "Prime.h"
#include "image/Image.h"
#include "image/Store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr Attribute Shared = Attribute::MaxDynamicSharedSizeBytes;

/// A folder for a plan's store, for the time of a test.
class Folder {
public:
  Folder() {
    std::string Name = (std::filesystem::temp_directory_path() /
                        "kplan-preload-prime-test-XXXXXX")
                           .string();
    Path = mkdtemp(Name.data());
  }
  ~Folder() { std::filesystem::remove_all(Path); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string Path;
};

/// A plan with a library and a module to be loaded ahead, and a kernel that it
/// knows from source only, in a library that the program has loaded.
struct Scene {
  Scene() {
    Driver.makeCurrent(Driver.activatePrimary());
    addImage(".visible .entry lib() {}\n.entry spare() {}\n.global .b32 g;",
             Loader::Library, {"lib"});
    P.Images[0].Globals = {"g"};
    addImage(".visible .entry mod() { .local .b8 frame[4096]; }",
             Loader::Module, {"mod"});
    P.Kernels[1].Attributes[Shared] = 65536;

    Own = &Driver.addLibrary();
    Scanned = &Driver.addKernel(*Own, "scanned");
    Neighbour = &Driver.addKernel(*Own, "neighbour");
    Own->Globals = {"source"};
    CodeEntry E;
    E.Handle = reinterpret_cast<CUlibrary>(Own);
    Table.add(E);
    Kernel K;
    K.Key.Symbol = "scanned";
    K.Attributes[Shared] = 1024;
    P.Kernels.push_back(K);
    P.Globals.push_back({"source", "a.cu", {}, {}});
    P.Limits = {{"printf_fifo_size", 1 << 22},
                {"max_l2_fetch_granularity", 64}};
    Options.Threads = 1;
  }

  void addImage(const std::string &Text, Loader By,
                const std::vector<std::string> &Kernels) {
    Text_.push_back(Text);
    std::string Ptx = ".version 8.0\n.target sm_90\n" + Text;
    image::ByteView Bytes(Ptx);
    Image I;
    I.Id = image::contentId(Bytes);
    I.Kind = ImageKind::Ptx;
    I.LoadedBy = By;
    auto Kept = image::Store(Store.Path).add(I.Kind, I.Id, Bytes);
    ASSERT_TRUE(Kept);
    I.Origin = *Kept;
    for (const std::string &Symbol : Kernels) {
      Kernel K;
      K.Key.Symbol = Symbol;
      K.Key.Image = I.Id;
      K.Uses = {Use::Printf};
      P.Kernels.push_back(K);
    }
    P.Images.push_back(I);
  }

  PrimeInput input() {
    PrimeInput Input;
    Input.ThePlan = &P;
    Input.PlanFolder = Store.Path;
    Input.Loaded = &Table;
    return Input;
  }

  kplan_status run() {
    Report = {};
    kplan_status Status =
        kplan::runtime::prime(Driver.Api, input(), Options, Primed, Report);
    Report.finish();
    return Status;
  }

  void late() {
    Report = {};
    PrimeContext Context(Driver.Api, -1, nullptr);
    primeLate(Driver.Api, input(), Options, Context, Primed.at(0), Report);
  }

  /// Those of priming, without kplan's own modules.
  std::vector<FakeLibrary *> images() {
    std::vector<FakeLibrary *> Found;
    for (FakeLibrary &L : Driver.Libraries)
      if (L.FromImage && !L.Kernels[0].Symbol.starts_with("kplan_"))
        Found.push_back(&L);
    return Found;
  }

  std::optional<ClaimedCode> load(size_t Image) {
    std::string Ptx = ".version 8.0\n.target sm_90\n" + Text_.at(Image);
    return Table.claim(
        P.Images[Image].LoadedBy, GivenImage::pointer(Ptx.c_str()), {},
        [](const JitLog &) { return true; },
        [&] { return Driver.Devices[0].Primary->Id; });
  }

  Folder Store;
  std::vector<std::string> Text_;
  FakeDriver Driver;
  CodeTable Table;
  FakeLibrary *Own;
  FakeKernel *Scanned, *Neighbour;
  Plan P;
  PrimeOptions Options;
  std::vector<PrimedContext> Primed;
  kplan_report Report;
};

class PreloadPrime : public testing::Test, public Scene {};

TEST_F(PreloadPrime, LoadsAheadAndPrimesWhatIsThere) {
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_WARNINGS), 0U) << Report.text();
  ASSERT_EQ(images().size(), 2U);
  FakeKernel &Lib = images()[0]->Kernels[0], &Spare = images()[0]->Kernels[1];
  FakeKernel &Mod = images()[1]->Kernels[0];
  EXPECT_TRUE(Lib.Loaded);
  EXPECT_FALSE(Spare.Loaded);
  EXPECT_TRUE(Mod.Loaded);
  EXPECT_EQ(Mod.Attributes[8], 65536);
  EXPECT_TRUE(Scanned->Loaded);
  EXPECT_FALSE(Neighbour->Loaded);
  EXPECT_EQ(Scanned->Attributes[8], 1024);
  EXPECT_THAT(Driver.NamesAsked, testing::UnorderedElementsAre("g", "source"));
  EXPECT_THAT(Driver.Launched,
              ElementsAre("kplan_start_printf", "kplan_reserve_local"));
  // A module has no kernels, a library no functions that are set.
  EXPECT_EQ(Driver.calls("FuncSetAttribute"), 1);
  EXPECT_EQ(Driver.calls("KernelSetAttribute"), 1);
  EXPECT_EQ(Report.count(KPLAN_COUNT_IMAGES), 2U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_LIBRARIES), 3U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_FUNCTIONS), 3U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_GLOBALS), 2U);
  EXPECT_EQ(Driver.disturbance(), "");
}

TEST_F(PreloadPrime, TheProgramGetsWhatWasLoaded) {
  ASSERT_EQ(run(), KPLAN_OK);
  auto Library = load(0), Module = load(1);
  ASSERT_TRUE(Library && Module);
  EXPECT_EQ(Library->Handle,
            CodeHandle(reinterpret_cast<CUlibrary>(images()[0])));
  EXPECT_EQ(Module->Handle,
            CodeHandle(reinterpret_cast<CUmodule>(images()[1])));
}

TEST_F(PreloadPrime, SetsTheLimitsThatFirstUsesDependOn) {
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(Driver.Limits[CU_LIMIT_PRINTF_FIFO_SIZE], size_t(1) << 22);
  EXPECT_EQ(Driver.calls("CtxSetLimit"), 1);
}

TEST_F(PreloadPrime, ALimitThatIsRefusedHoldsItsService) {
  Driver.fail("CtxSetLimit", 1);
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_THAT(Driver.Launched, ElementsAre("kplan_reserve_local"));
  EXPECT_THAT(Report.Warnings,
              ElementsAre(HasSubstr("printf_fifo_size is not set")));
}

TEST_F(PreloadPrime, AgainChangesNothing) {
  ASSERT_EQ(run(), KPLAN_OK);
  load(0); // Claimed copies count too.
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(images().size(), 2U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_IMAGES), 0U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_ATTRIBUTES), 0U);
  EXPECT_EQ(Driver.Launched.size(), 2U);
}

TEST_F(PreloadPrime, AfterAnUnloadAFreshCopyIsLoadedAhead) {
  ASSERT_EQ(run(), KPLAN_OK);
  auto Claimed = load(0);
  ASSERT_TRUE(Claimed && Table.remove(Claimed->Handle));
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_IMAGES), 1U);
  EXPECT_TRUE(load(0));
}

TEST_F(PreloadPrime, WhatTheProgramHasLoadedItselfIsNoCopyToLoad) {
  CodeEntry E;
  FakeLibrary &L = Driver.addLibrary();
  FakeKernel &K = Driver.addKernel(L, "lib");
  L.Globals = {"g"};
  E.Handle = reinterpret_cast<CUlibrary>(&L);
  E.Image = P.Images[0].Id;
  Table.add(E);
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_IMAGES), 1U); // The module.
  EXPECT_TRUE(K.Loaded);
}

TEST_F(PreloadPrime, AsManyCopiesAsWereAlive) {
  P.Images[0].Copies = 3;
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(images().size(), 4U);
  for (FakeLibrary *L : images())
    EXPECT_TRUE(L->Kernels[0].Loaded);
  EXPECT_TRUE(load(0) && load(0) && load(0));
  EXPECT_FALSE(load(0));
}

TEST_F(PreloadPrime, ASecondDeviceUsesTheSameLibraries) {
  ASSERT_EQ(run(), KPLAN_OK);
  Driver.makeCurrent(Driver.activatePrimary(1));
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_IMAGES), 1U); // A module is a context's.
  EXPECT_EQ(Report.count(KPLAN_COUNT_LIBRARIES), 3U);
}

TEST_F(PreloadPrime, AnImageThatHasChangedIsNotLoaded) {
  P.Images[1].Id.back() ^= 1;
  P.Kernels[1].Key.Image = P.Images[1].Id;
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(images().size(), 1U);
  ASSERT_EQ(Report.Missing.size(), 1U);
  EXPECT_THAT(Report.Missing[0], HasSubstr("other bytes than the plan says"));
  EXPECT_EQ(Report.count(KPLAN_COUNT_WAITING), 1U);
}

TEST_F(PreloadPrime, AnImageOfAnotherKindIsNotLoaded) {
  P.Images[0].Kind = ImageKind::Cubin;
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(images().size(), 1U);
  EXPECT_THAT(Report.Missing, ElementsAre(HasSubstr("another kind")));
}

TEST_F(PreloadPrime, AnOptionThatIsNotKnownIsNotLoadedWith) {
  P.Images[0].Options = {{"quick", 1}};
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(images().size(), 1U);
  EXPECT_THAT(Report.Missing, ElementsAre(HasSubstr("option quick")));
}

TEST_F(PreloadPrime, WithoutBytesItWaitsForTheProgram) {
  P.Images[0].Origin = {};
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(images().size(), 1U);
  EXPECT_EQ(Report.count(KPLAN_COUNT_WAITING), 1U);
}

TEST_F(PreloadPrime, WhenDeviceMemoryRunsOutEverythingIsGivenBack) {
  for (const char *Call : {"LibraryLoadData", "ModuleLoadDataEx",
                           "KernelGetFunction", "ModuleGetFunction"}) {
    SCOPED_TRACE(Call);
    Scene S;
    S.Driver.fail(Call, 1, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(S.run(), KPLAN_ERROR_DRIVER);
    EXPECT_TRUE(S.Driver.failed());
    EXPECT_THAT(S.Report.Failure, HasSubstr("device memory ran out"));
    for (FakeLibrary *L : S.images())
      EXPECT_TRUE(L->Unloaded);
    EXPECT_EQ(S.Table.counts().Unclaimed, 0U);
    EXPECT_FALSE(S.load(0));
    EXPECT_THAT(S.Driver.Launched, IsEmpty());
    EXPECT_EQ(S.Driver.disturbance(), "");
  }
}

TEST_F(PreloadPrime, PrimesWhatIsLoadedLater) {
  Kernel K;
  K.Key.Symbol = "later";
  K.Attributes[Shared] = 2048;
  P.Kernels.push_back(K);
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_EQ(Report.count(KPLAN_COUNT_WAITING), 1U);

  FakeLibrary &L = Driver.addLibrary();
  FakeKernel &Later = Driver.addKernel(L, "later");
  FakeKernel &Other = Driver.addKernel(L, "other");
  CodeEntry E;
  E.Handle = reinterpret_cast<CUlibrary>(&L);
  Table.add(E);
  int Loaded = Driver.calls("KernelGetFunction");
  late();
  EXPECT_TRUE(Later.Loaded);
  EXPECT_FALSE(Other.Loaded);
  EXPECT_EQ(Later.Attributes[8], 2048);
  EXPECT_EQ(Driver.calls("KernelGetFunction"), Loaded + 1); // Nothing else.
  late();
  EXPECT_EQ(Driver.calls("KernelGetFunction"), Loaded + 1);
}

TEST_F(PreloadPrime, CodeThatIsUnloadedMeanwhileIsLeftAlone) {
  // Listed, then gone before its turn.
  Driver.Api.LibraryGetKernelCount = nullptr;
  auto Entry = Table.remove(reinterpret_cast<CUlibrary>(Own));
  ASSERT_TRUE(Entry);
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_FALSE(Scanned->Loaded);
}

TEST_F(PreloadPrime, WithoutNamesPlannedImagesAreStillPrimed) {
  Driver.Api.KernelGetName = nullptr;
  Driver.Api.FuncGetName = nullptr;
  ASSERT_EQ(run(), KPLAN_OK);
  EXPECT_TRUE(images()[0]->Kernels[0].Loaded);
  EXPECT_TRUE(images()[1]->Kernels[0].Loaded);
  EXPECT_FALSE(Scanned->Loaded);
  EXPECT_EQ(Report.count(KPLAN_COUNT_WAITING), 1U);
}

/// Each driver call fails in turn: the program's state is as it was, what could
/// not be done is said, and what is in the table is in the driver.
TEST(PreloadPrimeFailure, EachCallAtItsFirstUsesInTurn) {
  const std::vector<std::string> Calls = {
#define KPLAN_DRIVER(Name, Version, Needed) #Name,
#include "DriverApi.def"
  };
  const std::set<std::string> Undoing = {"CtxPopCurrent", "StreamDestroy",
                                         "ThreadExchangeStreamCaptureMode"};
  const std::set<std::string> Said = {
      "CtxSetLimit",        "FuncSetAttribute", "KernelGetFunction",
      "KernelSetAttribute", "LaunchKernel",     "LibraryGetGlobal",
      "LibraryGetKernel",   "LibraryLoadData",  "ModuleGetFunction",
      "ModuleLoadData",     "ModuleLoadDataEx", "StreamCreate",
      "StreamSynchronize"};
  int Failures = 0;
  for (const std::string &Call : Calls) {
    Scene Counting;
    EXPECT_EQ(Counting.run(), KPLAN_OK);
    const int Uses = std::min(Counting.Driver.calls(Call), 3);
    for (int Nth = 1; Nth <= Uses; ++Nth) {
      SCOPED_TRACE(Call + ", use " + std::to_string(Nth));
      Scene S;
      S.Driver.fail(Call, Nth);
      kplan_status Status = S.run();
      EXPECT_EQ(Status == KPLAN_OK, S.Report.Failure.empty());
      ASSERT_TRUE(S.Driver.failed());
      S.Driver.fail("", 0);
      if (!Undoing.count(Call)) {
        EXPECT_EQ(S.Driver.disturbance(), "");
      }
      if (Said.count(Call)) {
        EXPECT_GT(S.Report.count(KPLAN_COUNT_WARNINGS), 0U);
      }
      size_t There = 0;
      for (FakeLibrary *L : S.images())
        There += !L->Unloaded;
      EXPECT_EQ(S.Table.counts().Unclaimed, There);
      // The next priming finds a working driver and completes.
      EXPECT_EQ(S.run(), KPLAN_OK);
      EXPECT_EQ(S.Report.count(KPLAN_COUNT_WARNINGS), 0U) << S.Report.text();
      EXPECT_TRUE(S.load(0) && S.load(1));
      ++Failures;
    }
  }
  EXPECT_GT(Failures, 40);
}

} // namespace
