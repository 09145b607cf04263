//===- RegistryTest.cpp - What the program registered --------------------===//

#include "TestRegistry.h"

#include <gtest/gtest.h>

#include <thread>

using namespace kplan::runtime;

namespace {

const kplan_link_unit Unit = {};

/// Distinct handles and stubs.
void *Objects[8];

TEST(Registry, KeepsOrderAndGroupsByImage) {
  TestRegistry R;
  R.addKernel(&Unit, &Objects[0], &Objects[4], "a");
  R.addVariable(&Unit, &Objects[0], &Objects[5], "v");
  R.addKernel(&Unit, &Objects[1], &Objects[6], "a");
  R.addKernel(&Unit, &Objects[0], &Objects[7], "b");

  auto Images = R.snapshot();
  ASSERT_EQ(Images.size(), 2U);
  EXPECT_EQ(Images[0].Handle, &Objects[0]);
  ASSERT_EQ(Images[0].Kernels.size(), 2U);
  EXPECT_EQ(Images[0].Kernels[0].Symbol, "a");
  EXPECT_EQ(Images[0].Kernels[0].Host, &Objects[4]);
  EXPECT_EQ(Images[0].Kernels[1].Symbol, "b");
  ASSERT_EQ(Images[0].Variables.size(), 1U);
  EXPECT_EQ(Images[0].Variables[0].Symbol, "v");
  EXPECT_EQ(Images[1].Kernels.size(), 1U);
  EXPECT_EQ(R.dropped(), 0U);
}

TEST(Registry, ForgetsAnImageThatGoes) {
  TestRegistry R;
  for (int I = 0; I < 3; ++I)
    R.addKernel(&Unit, &Objects[I], &Objects[4], "k");
  R.remove(&Objects[1]);
  auto Images = R.snapshot();
  ASSERT_EQ(Images.size(), 2U);
  EXPECT_EQ(Images[0].Handle, &Objects[0]);
  EXPECT_EQ(Images[1].Handle, &Objects[2]);
  R.remove(&Objects[0]);
  R.remove(&Objects[2]);
  R.remove(&Objects[2]); // Unknown by now.
  EXPECT_TRUE(R.snapshot().empty());
}

TEST(Registry, AHandleThatIsUsedAgainIsAnotherImage) {
  TestRegistry R;
  R.addKernel(&Unit, &Objects[0], &Objects[4], "old");
  uint64_t Old = R.snapshot()[0].Serial;
  R.remove(&Objects[0]);
  R.addKernel(&Unit, &Objects[0], &Objects[4], "new");
  uint64_t New = R.snapshot()[0].Serial;
  EXPECT_NE(Old, New);
  Registry::Hold Hold = R.hold();
  EXPECT_FALSE(Hold.has(Old));
  EXPECT_TRUE(Hold.has(New));
}

TEST(Registry, TakesRegistrationsFromSeveralThreads) {
  TestRegistry R;
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&R, T] {
      for (int I = 0; I < 1000; ++I)
        R.addKernel(&Unit, &Objects[T], &Objects[4], "k");
    });
  for (std::thread &T : Threads)
    T.join();
  auto Images = R.snapshot();
  ASSERT_EQ(Images.size(), 4U);
  for (const RegisteredImage &I : Images)
    EXPECT_EQ(I.Kernels.size(), 1000U);
}

} // namespace
