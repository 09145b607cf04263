//===- SeenSetTest.cpp ----------------------------------------------------===//

#include "record/SeenSet.h"

#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

using namespace kplan::runtime::record;

TEST(SeenSet, KnowsWhatItWasTold) {
  auto Set = std::make_unique<SeenSet>();
  EXPECT_FALSE(Set->contains(mix(1)));
  EXPECT_TRUE(Set->insert(mix(1)));
  EXPECT_TRUE(Set->contains(mix(1)));
  EXPECT_FALSE(Set->insert(mix(1)));
  EXPECT_FALSE(Set->contains(mix(2)));
}

TEST(SeenSet, Forgets) {
  auto Set = std::make_unique<SeenSet>();
  Set->insert(mix(1));
  Set->clear();
  EXPECT_FALSE(Set->contains(mix(1)));
  EXPECT_TRUE(Set->insert(mix(1)));
}

TEST(SeenSet, TellsKeysOfOnePlaceApart) {
  auto Set = std::make_unique<SeenSet>();
  constexpr uint64_t Size = uint64_t(1) << 16;
  for (uint64_t I = 1; I <= 10; ++I)
    EXPECT_TRUE(Set->insert(I * Size));
  for (uint64_t I = 1; I <= 10; ++I)
    EXPECT_TRUE(Set->contains(I * Size));
  EXPECT_FALSE(Set->contains(11 * Size));
}

TEST(SeenSet, TakesWhatDoesNotFitForNew) {
  auto Set = std::make_unique<SeenSet>();
  for (uint64_t I = 1; I <= 200000; ++I)
    Set->insert(mix(I));
  size_t New = 0;
  for (uint64_t I = 1; I <= 200000; ++I)
    New += Set->insert(mix(I)) ? 1 : 0;
  EXPECT_GE(New, 200000u - (1u << 16));
  EXPECT_FALSE(Set->contains(mix(300000)));
}

TEST(SeenSet, FindsWhatIsBehindAnErasedKey) {
  auto Set = std::make_unique<SeenSet>();
  constexpr uint64_t Size = uint64_t(1) << 16;
  for (uint64_t I = 1; I <= 3; ++I)
    Set->insert(I * Size);
  Set->erase(1 * Size);
  EXPECT_FALSE(Set->contains(1 * Size));
  EXPECT_TRUE(Set->contains(3 * Size));
  EXPECT_FALSE(Set->insert(3 * Size));
}

TEST(SeenSet, UsesThePlacesOfErasedKeys) {
  auto Set = std::make_unique<SeenSet>();
  constexpr uint64_t Size = uint64_t(1) << 16;
  for (uint64_t I = 1; I <= 10000; ++I) {
    Set->insert(I * Size);
    EXPECT_TRUE(Set->contains(I * Size)) << I;
    Set->erase(I * Size);
  }
}

TEST(SeenSet, TellsAThreadThatAKeyIsNew) {
  auto Set = std::make_unique<SeenSet>();
  constexpr uint64_t Keys = 20000;
  std::atomic<uint64_t> New = 0;
  std::vector<std::thread> Threads;
  Threads.reserve(4);
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      for (uint64_t I = 1; I <= Keys; ++I)
        New += Set->insert(mix(I)) ? 1 : 0;
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_GE(New, Keys);
  for (uint64_t I = 1; I <= Keys; ++I)
    EXPECT_TRUE(Set->contains(mix(I)));
}
