//===- DriverFunctionsTest.cpp --------------------------------------------===//

#include "hooks/DriverFunctions.h"

#include "hooks/DriverCall.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace kplan::runtime::hooks;

namespace {

TEST(DriverFunctionsTest, TakesTheSuffixOff) {
  EXPECT_EQ(baseOf("cuLaunchKernel"), "cuLaunchKernel");
  EXPECT_EQ(baseOf("cuLaunchKernel_ptsz"), "cuLaunchKernel");
  EXPECT_EQ(baseOf("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
  EXPECT_EQ(baseOf("cuTexRefSetAddress2D_v3"), "cuTexRefSetAddress2D");
  EXPECT_EQ(baseOf("cuMemcpy2D"), "cuMemcpy2D");
  EXPECT_EQ(baseOf("cuMemsetD8"), "cuMemsetD8");
  EXPECT_EQ(baseOf("_v2"), "_v2");
  EXPECT_EQ(baseOf(""), "");
}

TEST(DriverFunctionsTest, FindsEachRowBySymbol) {
  for (size_t I = 0; I < NumHooked; ++I)
    EXPECT_EQ(findHooked(HookedFunctions[I].Symbol),
              static_cast<DriverFunction>(I))
        << HookedFunctions[I].Symbol;
}

TEST(DriverFunctionsTest, FindsNothingElse) {
  for (const char *Name : {"", "cu", "cuMemcpy", "cuLaunchKerne",
                           "cuLaunchKernelE", "cuLaunchKernel_ptds", "dlsym"})
    EXPECT_FALSE(findHooked(Name)) << Name;
}

TEST(DriverFunctionsTest, SymbolsAreUnique) {
  std::set<std::string> Symbols;
  for (const DriverFunctionInfo &Info : HookedFunctions)
    EXPECT_TRUE(Symbols.insert(Info.Symbol).second) << Info.Symbol;
}

TEST(DriverFunctionsTest, AnAbiIsNamedByBaseVersionAndStream) {
  // cuGetProcAddress must be able to tell them apart.
  std::set<std::tuple<std::string_view, int, bool>> Asked;
  for (const DriverFunctionInfo &Info : HookedFunctions)
    EXPECT_TRUE(
        Asked.insert({Info.Base, Info.Version, Info.PerThreadStream}).second)
        << Info.Symbol;
}

TEST(DriverFunctionsTest, RowsThatAreAlikeHaveOnePurpose) {
  for (const DriverFunctionInfo &Info : HookedFunctions) {
    EXPECT_EQ(infoOf(Info.Like).Purpose, Info.Purpose) << Info.Symbol;
    EXPECT_EQ(infoOf(Info.Like).Like, Info.Like) << Info.Symbol;
    EXPECT_EQ(infoOf(Info.Like).Base, Info.Base) << Info.Symbol;
  }
}

TEST(DriverFunctionsTest, EachFunctionIsHookedPassedOrUnknown) {
  EXPECT_EQ(decisionOn("cuLaunchKernel"), Decision::Hooked);
  EXPECT_EQ(decisionOn("cuMemcpyHtoD"), Decision::Passed);
  EXPECT_EQ(decisionOn("cuInit"), Decision::Passed);
  EXPECT_EQ(decisionOn("cuNobodyKnows"), Decision::Unknown);
  EXPECT_EQ(decisionOn(""), Decision::Unknown);
}

TEST(DriverFunctionsTest, PurposesHaveNames) {
  for (size_t I = 0; I < NumPurposes; ++I) {
    auto P = static_cast<Purpose>(I);
    EXPECT_EQ(findPurpose(purposeName(P)), P);
  }
  EXPECT_FALSE(findPurpose("Load"));
}

TEST(DriverFunctionsTest, ArgumentsAreTypedByFunction) {
  LaunchKernelArguments A{};
  A.gridDimX = 7;
  DriverCall Plain{DriverFunction::LaunchKernel, &A};
  DriverCall PerThread{DriverFunction::LaunchKernel_ptsz, &A};
  EXPECT_EQ(Plain.as<LaunchKernelArguments>(), &A);
  EXPECT_EQ(PerThread.as<LaunchKernelArguments>(), &A);
  EXPECT_EQ(Plain.as<LaunchArguments>(), nullptr);
  // Another ABI, with other parameters.
  MemFreeArguments B{};
  DriverCall Old{DriverFunction::MemFree, &B};
  EXPECT_EQ(Old.as<MemFree_v2Arguments>(), nullptr);
}

TEST(DriverFunctionsTest, ArgumentsAreVisitedInOrder) {
  std::string Seen;
  FuncSetAttributeArguments{
      nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536}
      .visit([&](const char *Name, auto) { Seen += std::string(Name) + " "; });
  EXPECT_EQ(Seen, "hfunc attrib value ");
}

} // namespace
