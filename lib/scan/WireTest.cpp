//===- WireTest.cpp -------------------------------------------------------===//

#include "scan/Wire.h"

#include <gtest/gtest.h>

using namespace kplan::scan;

namespace {

std::string sample() {
  WireWriter W;
  for (uint64_t N : {uint64_t(0), uint64_t(127), uint64_t(128), ~uint64_t(0)})
    W.number(N);
  W.text(std::string_view("a\0\xff", 3));
  W.texts({"", "two", "", "two"});
  return W.take();
}

/// Whether a sample was read completely.
bool readSample(std::string_view Bytes) {
  WireReader R(Bytes);
  for (int I = 0; I < 4; ++I)
    R.number();
  R.text();
  R.texts();
  return R.complete();
}

TEST(Wire, GivesBackWhatWasWritten) {
  std::string Bytes = sample();
  WireReader R(Bytes);
  for (uint64_t N : {uint64_t(0), uint64_t(127), uint64_t(128), ~uint64_t(0)})
    EXPECT_EQ(R.number(), N);
  EXPECT_EQ(R.text(), std::string("a\0\xff", 3));
  EXPECT_EQ(R.texts(), (std::vector<std::string>{"", "two", "", "two"}));
  EXPECT_TRUE(R.complete());
}

TEST(Wire, ATextThatComesAgainIsANumber) {
  const std::string Long(1000, 'x');
  WireWriter W;
  W.texts({Long, Long, Long});
  EXPECT_LT(W.take().size(), 1010u);
}

TEST(Wire, NoCutOffMessageIsComplete) {
  std::string Bytes = sample();
  for (size_t Size = 0; Size < Bytes.size(); ++Size)
    EXPECT_FALSE(readSample(std::string_view(Bytes).substr(0, Size))) << Size;
}

TEST(Wire, MessageWithMoreBehindItIsNotComplete) {
  EXPECT_TRUE(readSample(sample()));
  EXPECT_FALSE(readSample(sample() + "x"));
}

TEST(Wire, ATextThatNobodyWroteIsRefused) {
  WireWriter W;
  W.number(7);
  std::string Bytes = W.take();
  WireReader R(Bytes);
  EXPECT_EQ(R.text(), "");
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
