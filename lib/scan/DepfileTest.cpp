//===- DepfileTest.cpp ----------------------------------------------------===//

#include "scan/Depfile.h"

#include <gtest/gtest.h>

using kplan::scan::formatDepfile;

namespace {

TEST(Depfile, OneFileALine) {
  EXPECT_EQ(formatDepfile("plan.yaml", {"/a.cu", "/b.h"}),
            "plan.yaml: \\\n  /a.cu \\\n  /b.h\n");
  EXPECT_EQ(formatDepfile("plan.yaml", {}), "plan.yaml:\n");
}

TEST(Depfile, EscapesWhatMakeReadsOtherwise) {
  EXPECT_EQ(formatDepfile("my plan", {"/a b", "/$x", "/#y", "/z\\ w", "/u\\v"}),
            "my\\ plan: \\\n  /a\\ b \\\n  /$$x \\\n  /\\#y \\\n  /z\\\\\\ w "
            "\\\n  /u\\v\n");
}

TEST(Depfile, LeavesOutWhatNoRuleCanName) {
  EXPECT_EQ(formatDepfile("t", {"/a\nb", "/c"}), "t: \\\n  /c\n");
}

} // namespace
