//===- FragmentWireTest.cpp -----------------------------------------------===//

#include "scan/FragmentWire.h"

#include "plan/FragmentGenerator.h"

#include <gtest/gtest.h>

#include <random>

using namespace kplan;
using namespace kplan::scan;

namespace {

std::string encoded(const Fragment &F) {
  WireWriter W;
  encode(W, F);
  return W.take();
}

TEST(FragmentWire, FragmentsComeBackEqual) {
  for (uint32_t Seed = 0; Seed < 100; ++Seed) {
    const Fragment F = test::generateFragment(Seed);
    const std::string Bytes = encoded(F);
    WireReader R(Bytes);
    EXPECT_EQ(decodeFragment(R), F) << Seed;
    EXPECT_TRUE(R.complete()) << Seed;
  }
}

/// What a reader accepts can be written again; what it does not, it says.
TEST(FragmentWire, DamagedBytesAreNoFragmentOrAnotherOne) {
  std::mt19937 Random(1);
  size_t Refused = 0;
  for (uint32_t Seed = 0; Seed < 100; ++Seed) {
    std::string Bytes = encoded(test::generateFragment(Seed));
    Bytes[Random() % Bytes.size()] ^= static_cast<char>(1 + Random() % 255);
    WireReader R(Bytes);
    const Fragment F = decodeFragment(R);
    if (!R.complete()) {
      ++Refused;
      continue;
    }
    const std::string Again = encoded(F);
    WireReader Second(Again);
    EXPECT_EQ(decodeFragment(Second), F) << Seed;
  }
  EXPECT_GT(Refused, 10u);
}

TEST(FragmentWire, TermsWithoutAnEndAreRefused) {
  Fragment F;
  Term T = Term::integer(1);
  for (int I = 0; I < 5000; ++I) {
    Term Around;
    Around.K = Term::Kind::Any;
    Around.Operands.push_back(std::move(T));
    T = std::move(Around);
  }
  F.Stores.push_back({"s", T});
  const std::string Bytes = encoded(F);
  WireReader R(Bytes);
  decodeFragment(R);
  EXPECT_FALSE(R.complete());
}

} // namespace
