//===- ResolvePropertyTest.cpp --------------------------------------------===//
//
// However fragments are ordered, grouped into files and merged again, the plan
// is the same bytes.
//
//===----------------------------------------------------------------------===//

#include "plan/FragmentGenerator.h"
#include "plan/Merge.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"
#include "plan/Resolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace kplan;

namespace {

constexpr uint32_t Seeds = 60;

std::vector<Fragment> program(uint32_t Seed) {
  std::vector<Fragment> Fragments;
  for (uint32_t I = 0; I < 1 + Seed % 7; ++I)
    Fragments.push_back(test::generateFragment(Seed * 16 + I));
  return Fragments;
}

/// Random programs call each other in every direction: what is not followed
/// to the end must not depend on the order either.
Plan resolved(std::vector<Fragment> Fragments) {
  ResolveOptions Options;
  Options.MaxContexts = 50;
  Options.MaxDepth = 6;
  return resolveFragments(std::move(Fragments), Options);
}

std::string planOf(std::vector<Fragment> Fragments) {
  return writePlan(resolved(std::move(Fragments)));
}

/// Joins some of the files at random until one is left, as
/// `kplan merge --fragments` does.
std::vector<Fragment> mergedInSteps(const std::vector<Fragment> &Fragments,
                                    std::mt19937 &Random) {
  std::vector<std::string> Files;
  for (const Fragment &F : Fragments)
    Files.push_back(writeFragments({F}));
  while (Files.size() > 1) {
    std::shuffle(Files.begin(), Files.end(), Random);
    const size_t Count = 2 + Random() % (Files.size() - 1);
    std::vector<Fragment> Joined;
    for (size_t I = 0; I < Count; ++I) {
      auto Some = readFragments(Files.back(), "f");
      EXPECT_TRUE(Some);
      Joined.insert(Joined.end(), Some->begin(), Some->end());
      Files.pop_back();
    }
    Files.push_back(writeFragments(std::move(Joined)));
  }
  return *readFragments(Files.front(), "f");
}

} // namespace

TEST(ResolveProperty, OrderChangesNothing) {
  std::mt19937 Random(1);
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    std::vector<Fragment> Fragments = program(Seed);
    const std::string Plan = planOf(Fragments);
    std::shuffle(Fragments.begin(), Fragments.end(), Random);
    EXPECT_EQ(planOf(Fragments), Plan) << Seed;
  }
}

TEST(ResolveProperty, RepetitionChangesNothing) {
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    const std::vector<Fragment> Fragments = program(Seed);
    std::vector<Fragment> Twice = Fragments;
    Twice.insert(Twice.end(), Fragments.begin(), Fragments.end());
    EXPECT_EQ(planOf(Twice), planOf(Fragments)) << Seed;
  }
}

TEST(ResolveProperty, GroupingChangesNothing) {
  std::mt19937 Random(2);
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    const std::vector<Fragment> Fragments = program(Seed);
    EXPECT_EQ(planOf(mergedInSteps(Fragments, Random)), planOf(Fragments))
        << Seed;
  }
}

TEST(ResolveProperty, ThePlanIsCanonicalAndReadable) {
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    const std::string Text = planOf(program(Seed));
    auto Read = readPlan(Text, "p.yaml");
    ASSERT_TRUE(Read) << Seed << format(Read.errors().front()) << Text;
    EXPECT_EQ(writePlan(mergePlans({*Read})), Text) << Seed;
  }
}

/// A property of random input is worth little if the input seldom meets it.
TEST(ResolveProperty, TheProgramsHaveSitesOfAllOutcomes) {
  size_t Kernels = 0, Unresolved = 0, Conflicts = 0, Templates = 0;
  for (uint32_t Seed = 0; Seed < Seeds; ++Seed) {
    const Plan P = resolved(program(Seed));
    Kernels += P.Kernels.size();
    Unresolved += P.Unresolved.size();
    Conflicts += P.Conflicts.size();
    Templates += P.Templates.size();
  }
  EXPECT_GT(Kernels, Seeds);
  EXPECT_GT(Unresolved, Seeds);
  EXPECT_GT(Conflicts, 0u);
  EXPECT_GT(Templates, 0u);
}
