//===- CodeTableTest.cpp - The code that is loaded in this process -------===//

#include "CodeTable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

using namespace kplan;
using namespace kplan::runtime;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr uint64_t Home = 7, OtherHome = 8;

CUlibrary library(uintptr_t Number) {
  return reinterpret_cast<CUlibrary>(Number);
}
CUmodule module(uintptr_t Number) { return reinterpret_cast<CUmodule>(Number); }

class CodeTableTest : public testing::Test {
protected:
  /// As priming loads it, from PTX, which can be short.
  uint64_t ahead(CodeHandle Handle, const char *Text = "image",
                 const SemanticOptions &Options = {}) {
    CodeEntry E;
    E.Handle = Handle;
    E.Owner = CodeOwner::Ahead;
    E.Image = Text;
    E.Options = Options;
    E.Kind = ImageKind::Ptx;
    E.Device = 0;
    E.Home = loaderOf(Handle) == Loader::Module ? Home : 0;
    auto Bytes = std::make_shared<image::ImageBytes>(std::strlen(Text));
    std::memcpy(Bytes->data(), Text, std::strlen(Text));
    E.Bytes = std::move(Bytes);
    E.Log.Info = "info";
    return Table.add(std::move(E));
  }
  uint64_t program(CodeHandle Handle, uint64_t In = 0) {
    CodeEntry E;
    E.Handle = Handle;
    E.Home = In;
    return Table.add(std::move(E));
  }
  /// The handle that a load of the program gets; none: the driver's own.
  std::optional<CodeHandle> load(Loader By, const char *Text = "image",
                                 const SemanticOptions &Options = {},
                                 uint64_t Here = Home) {
    auto Claimed = Table.claim(
        By, GivenImage::pointer(Text), Options,
        [&](const JitLog &Log) { return Suits && Log.Info == "info"; },
        [&] { return Here; });
    if (!Claimed)
      return std::nullopt;
    return Claimed->Handle;
  }
  std::vector<uint64_t> serials(uint64_t In, uint64_t After = 0) {
    std::vector<uint64_t> Found;
    for (const CodeEntry &E : Table.list(In, After))
      Found.push_back(E.Serial);
    return Found;
  }

  CodeTable Table;
  bool Suits = true;
};

TEST_F(CodeTableTest, GivesACopyOnce) {
  ahead(library(1));
  ahead(library(2));
  EXPECT_EQ(load(Loader::Library), CodeHandle(library(1)));
  EXPECT_EQ(load(Loader::Library), CodeHandle(library(2)));
  EXPECT_EQ(load(Loader::Library), std::nullopt);
}

TEST_F(CodeTableTest, NotAgainAfterAnUnload) {
  ahead(library(1));
  ASSERT_TRUE(load(Loader::Library));
  EXPECT_TRUE(Table.remove(library(1)));
  EXPECT_EQ(load(Loader::Library), std::nullopt);
  EXPECT_FALSE(Table.mayClaim(Loader::Library, {}));
  EXPECT_THAT(Table.list(Home), IsEmpty());
}

TEST_F(CodeTableTest, ComparesTheBytes) {
  ahead(library(1), "image");
  EXPECT_EQ(load(Loader::Library, "imagf"), std::nullopt);
  EXPECT_EQ(load(Loader::Library, "imag"), std::nullopt);
  EXPECT_EQ(load(Loader::Library, "images"), std::nullopt);
  EXPECT_TRUE(load(Loader::Library, "image"));
}

TEST_F(CodeTableTest, ComparesTheOptions) {
  ahead(library(1), "image", {{"max_registers", 32}});
  EXPECT_EQ(load(Loader::Library, "image"), std::nullopt);
  EXPECT_EQ(load(Loader::Library, "image", {{"max_registers", 64}}),
            std::nullopt);
  EXPECT_TRUE(load(Loader::Library, "image", {{"max_registers", 32}}));
}

TEST_F(CodeTableTest, ALibraryIsNoModule) {
  ahead(library(1));
  EXPECT_EQ(load(Loader::Module), std::nullopt);
  ahead(module(2));
  EXPECT_EQ(load(Loader::Module), CodeHandle(module(2)));
}

TEST_F(CodeTableTest, AModuleStaysInItsContext) {
  ahead(module(1));
  EXPECT_EQ(load(Loader::Module, "image", {}, OtherHome), std::nullopt);
  EXPECT_EQ(load(Loader::Module, "image", {}, 0), std::nullopt); // Not known.
  EXPECT_TRUE(load(Loader::Module, "image", {}, Home));
}

TEST_F(CodeTableTest, ALogThatCannotBeAnsweredIsTheDrivers) {
  ahead(library(1));
  Suits = false;
  EXPECT_EQ(load(Loader::Library), std::nullopt);
  Suits = true;
  EXPECT_TRUE(load(Loader::Library));
}

TEST_F(CodeTableTest, WhatIsNotClaimedIsNotTheProgramsToUnload) {
  ahead(library(1));
  EXPECT_FALSE(Table.remove(library(1)));
  EXPECT_TRUE(load(Loader::Library));
}

