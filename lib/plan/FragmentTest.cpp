#include "plan/Fragment.h"

#include "plan/FragmentGenerator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace kplan;
using testing::HasSubstr;

/// Every field set, every kind of term used.
static Fragment full() {
  Fragment F;
  F.File = "src/a \"b\".cu";
  F.Producer.Tool = "kplan-scan";
  F.Producer.Version = "0.1.0";
  F.Producer.Clang = "22.1.8";
  F.Producer.Cuda = "13.0";
  F.Producer.Arch = {"sm_80", "sm_90"};
  F.Kernels.push_back({{"_Z1kPi", Linkage::External, {}, {}},
                       "k(int*)",
                       {Use::Printf, Use::Cdp},
                       {"src/a.cuh", 7, 17}});
  F.Kernels.push_back(
      {{"_Z2stPi", Linkage::Internal, "src/a.cu", {}}, "st(int*)", {}, {}});
  FragmentFunction Fn;
  Fn.Id = "_Z1fPv#1@";
  Fn.DeviceOnly = true;
  Fn.AddressTaken = true;
  Fn.Returns = {Term::any({}), Term::kernel(1)};
  Fn.Outs.push_back({1, {Term::named(Term::text("drv k"))}});
  F.Functions.push_back(Fn);
  FragmentCall C;
  C.Caller = "_Z2gov";
  C.Callee = Term::call(Term::storage("tab"), {});
  C.Arguments = {
      {0, Term::parameter("_Z2gov", 2)},
      {3, Term::out("_Z1fPv#1@", 1, {Term::unneeded(), Term::integer(-3)})}};
  C.When = "x > \"a\"\t\\n";
  C.Once = true;
  C.Condition =
      Term::operation(">", {Term::parameter("_Z2gov", 0), Term::integer(1)});
  F.Calls.push_back(C);
  F.Stores.push_back({"tab", Term::function("_Z1fPv#1@")});
  FragmentSite S;
  S.Kind = SiteKind::Set;
  S.At = {"src/a.cu", 7, 3};
  S.In = "_Z2gov";
  S.Kernel = Term::any({Term::kernel(0), Term::unknown("why", "te\"xt")});
  S.SetAttribute = Term::integer(8);
  S.SetCacheConfig = Term::integer(1);
  S.SetValue =
      Term::any({Term::max(), Term::atMost(5), Term::integer(INT64_MIN)});
  S.When = "w";
  S.Once = true;
  S.Condition = Term::returned("h", {});
  S.Shared = "n * 4";
  S.Cooperative = false;
  S.Cluster = {2, 1, 1};
  S.Text = "set(k)";
  F.Sites.push_back(S);
  Global G;
  G.Symbol = "v";
  G.File = "src/a.cu";
  G.At = {"src/a.cu", 9, 1};
  F.Globals.push_back(G);
  TemplateSite T;
  T.Kind = SiteKind::Set;
  T.At = {"C:/odd:name.cu", 1, 2};
  T.KernelText = "k<T>";
  T.SetAttribute = Attribute::NonPortableClusterSizeAllowed;
  T.SetCacheConfig = CacheConfig::PreferEqual;
  T.ValueText = "T::n";
  F.Templates.push_back(T);
  F.Instantiated.push_back({"src/a.cu", 11, 5});
  return F;
}

TEST(Fragment, ReadsWhatItWrites) {
  const std::string Text = writeFragments({full()});
  auto Back = readFragments(Text, "f");
  ASSERT_TRUE(Back) << format(Back.errors().front()) << Text;
  EXPECT_EQ(*Back, std::vector{full()});
}

TEST(Fragment, AFileOfSeveralHasOneOrderAndEachOnce) {
  Fragment Other;
  Other.File = "b.cu";
  Other.Producer = full().Producer;
  const std::string Text = writeFragments({full(), Other});
  EXPECT_EQ(writeFragments({Other, full(), Other}), Text);
  auto Back = readFragments(Text, "f");
  ASSERT_TRUE(Back) << format(Back.errors().front());
  EXPECT_EQ(Back->size(), 2u);
  auto None = readFragments(writeFragments({}), "f");
  ASSERT_TRUE(None);
  EXPECT_TRUE(None->empty());
}

