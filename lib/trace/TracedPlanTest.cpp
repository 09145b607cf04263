//===- TracedPlanTest.cpp - Golden recordings -----------------------------===//

#include "trace/TracedPlan.h"

#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"
#include "trace/Recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::trace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

constexpr const char *IdA = "xxh3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
constexpr const char *IdB = "xxh3:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

class TracedPlanTest : public testing::Test {
protected:
  Plan planOf(const std::string &Lines) {
    auto Events = parseRecording(
        "process version=2 id=1 program=/bin/app\n" + Lines, "test");
    EXPECT_TRUE(Events) << (Events ? "" : format(Events.errors()[0]));
    Plan P = planOfProcess(*Events, ".", Warnings);
    // Whatever was recorded, the result is a plan.
    std::string Text = writePlan(P);
    auto Again = readPlan(Text, "written.yaml");
    EXPECT_TRUE(Again) << Text << (Again ? "" : format(Again.errors()[0]));
    return P;
  }
  static std::string load(uint64_t Handle, const std::string &Id,
                          const std::string &More = "") {
    return "load handle=" + std::to_string(Handle) +
           " by=library kind=cubin image=" + Id + More + "\n";
  }
  std::vector<Diagnostic> Warnings;
};

TEST_F(TracedPlanTest, NamesTheDevice) {
  Plan P = planOf("driver version=580.1 loading=lazy\n"
                  "device name=NVIDIA%20H200 sms=132 arch=90\n"
                  "device ordinal=1 name=Other sms=8 arch=90\n"
                  "context kind=primary\n");
  ASSERT_EQ(P.Producers.size(), 1u);
  EXPECT_EQ(P.Producers[0].Gpu, "NVIDIA H200");
  EXPECT_EQ(P.Producers[0].Sms, 132u);
  EXPECT_EQ(P.Producers[0].Driver, "580.1");
  EXPECT_EQ(P.Producers[0].Loading, "lazy");
}

TEST_F(TracedPlanTest, AKernelThatIsUsedHasItsImage) {
  Plan P = planOf(load(1, IdA) + "kernel handle=7 library=1 symbol=_Z4gemmPf\n"
                                 "kernel handle=8 library=1 symbol=_Z5otherv\n"
                                 "use handle=7 how=launch\n");
  ASSERT_EQ(P.Kernels.size(), 1u) << "one was only looked up";
  EXPECT_EQ(P.Kernels[0].Key.Symbol, "_Z4gemmPf");
  EXPECT_EQ(P.Kernels[0].Name, "gemm(float*)");
  EXPECT_EQ(P.Kernels[0].Key.Image, IdA);
}

TEST_F(TracedPlanTest, AFunctionIsItsKernel) {
  Plan P = planOf(load(1, IdA) + "kernel handle=7 library=1 symbol=k\n"
                                 "function handle=9 kernel=7\n"
                                 "use handle=9 how=touch\n"
                                 "use handle=7 how=launch\n");
  ASSERT_EQ(P.Kernels.size(), 1u);
  EXPECT_EQ(P.Kernels[0].Key.Image, IdA);
}

TEST_F(TracedPlanTest, AModuleOfALibraryIsItsImage) {
  Plan P = planOf(load(1, IdA) + "module handle=3 library=1\n"
                                 "function handle=9 module=3 symbol=k\n"
                                 "use handle=9 how=touch\n"
                                 "global by=module handle=3 symbol=g\n"
                                 "global by=library handle=1 symbol=f\n");
  ASSERT_EQ(P.Kernels.size(), 1u);
  EXPECT_EQ(P.Kernels[0].Key.Image, IdA);
  ASSERT_EQ(P.Images.size(), 1u);
  EXPECT_THAT(P.Images[0].Globals, ElementsAre("f", "g"));
}

TEST_F(TracedPlanTest, HandlesAreReused) {
  Plan P = planOf(load(1, IdA) +
                  "kernel handle=7 library=1 symbol=k\n"
                  "use handle=7 how=launch\n"
                  "unload by=library handle=1\n" +
                  load(1, IdB) +
                  "kernel handle=7 library=1 symbol=l\n"
                  "use handle=7 how=launch\n");
  ASSERT_EQ(P.Kernels.size(), 2u);
  EXPECT_EQ(P.Kernels[0].Key.Image, IdA);
  EXPECT_EQ(P.Kernels[1].Key.Image, IdB);
}

