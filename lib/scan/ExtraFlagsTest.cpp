//===- ExtraFlagsTest.cpp -------------------------------------------------===//

#include "scan/ExtraFlags.h"

#include <gtest/gtest.h>

using kplan::scan::anchorFlags;

namespace {

using Words = std::vector<std::string>;

TEST(ExtraFlags, FoldersStartWhereTheUserIs) {
  EXPECT_EQ(anchorFlags({"-Ione", "-I", "two/x", "-isystem", "../three",
                         "-iquotefour", "-I/five"},
                        "/w"),
            (Words{"-I/w/one", "-I", "/w/two/x", "-isystem", "/w/../three",
                   "-iquote/w/four", "-I/five"}));
}

TEST(ExtraFlags, OtherFlagsStayAsTheyAre) {
  Words Flags = {"-DX=1", "-std=c++20", "-include-pch", "-x", "cuda", "-I"};
  EXPECT_EQ(anchorFlags(Flags, "/w"), Flags);
}

TEST(ExtraFlags, AForcedIncludeIsAnchoredOnlyWhereItLies) {
  EXPECT_EQ(anchorFlags({"-include", "no-such-file.h"}, "/"),
            (Words{"-include", "no-such-file.h"}));
  EXPECT_EQ(anchorFlags({"-include", "null"}, "/dev"),
            (Words{"-include", "/dev/null"}));
}

} // namespace