TEST_F(CodeTableTest, AnUnloadThatFailsChangesNothing) {
  uint64_t First = program(library(1)), Second = program(library(2));
  auto Taken = Table.remove(library(1));
  ASSERT_TRUE(Taken);
  Table.putBack(std::move(*Taken));
  EXPECT_THAT(serials(Home), ElementsAre(First, Second));
}

TEST_F(CodeTableTest, AHandleThatComesAgainIsOtherCode) {
  uint64_t Old = program(module(1), OtherHome); // Its context ended unseen.
  uint64_t New = program(module(1), Home);
  EXPECT_THAT(serials(OtherHome), IsEmpty());
  EXPECT_THAT(serials(Home), ElementsAre(New));
  EXPECT_NE(Old, New);
}

TEST_F(CodeTableTest, ListsWhatMattersInAContext) {
  uint64_t Library = program(library(1));
  program(module(2), OtherHome);
  uint64_t Module = program(module(3), Home);
  EXPECT_THAT(serials(Home), ElementsAre(Library, Module));
  EXPECT_THAT(serials(Home, Library), ElementsAre(Module));
  EXPECT_EQ(Table.lastSerial(), Module);
}

TEST_F(CodeTableTest, DiesWithItsContext) {
  ahead(library(1));
  ahead(library(2));
  ahead(module(3));
  uint64_t Own = program(library(4));
  ASSERT_EQ(load(Loader::Library), CodeHandle(library(1)));
  auto Unclaimed = Table.forgetHome(Home, 0);
  ASSERT_EQ(Unclaimed.size(), 1U); // To be unloaded; modules are gone already.
  EXPECT_EQ(Unclaimed[0].Handle, CodeHandle(library(2)));
  EXPECT_EQ(load(Loader::Module), std::nullopt);
  EXPECT_EQ(load(Loader::Library), std::nullopt);
  EXPECT_THAT(serials(Home), ElementsAre(1, Own));
}

TEST_F(CodeTableTest, AnotherDevicesLibrariesStay) {
  ahead(library(1));
  EXPECT_THAT(Table.forgetHome(OtherHome, 1), IsEmpty());
  EXPECT_TRUE(load(Loader::Library));
}

TEST_F(CodeTableTest, GivesBackWhatOnePrimingLoaded) {
  ahead(library(1));
  uint64_t Before = Table.lastSerial();
  ahead(library(2), "other");
  ahead(library(3), "third");
  ASSERT_TRUE(load(Loader::Library, "third"));
  auto Taken = Table.takeAhead(Before);
  ASSERT_EQ(Taken.size(), 1U);
  EXPECT_EQ(Taken[0].Handle, CodeHandle(library(2)));
  EXPECT_TRUE(load(Loader::Library, "image"));
  EXPECT_EQ(load(Loader::Library, "other"), std::nullopt);
}

TEST_F(CodeTableTest, CountsCopiesWhoeverLoadedThem) {
  ahead(library(1));
  ahead(module(2));
  ASSERT_TRUE(load(Loader::Library));
  CodeEntry E;
  E.Handle = library(3);
  E.Image = "image";
  Table.add(std::move(E));
  EXPECT_EQ(Table.copies(Loader::Library, "image", {}, Home), 2U);
  EXPECT_EQ(Table.copies(Loader::Library, "image", {{"lto", 1}}, Home), 0U);
  EXPECT_EQ(Table.copies(Loader::Module, "image", {}, Home), 1U);
  EXPECT_EQ(Table.copies(Loader::Module, "image", {}, OtherHome), 0U);
}

TEST_F(CodeTableTest, CountsWhatBecameOfWhatWasLoadedAhead) {
  ahead(library(1));
  ahead(library(2));
  program(library(3));
  ASSERT_TRUE(load(Loader::Library));
  CodeCounts Counts = Table.counts();
  EXPECT_EQ(Counts.Loaded, 2U);
  EXPECT_EQ(Counts.Claimed, 1U);
  EXPECT_EQ(Counts.Unclaimed, 1U);
}

TEST_F(CodeTableTest, AnUnloadWaitsForAPin) {
  uint64_t Serial = program(library(1));
  std::thread Unloading;
  {
    CodeTable::Pin Pin(Table, Serial);
    ASSERT_TRUE(Pin);
    Unloading = std::thread([&] { EXPECT_TRUE(Table.remove(library(1))); });
    EXPECT_THAT(serials(Home), ElementsAre(Serial));
  }
  Unloading.join();
  EXPECT_FALSE(CodeTable::Pin(Table, Serial));
}

TEST_F(CodeTableTest, WhileItIsHeldCodeIsThere) {
  uint64_t Serial = program(library(1));
  {
    CodeTable::Hold Hold = Table.hold();
    EXPECT_TRUE(Hold.has(Serial));
    EXPECT_FALSE(Hold.has(Serial + 1));
  }
  Table.remove(library(1));
  EXPECT_FALSE(Table.hold().has(Serial));
}

TEST_F(CodeTableTest, OneOfManyThreadsGetsACopy) {
  for (uintptr_t I = 1; I <= 50; ++I)
    ahead(library(I));
  std::atomic<int> Got{0};
  std::vector<std::thread> Threads;
  Threads.reserve(4);
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I < 25; ++I)
        Got += load(Loader::Library).has_value();
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Got, 50);
  EXPECT_EQ(Table.counts().Claimed, 50U);
}

} // namespace