TEST_F(TracedPlanTest, AnUnloadedKernelIsNoneAnyMore) {
  Plan P = planOf(load(1, IdA) + "kernel handle=7 library=1 symbol=k\n"
                                 "unload by=library handle=1\n"
                                 "use handle=7 how=launch\n");
  EXPECT_THAT(P.Kernels, IsEmpty());
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_THAT(Warnings[0].Message, HasSubstr("nobody has looked up"));
}

TEST_F(TracedPlanTest, CountsLiveCopies) {
  Plan P = planOf(load(1, IdA) + load(2, IdA) + "unload by=library handle=1\n" +
                  load(3, IdA) + load(4, IdB));
  ASSERT_EQ(P.Images.size(), 2u);
  EXPECT_EQ(P.Images[0].Copies, 2u);
  EXPECT_EQ(P.Images[1].Copies, 1u);
}

TEST_F(TracedPlanTest, AnUnloadThatFailedIsNone) {
  Plan P = planOf(load(1, IdA) +
                  "unload by=library handle=1\n"
                  "unload by=library handle=1 failed=1\n" +
                  load(2, IdA));
  ASSERT_EQ(P.Images.size(), 1u);
  EXPECT_EQ(P.Images[0].Copies, 2u);
}

TEST_F(TracedPlanTest, ImagesDifferByOptions) {
  Plan P = planOf(load(1, IdA, " options=max_registers,64") + load(2, IdA));
  ASSERT_EQ(P.Images.size(), 2u);
  EXPECT_THAT(
      P.Images[1].Options,
      ElementsAre(std::pair<const std::string, int64_t>("max_registers", 64)));
}

TEST_F(TracedPlanTest, SaysWhatCannotBeLoadedAhead) {
  Plan P = planOf(load(1, IdA, " unwritten=global_symbol_names wrapper=2") +
                  "load handle=2 by=module unknown=no%20device%20code\n");
  EXPECT_EQ(P.Images[0].Extra["x-unwritten_options"], "[global_symbol_names]");
  EXPECT_EQ(P.Images[0].Extra["x-wrapper"], "2");
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_THAT(Warnings[0].Message, HasSubstr("no device code"));
}

TEST_F(TracedPlanTest, OriginsAreKept) {
  Plan P = planOf(
      load(1, IdA, " store=images/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.cubin") +
      load(2, IdA, " file=/lib/a.so build_id=5f size=3") +
      load(3, IdB, " store=images/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.cubin"));
  EXPECT_EQ(P.Images[0].Origin, Origin(FileOrigin{"/lib/a.so", "5f", 0, 3}));
  EXPECT_EQ(
      P.Images[1].Origin,
      Origin(StoreOrigin{"images/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.cubin"}));
}

TEST_F(TracedPlanTest, ValuesOfAnAttributeAreCombined) {
  Plan P = planOf(load(1, IdA) + "kernel handle=7 library=1 symbol=k\n"
                                 "set handle=7 attribute=8 value=100\n"
                                 "set handle=7 attribute=8 value=50\n"
                                 "set handle=7 attribute=9 value=10\n"
                                 "set handle=7 attribute=9 value=20\n"
                                 "cache handle=7 config=2\n");
  ASSERT_EQ(P.Kernels.size(), 1u);
  EXPECT_EQ(P.Kernels[0].Attributes.size(), 1u);
  EXPECT_EQ(P.Kernels[0].Attributes[Attribute::MaxDynamicSharedSizeBytes],
            Value(int64_t(100)));
  EXPECT_EQ(P.Kernels[0].Cache, CacheConfig::PreferL1);
  ASSERT_EQ(P.Conflicts.size(), 1u);
  EXPECT_THAT(P.Conflicts[0].Values,
              ElementsAre(Value(int64_t(10)), Value(int64_t(20))));
}

TEST_F(TracedPlanTest, UnknownNumbersAreSaid) {
  Plan P = planOf(load(1, IdA) + "kernel handle=7 library=1 symbol=k\n"
                                 "set handle=7 attribute=99 value=1\n"
                                 "cache handle=7 config=77\n"
                                 "limit number=99 value=1\n");
  EXPECT_EQ(P.Kernels.size(), 1u);
  EXPECT_TRUE(P.Limits.empty());
  EXPECT_EQ(Warnings.size(), 2u);
}

