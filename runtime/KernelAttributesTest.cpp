//===- KernelAttributesTest.cpp - Set what a plan wants of a kernel ------===//

#include "KernelAttributes.h"
#include "FakeDriver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace kplan;
using namespace kplan::runtime;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr Attribute Shared = Attribute::MaxDynamicSharedSizeBytes;

class KernelAttributes : public testing::Test {
protected:
  KernelAttributes() {
    Driver.makeCurrent(Driver.activatePrimary());
    K = &Driver.addKernel(Driver.addLibrary(), "k");
    Work.Symbol = "k";
  }

  void set() {
    AttributeSetter(Driver.Api, 0)
        .setAttributes(reinterpret_cast<CUkernel>(K), Work, Counts, Problems);
  }
  int shared() {
    return K->Attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES];
  }

  FakeDriver Driver;
  FakeKernel *K;
  KernelWork Work;
  AttributeCounts Counts;
  std::vector<std::string> Problems;
};

TEST_F(KernelAttributes, SetsOnlyWhatDiffers) {
  Work.Attributes[Shared] = 65536;
  set();
  EXPECT_EQ(shared(), 65536);
  EXPECT_EQ(Counts.Set, 1U);
  set();
  EXPECT_EQ(Counts.Set, 1U);
  EXPECT_EQ(Counts.Unchanged, 1U);
  EXPECT_EQ(Driver.calls("KernelSetAttribute"), 1);
  EXPECT_THAT(Problems, IsEmpty());
}

TEST_F(KernelAttributes, MaxIsOptInLessStatic) {
  K->Attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = 1024;
  Work.Attributes[Shared] = MaxValue{};
  set();
  EXPECT_EQ(shared(), 232448 - 1024);
}

TEST_F(KernelAttributes, MaxIsNeverNegative) {
  K->Attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = 300000;
  K->Attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = 7;
  Work.Attributes[Shared] = MaxValue{};
  set();
  EXPECT_EQ(shared(), 0);
}

TEST_F(KernelAttributes, AtMostIsTheSmallerOne) {
  Work.Attributes[Shared] = AtMostValue{1000};
  set();
  EXPECT_EQ(shared(), 1000);
  Work.Attributes[Shared] = AtMostValue{1000000};
  set();
  EXPECT_EQ(shared(), 232448);
}

TEST_F(KernelAttributes, MaxOfAnotherAttributeIsAProblem) {
  Work.Attributes[Attribute::PreferredSharedMemoryCarveout] = MaxValue{};
  set();
  EXPECT_EQ(Counts.Set, 0U);
  EXPECT_THAT(Problems,
              ElementsAre(HasSubstr(
                  "preferred_shared_memory_carveout of k is not set to max")));
}

TEST_F(KernelAttributes, AValueThatTheDriverRefusesIsAProblem) {
  Work.Attributes[Shared] = 300000;
  Work.Attributes[Attribute::NonPortableClusterSizeAllowed] = 1;
  set();
  EXPECT_EQ(Counts.Set, 1U); // The other one.
  EXPECT_THAT(Problems, ElementsAre(HasSubstr("is not set to 300000")));
}

TEST_F(KernelAttributes, AValueBeyondIntIsAProblem) {
  Work.Attributes[Shared] = int64_t(1) << 40;
  set();
  EXPECT_EQ(Driver.calls("KernelSetAttribute"), 0);
  EXPECT_THAT(Problems, ElementsAre(HasSubstr("out of range")));
}

TEST_F(KernelAttributes, CacheConfigIsRemembered) {
  Work.Cache = CacheConfig::PreferL1;
  AttributeSetter Setter(Driver.Api, 0);
  auto *Handle = reinterpret_cast<CUkernel>(K);
  EXPECT_TRUE(Setter.setCacheConfig(Handle, Work, nullptr, Counts, Problems));
  CacheConfig Other = CacheConfig::PreferShared, Same = CacheConfig::PreferL1;
  EXPECT_TRUE(Setter.setCacheConfig(Handle, Work, &Other, Counts, Problems));
  EXPECT_TRUE(Setter.setCacheConfig(Handle, Work, &Same, Counts, Problems));
  EXPECT_EQ(Counts.Set, 2U);
  EXPECT_EQ(Counts.Unchanged, 1U);
  EXPECT_EQ(K->CacheConfigs, 2);
}

} // namespace