TEST(Fragment, RandomOnesComeBackEqual) {
  for (uint32_t Seed = 0; Seed < 50; ++Seed) {
    std::vector<Fragment> Some;
    for (uint32_t I = 0; I < Seed % 4; ++I)
      Some.push_back(test::generateFragment(Seed * 8 + I));
    const std::string Text = writeFragments(Some);
    auto Back = readFragments(Text, "f");
    ASSERT_TRUE(Back) << format(Back.errors().front()) << Text;
    EXPECT_EQ(writeFragments(*Back), Text);
    std::sort(Some.begin(), Some.end());
    EXPECT_EQ(*Back, Some) << Text;
  }
}

TEST(Fragment, FilesAreToldFromPlans) {
  EXPECT_TRUE(isFragmentFile(writeFragments({full()})));
  EXPECT_TRUE(isFragmentFile("# a comment\n\n---\nkplan_fragment: 1\n"));
  EXPECT_FALSE(isFragmentFile("kplan: 1\n"));
  EXPECT_FALSE(isFragmentFile("# kplan_fragments: 2"));
  EXPECT_FALSE(isFragmentFile(""));
}

TEST(Fragment, BytesThatAreNoTextDoNotBreakIt) {
  Fragment F;
  F.File = "a\xff\x01.cu";
  F.Producer.Tool = "kplan-scan";
  F.Producer.Version = "0.1.0";
  auto Back = readFragments(writeFragments({F}), "f");
  ASSERT_TRUE(Back) << format(Back.errors().front());
  EXPECT_EQ(Back->front().File, "a\xEF\xBF\xBD\x01.cu");
}

struct Bad {
  const char *Text;
  const char *Message;
};
class BadFragment : public testing::TestWithParam<Bad> {};

TEST_P(BadFragment, IsRefused) {
  const std::string Head = "kplan_fragments: 2\nunits:\n- file: \"a\"\n  "
                           "producer: {tool: \"t\", version: \"1\"}\n  ";
  auto F = readFragments(Head + GetParam().Text, "f");
  ASSERT_FALSE(F);
  EXPECT_THAT(F.errors().front().Message, HasSubstr(GetParam().Message));
  EXPECT_GE(F.errors().front().Line, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadFragment,
    testing::Values(
        Bad{"nonsense: 1\n", "unknown key 'nonsense'"},
        Bad{"sites: [{kind: set, at: \"a:1:1\"}]\n", "'kernel' is missing"},
        Bad{"sites: [{kind: sat, at: \"a:1:1\", kernel: 1}]\n",
            "expected set, launch"},
        Bad{"sites: [{kind: set, at: \"a:1\", kernel: 1}]\n",
            "expected a place"},
        Bad{"sites: [{kind: set, at: \"a:1:1\", kernel: [kernel, 0]}]\n",
            "no kernel has this number"},
        Bad{"sites: [{kind: set, at: \"a:1:1\", kernel: [what, 0]}]\n",
            "unknown kind of term"},
        Bad{"sites: [{kind: set, at: \"a:1:1\", kernel: [parameter]}]\n",
            "cut short"},
        Bad{"sites: [{kind: set, at: \"a:1:1\", kernel: [named]}]\n",
            "too few or too many"},
        Bad{"stores: [{into: s, what: 1}]\n", "expected a quoted string"},
        Bad{"stores: {into: \"s\"}\n", "expected a list"},
        Bad{"calls: [{callee: 99999999999999999999}]\n", "expected a term"}));

TEST(Fragment, AnotherVersionIsRefusedByName) {
  auto F = readFragments("kplan_fragments: 3\nunits: []\n", "f");
  ASSERT_FALSE(F);
  EXPECT_THAT(F.errors().front().Message, HasSubstr("version 2"));
}

TEST(Fragment, CutOffTextIsRefused) {
  const std::string Text = writeFragments({full()});
  // At each line's end the rest may be a fragment; within a line it is none.
  for (size_t At = 0; At + 1 < Text.size(); At += 7) {
    const size_t Line = Text.rfind('\n', At) + 1;
    if (Text[At] == '\n' || At - Line < 3)
      continue;
    EXPECT_FALSE(readFragments(Text.substr(0, At), "f")) << At;
  }
}
