//===- FirstUseRulesTest.cpp - Which calls can be a first use -------------===//

#include "escapes/FirstUseRules.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

using namespace kplan::runtime;
using namespace kplan::runtime::hooks;

namespace {

/// By the driver's symbol: what it uses.
std::map<std::string, UsedCode> uses() {
  std::map<std::string, UsedCode> All;
#define FIRST_USE(F, Handle, Field, Uses) All["cu" #F] = UsedCode::Uses;
#define FIRST_USE_NAMED(F, Handle, Field, Uses, Name)                          \
  FIRST_USE(F, Handle, Field, Uses)
#define FIRST_USE_ON(F, Handle, Field, Uses, Device)                           \
  FIRST_USE(F, Handle, Field, Uses)
#define FIRST_USE_IN_NODE(F, Field) All["cu" #F] = UsedCode::Kernel;
#include "escapes/FirstUseRules.def"
  return All;
}

std::set<std::string> frees() {
  std::set<std::string> All;
#define WAITING_FREE(F) All.insert("cu" #F);
#include "escapes/FirstUseRules.def"
  return All;
}

// The stand-in's model is what was measured: test/gpu/facts.cu.
TEST(FirstUseRules, AgreeWithTheModelOfTheDriver) {
  enum When { Never, Untouched, Touched, Always, Eager };
  auto Uses = uses();
  auto Frees = frees();
  auto Check = [&](const std::string &Function, When Waits, bool Loads) {
    auto F = findHooked(Function);
    ASSERT_TRUE(F) << Function;
    Purpose P = infoOf(*F).Purpose;
    if (P == Purpose::Load)
      return; // Every load is an escape.
    if (P == Purpose::Free || P == Purpose::Unload) {
      EXPECT_TRUE(Frees.count(Function)) << Function;
      return;
    }
    if (Waits != Untouched)
      return;
    ASSERT_TRUE(Uses.count(Function)) << Function;
    EXPECT_EQ(Uses[Function] == UsedCode::Kernel, Loads) << Function;
  };
#define MODEL(Function, Waits, Loads) Check(#Function, Waits, Loads != 0);
#include "../../test/standin/Model.def"
}

TEST(FirstUseRules, AreAboutFunctionsThatAreObserved) {
  for (const auto &[Function, Used] : uses()) {
    Purpose P = infoOf(*findHooked(Function)).Purpose;
    EXPECT_TRUE(P == Purpose::Touch || P == Purpose::Set ||
                P == Purpose::Launch || P == Purpose::Graph)
        << Function;
  }
  for (const std::string &Function : frees()) {
    Purpose P = infoOf(*findHooked(Function)).Purpose;
    EXPECT_TRUE(P == Purpose::Free || P == Purpose::Unload) << Function;
  }
}

TEST(FirstUseRules, TellACallsSubject) {
  int Kernel = 0, Module = 0;
  KernelSetAttributeArguments Set = {
      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1,
      reinterpret_cast<CUkernel>(&Kernel), 3};
  PossibleUse Use = possibleUse({DriverFunction::KernelSetAttribute, &Set});
  EXPECT_EQ(Use.Kind, HandleKind::Kernel);
  EXPECT_EQ(Use.Uses, UsedCode::Kernel);
  EXPECT_EQ(Use.Handle, &Kernel);
  EXPECT_EQ(Use.Device, 3);

  ModuleGetFunctionArguments Get = {nullptr,
                                    reinterpret_cast<CUmodule>(&Module), "k"};
  Use = possibleUse({DriverFunction::ModuleGetFunction, &Get});
  EXPECT_EQ(Use.Kind, HandleKind::Module);
  EXPECT_STREQ(Use.Name, "k");
  EXPECT_EQ(Use.Device, -1);

  FuncIsLoadedArguments Ask = {};
  EXPECT_EQ(possibleUse({DriverFunction::FuncIsLoaded, &Ask}).Kind,
            HandleKind::None);
}

TEST(FirstUseRules, AGraphNodeUsesItsKernel) {
  int Function = 0, Kernel = 0;
  CUDA_KERNEL_NODE_PARAMS Node = {};
  Node.func = reinterpret_cast<CUfunction>(&Function);
  GraphAddKernelNode_v2Arguments Add = {};
  Add.nodeParams = &Node;
  PossibleUse Use = possibleUse({DriverFunction::GraphAddKernelNode_v2, &Add});
  EXPECT_EQ(Use.Kind, HandleKind::Function);
  EXPECT_EQ(Use.Handle, &Function);

  CUgraphNodeParams Any = {};
  Any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  Any.kernel.kern = reinterpret_cast<CUkernel>(&Kernel);
  GraphAddNodeArguments AddAny = {};
  AddAny.nodeParams = &Any;
  EXPECT_EQ(possibleUse({DriverFunction::GraphAddNode, &AddAny}).Handle,
            &Kernel);
  Any.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  EXPECT_EQ(possibleUse({DriverFunction::GraphAddNode, &AddAny}).Kind,
            HandleKind::None);
}

TEST(FirstUseRules, OtherABIsAreTheSame) {
  int Function = 0;
  LaunchKernelArguments Launch = {};
  Launch.f = reinterpret_cast<CUfunction>(&Function);
  EXPECT_EQ(possibleUse({DriverFunction::LaunchKernel_ptsz, &Launch}).Handle,
            &Function);
  EXPECT_TRUE(isWaitingFree(DriverFunction::MemFree_v2));
  EXPECT_FALSE(isWaitingFree(DriverFunction::StreamDestroy_v2));
}

} // namespace