TEST_F(TracedPlanTest, LimitsTakeTheLargest) {
  Plan P = planOf("limit value=2048\nlimit value=1024\n"
                  "limit number=1 value=4096\n");
  EXPECT_THAT(
      P.Limits,
      UnorderedElementsAre(
          std::pair<const std::string, uint64_t>("stack_size", 2048),
          std::pair<const std::string, uint64_t>("printf_fifo_size", 4096)));
}

TEST_F(TracedPlanTest, TheDriverKnowsLocalMemory) {
  Plan P = planOf(load(1, IdA) + "kernel handle=7 library=1 symbol=k\n"
                                 "local handle=7 bytes=512\n"
                                 "kernel handle=8 library=1 symbol=l\n"
                                 "local handle=8\n");
  EXPECT_EQ(P.Kernels[0].LocalBytes, 512u);
  EXPECT_EQ(P.Kernels[1].LocalBytes, 0u);
}

TEST_F(TracedPlanTest, UnpackingALibraryIsNoStallUnderLazyLoading) {
  const std::string Stalls =
      "stall api=cuLibraryLoadData ns=20000000 thread=1\n"
      "stall api=cuModuleLoadData ns=20000000 thread=1\n";
  Plan Lazy = planOf("driver version=580.1 loading=lazy\n" + Stalls);
  ASSERT_EQ(Lazy.Stalls.size(), 1u);
  EXPECT_EQ(Lazy.Stalls[0].Api, "cuModuleLoadData");
  EXPECT_EQ(
      planOf("driver version=580.1 loading=eager\n" + Stalls).Stalls.size(),
      2u);
}

TEST_F(TracedPlanTest, ThreadsAreNumberedAsTheyAppear) {
  Plan P = planOf(load(1, IdA) +
                  "kernel handle=7 library=1 symbol=k\n"
                  "stall api=cuMemFree_v2 ns=5000000 thread=900\n"
                  "stall api=cuKernelSetAttribute handle=7 ns=272345678 "
                  "thread=800 stream=2 in_flight=1,3 behind=1\n");
  ASSERT_EQ(P.Stalls.size(), 2u);
  EXPECT_EQ(P.Stalls[0].Api, "cuKernelSetAttribute");
  EXPECT_EQ(P.Stalls[0].KernelSymbol, "k");
  EXPECT_EQ(P.Stalls[0].HostMs, 272.3);
  EXPECT_EQ(P.Stalls[0].Thread, 2u);
  EXPECT_EQ(P.Stalls[0].Extra["x-in_flight"], "[1, 3]");
  EXPECT_EQ(P.Stalls[0].Extra["x-stream"], "2");
  EXPECT_EQ(P.Stalls[0].Extra["x-behind_other_thread"], "true");
  EXPECT_EQ(P.Stalls[1].Thread, 1u);
}

TEST_F(TracedPlanTest, AMissingImageIsAWarning) {
  Plan P = planOf(
      load(1, IdA, " store=images/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.cubin") +
      "kernel handle=7 library=1 symbol=k\n"
      "use handle=7 how=launch\n");
  EXPECT_EQ(P.Kernels.size(), 1u);
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_EQ(Warnings[0].Level, Severity::Warning);
}

TEST_F(TracedPlanTest, HostileEventsMakeAPlanAllTheSame) {
  planOf("load handle=3 by=library kind=cubin store=../../etc/passwd image=" +
         std::string(IdA) +
         "\n"
         "use handle=1\nunload by=x handle=1\nglobal by=y handle=2 symbol=s\n"
         "kernel handle=0 library=0\nuse handle=0\nmodule handle=1 library=9\n"
         "function handle=1 kernel=1 module=1\nlocal handle=5\n"
         "load by=library image=../../etc/passwd kind=cubin store=/etc/passwd\n"
         "load by=tree image=" +
         IdA +
         " kind=fruit\n"
         "load by=module kind=ptx image=" +
         IdB + " options=max_registers unwritten=a%0Ab file=%0A\n");
}

} // namespace
