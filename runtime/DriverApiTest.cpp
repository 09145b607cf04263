//===- DriverApiTest.cpp - The driver, found at run time -----------------===//

#include "DriverApi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cudaTypedefs.h>
#include <set>
#include <type_traits>

using namespace kplan;
using namespace kplan::runtime;
using testing::HasSubstr;

namespace {

// The version in the table is that of the ABI that cuda.h declares.
#define KPLAN_DRIVER(Name, Version, Needed)                                    \
  static_assert(                                                               \
      std::is_same_v<decltype(DriverApi::Name), PFN_cu##Name##_v##Version>,    \
      #Name);
#include "DriverApi.def"

int Something;

TEST(DriverApi, AsksForEachFunctionByItsPlainName) {
  std::set<std::string> Asked;
  auto Api = makeDriverApi([&](const char *Name, int Version) -> void * {
    EXPECT_GE(Version, 2000) << Name;
    EXPECT_TRUE(Asked.insert(Name).second) << Name << " is listed twice";
    return &Something;
  });
  ASSERT_TRUE(Api);
  EXPECT_TRUE(Asked.count("cuMemGetInfo")); // Not cuMemGetInfo_v2.
  EXPECT_TRUE(Asked.count("cuKernelGetFunction"));
  EXPECT_TRUE(Api->canListFunctions());
}

TEST(DriverApi, NamesWhatAnOldDriverLacks) {
  auto Api = makeDriverApi([](const char *Name, int) -> void * {
    std::string N = Name;
    return N == "cuKernelGetFunction" || N == "cuCtxGetId" ? nullptr
                                                           : &Something;
  });
  ASSERT_FALSE(Api);
  EXPECT_THAT(Api.errors().front().Message,
              HasSubstr("cuCtxGetId, cuKernelGetFunction"));
}

TEST(DriverApi, DoesWithoutWhatIsOptional) {
  auto Api = makeDriverApi([](const char *Name, int Version) -> void * {
    return Version > 12000 && std::string(Name) != "cuCtxGetId" ? nullptr
                                                                : &Something;
  });
  ASSERT_TRUE(Api);
  EXPECT_FALSE(Api->canListFunctions());
  EXPECT_EQ(Api->FuncGetName, nullptr);
}

} // namespace
