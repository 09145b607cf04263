//===- GlobTest.cpp -------------------------------------------------------===//

#include "scan/Glob.h"

#include <gtest/gtest.h>
#include <string>

using kplan::scan::Glob;

namespace {

struct Case {
  const char *Pattern;
  const char *Path;
  bool Matches;
};

class GlobTable : public testing::TestWithParam<Case> {};

TEST_P(GlobTable, Matches) {
  EXPECT_EQ(Glob(GetParam().Pattern).matches(GetParam().Path),
            GetParam().Matches)
      << GetParam().Pattern << " on " << GetParam().Path;
}

INSTANTIATE_TEST_SUITE_P(
    Names, GlobTable,
    testing::Values(Case{"a.cu", "a.cu", true}, Case{"a.cu", "src/a.cu", true},
                    Case{"a.cu", "src/ba.cu", false},
                    Case{"*.cu", "src/deep/a.cu", true},
                    Case{"*.cu", "src/a.cuh", false},
                    Case{"third_party", "third_party/x/a.cu", true},
                    Case{"third_party/", "lib/third_party/a.cu", true},
                    Case{"third", "third_party/a.cu", false}));

INSTANTIATE_TEST_SUITE_P(
    Paths, GlobTable,
    testing::Values(
        Case{"src/*.cu", "src/a.cu", true},
        Case{"src/*.cu", "src/x/a.cu", false},
        Case{"src/*.cu", "lib/src/a.cu", false}, Case{"/a.cu", "a.cu", true},
        Case{"/a.cu", "b/a.cu", false}, Case{"./src/a.cu", "src/a.cu", true},
        Case{"src/k", "src/k/a.cu", true}, Case{"src/k", "src/kk/a.cu", false},
        Case{"src/**/a.cu", "src/a.cu", true},
        Case{"src/**/a.cu", "src/x/y/a.cu", true},
        Case{"src/**/a.cu", "src/xa.cu", false},
        Case{"**/k/*.cu", "k/a.cu", true},
        Case{"**/k/*.cu", "x/y/k/a.cu", true},
        Case{"**/k/*.cu", "x/yk/a.cu", false},
        Case{"src/**", "src/x/a.cu", true}, Case{"src/**", "srcs/a.cu", false},
        Case{"a**z", "ab/cz", true}));

INSTANTIATE_TEST_SUITE_P(
    Characters, GlobTable,
    testing::Values(Case{"a?.cu", "ab.cu", true}, Case{"a?b", "a/b", false},
                    Case{"[ab].cu", "b.cu", true},
                    Case{"[!ab].cu", "b.cu", false},
                    Case{"[^ab].cu", "c.cu", true}, Case{"[a-c]x", "bx", true},
                    Case{"[a-c]x", "dx", false}, Case{"[]x]", "]", true},
                    Case{"x[!a]y", "x/y", false}, Case{"[a", "[a", true},
                    Case{"\\*.cu", "*.cu", true}, Case{"\\*.cu", "a.cu", false},
                    Case{"a\\", "a\\", true},
                    Case{"[\x80-\xff]", "\xc3", true}));

INSTANTIATE_TEST_SUITE_P(Nothing, GlobTable,
                         testing::Values(Case{"", "a", false},
                                         Case{"*", "a/b", true},
                                         Case{"**", "a/b", true},
                                         Case{"a", "", false}));

TEST(Glob, ManyStarsTakeNoExponentialTime) {
  std::string Pattern, Path(2000, 'a');
  for (int I = 0; I < 100; ++I)
    Pattern += "*a";
  EXPECT_FALSE(Glob(Pattern + "b").matches(Path));
}

} // namespace
