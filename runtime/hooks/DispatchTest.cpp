//===- DispatchTest.cpp ---------------------------------------------------===//

#include "hooks/Dispatch.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <vector>

using namespace kplan::runtime::hooks;

namespace {

std::vector<std::string> Events;

CUresult realSet(CUfunction, CUfunction_attribute, int Value) {
  Events.push_back("driver " + std::to_string(Value));
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult setAttribute(int Value) {
  return callObserved<DriverFunction::FuncSetAttribute>(
      reinterpret_cast<void *>(&realSet),
      FuncSetAttributeArguments{
          nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, Value});
}

/// Writes down what it is told; does what a test asks for.
class Witness final : public HookObserver {
public:
  constexpr explicit Witness(const char *Name) noexcept : Name(Name) {}
  const char *name() const override { return Name; }
  bool ignores(const DriverCall &) const noexcept override { return Ignore; }

  std::optional<CUresult> before(const DriverCall &Call,
                                 uint64_t &Memory) override {
    auto *A = Call.as<FuncSetAttributeArguments>();
    Events.push_back(std::string(Name) + " before " + std::to_string(A->value));
    Memory = static_cast<uint64_t>(A->value);
    errno = 99;
    if (Throw)
      throw std::runtime_error("test");
    if (CallMyself)
      setAttribute(1000);
    return Answer;
  }
  void after(const DriverCall &, CUresult Result, uint64_t &Memory) override {
    Events.push_back(std::string(Name) + " after " + std::to_string(Memory) +
                     " " + std::to_string(Result));
  }

  std::optional<CUresult> Answer;
  bool Ignore = false;
  bool Throw = false;
  bool CallMyself = false;

private:
  const char *Name;
};

// Observers cannot be removed, so all tests share these two.
class DispatchTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setAttribute(1);
    BeforeAnyObserver = Events;
    ASSERT_TRUE(addObserver(First, Purpose::Set));
    ASSERT_TRUE(addObserver(Second, Purposes(Purpose::Set) | Purpose::Free));
  }
  void SetUp() override { Events.clear(); }
  void TearDown() override {
    First.Answer.reset();
    Second.Answer.reset();
    First.CallMyself = false;
    First.Ignore = Second.Ignore = false;
  }

  static inline Witness First{"first"}, Second{"second"};
  static inline std::vector<std::string> BeforeAnyObserver;
};

using Strings = std::vector<std::string>;

TEST_F(DispatchTest, WithoutObserversTheDriverIsCalled) {
  EXPECT_EQ(BeforeAnyObserver, Strings{"driver 1"});
}

TEST_F(DispatchTest, ObserversHearInOrderAndBackwards) {
  EXPECT_EQ(setAttribute(5), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Events, (Strings{"first before 5", "second before 5", "driver 5",
                             "second after 5 1", "first after 5 1"}));
}

TEST_F(DispatchTest, AnAnswerTakesTheDriversPlace) {
  First.Answer = CUDA_SUCCESS;
  EXPECT_EQ(setAttribute(5), CUDA_SUCCESS);
  EXPECT_EQ(Events, (Strings{"first before 5", "first after 5 0"}));
}

TEST_F(DispatchTest, TheirOwnCallsAreNotObserved) {
  First.CallMyself = true;
  setAttribute(5);
  EXPECT_EQ(Events,
            (Strings{"first before 5", "driver 1000", "second before 5",
                     "driver 5", "second after 5 1", "first after 5 1"}));
}

TEST_F(DispatchTest, WhoIgnoresACallIsToldNeitherHalf) {
  First.Ignore = true;
  setAttribute(5);
  EXPECT_EQ(Events,
            (Strings{"second before 5", "driver 5", "second after 5 1"}));
  Events.clear();
  Second.Ignore = true;
  EXPECT_EQ(setAttribute(6), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Events, Strings{"driver 6"});
}

TEST_F(DispatchTest, CallsCanBeKeptUnobserved) {
  {
    Unobserved Guard;
    setAttribute(5);
  }
  EXPECT_EQ(Events, Strings{"driver 5"});
}

TEST_F(DispatchTest, OtherPurposesAreNotTold) {
  int Calls = 0;
  static int *Counter;
  Counter = &Calls;
  auto Real = +[](CUmodule *, const void *) {
    ++*Counter;
    return CUDA_SUCCESS;
  };
  EXPECT_FALSE(isObserved<DriverFunction::ModuleLoadData>());
  EXPECT_TRUE(isObserved<DriverFunction::FuncSetAttribute>());
  callObserved<DriverFunction::ModuleLoadData>(
      reinterpret_cast<void *>(Real),
      ModuleLoadDataArguments{nullptr, nullptr});
  EXPECT_EQ(Calls, 1);
  EXPECT_TRUE(Events.empty());
  EXPECT_TRUE(observedPurposes().contains(Purpose::Set));
  EXPECT_TRUE(observedPurposes().contains(Purpose::Free));
  EXPECT_FALSE(observedPurposes().contains(Purpose::Load));
}

TEST_F(DispatchTest, ErrnoIsKept) {
  errno = 7;
  setAttribute(5);
  EXPECT_EQ(errno, 7);
}

// The last one: it switches `first` off.
TEST_F(DispatchTest, XFailuresStayInside) {
  First.Throw = true;
  testing::internal::CaptureStderr();
  EXPECT_EQ(setAttribute(5), CUDA_ERROR_INVALID_VALUE);
  setAttribute(6);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kplan: the first failed (test) and is switched off; the program "
            "goes on\n");
  EXPECT_EQ(Events, (Strings{"first before 5", "second before 5", "driver 5",
                             "second after 5 1", "second before 6", "driver 6",
                             "second after 6 1"}));
}

} // namespace
