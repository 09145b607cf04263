//===- HandleTableTest.cpp ------------------------------------------------===//

#include "record/HandleTable.h"

#include <gtest/gtest.h>
#include <memory>

using namespace kplan::runtime::record;

namespace {

constexpr uint64_t Library = 1, Other = 2, Module = 3, Kernel = 10,
                   Function = 11;

TEST(HandleTable, TellsKindsApart) {
  HandleTable T;
  EXPECT_EQ(T.kindOf(Kernel), HandleKind::Unknown);
  EXPECT_TRUE(T.add(HandleKind::Kernel, Kernel, Library));
  EXPECT_FALSE(T.add(HandleKind::Kernel, Kernel, Library));
  T.addFunctionOf(Kernel, Function);
  EXPECT_EQ(T.kindOf(Kernel), HandleKind::Kernel);
  EXPECT_EQ(T.kindOf(Function), HandleKind::Function);
}

TEST(HandleTable, AnUnloadTakesHandlesAndKeysAlong) {
  auto Seen = std::make_unique<SeenSet>();
  HandleTable T;
  T.add(HandleKind::Kernel, Kernel, Library);
  T.addModule(Module, Library);
  T.add(HandleKind::Function, Function, Module);
  T.add(HandleKind::Kernel, 12, Other);
  uint64_t About[] = {Library, Module, Kernel, Function, 12};
  for (uint64_t Handle : About) {
    Seen->insert(mix(Handle));
    T.noteKey(Handle, mix(Handle));
  }
  T.forgetOwner(Library, *Seen);
  for (uint64_t Handle : {Library, Module, Kernel, Function})
    EXPECT_FALSE(Seen->contains(mix(Handle))) << Handle;
  EXPECT_EQ(T.kindOf(Kernel), HandleKind::Unknown);
  EXPECT_EQ(T.kindOf(Function), HandleKind::Unknown);
  EXPECT_TRUE(Seen->contains(mix(12)));
  EXPECT_EQ(T.kindOf(12), HandleKind::Kernel);
}

TEST(HandleTable, AHandleMayComeBackUnseen) {
  HandleTable T;
  T.add(HandleKind::Function, Kernel, Library);
  EXPECT_TRUE(T.add(HandleKind::Function, Kernel, Other));
  EXPECT_TRUE(T.add(HandleKind::Kernel, Kernel, Library));
}

TEST(HandleTable, ForgetsAll) {
  HandleTable T;
  T.add(HandleKind::Kernel, Kernel, Library);
  T.forgetAll();
  EXPECT_EQ(T.kindOf(Kernel), HandleKind::Unknown);
}

} // namespace
