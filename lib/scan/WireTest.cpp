//===- WireTest.cpp -------------------------------------------------------===//

#include "scan/Wire.h"

#include <gtest/gtest.h>

using namespace kplan::scan;

namespace {

std::string sample() {
  WireWriter W;
  W.number(~uint64_t(0));
  W.text(std::string_view("a\0\xff", 3));
  W.texts({"", "two"});
  return W.take();
}

TEST(Wire, GivesBackWhatWasWritten) {
  std::string Bytes = sample();
  WireReader R(Bytes);
  EXPECT_EQ(R.number(), ~uint64_t(0));
  EXPECT_EQ(R.text(), std::string("a\0\xff", 3));
  EXPECT_EQ(R.texts(), (std::vector<std::string>{"", "two"}));
  EXPECT_TRUE(R.complete());
}

TEST(Wire, NoCutOffMessageIsComplete) {
  std::string Bytes = sample();
  for (size_t Size = 0; Size < Bytes.size(); ++Size) {
    WireReader R(std::string_view(Bytes).substr(0, Size));
    R.number();
    R.text();
    R.texts();
    EXPECT_FALSE(R.complete()) << Size;
  }
}

TEST(Wire, MessageWithMoreBehindItIsNotComplete) {
  std::string Bytes = sample() + "x";
  WireReader R(Bytes);
  R.number();
  R.text();
  R.texts();
  EXPECT_FALSE(R.complete());
}

TEST(Wire, AnAbsurdLengthAllocatesNothing) {
  WireWriter W;
  W.number(~uint64_t(0) >> 1);
  std::string Bytes = W.take();
  WireReader R(Bytes);
  EXPECT_TRUE(R.texts().empty());
  EXPECT_FALSE(R.complete());
}

} // namespace
