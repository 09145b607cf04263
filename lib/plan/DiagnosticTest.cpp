//===- DiagnosticTest.cpp -------------------------------------------------===//

#include "plan/Diagnostic.h"

#include <gtest/gtest.h>

using namespace kplan;

TEST(Diagnostic, ReadsLikeClangs) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.File = "src/a.cu";
  D.Line = 12;
  D.Column = 3;
  D.Message = "set and launch race";
  D.Option = "kplan-set-race";
  D.Hint = "lock a mutex around both";
  EXPECT_EQ(format(D),
            "src/a.cu:12:3: warning: set and launch race [-Wkplan-set-race]\n"
            "src/a.cu:12:3: note: lock a mutex around both\n");
}

TEST(Diagnostic, LeavesOutThePlaceThatIsNotThere) {
  Diagnostic D = makeError("no plan");
  EXPECT_EQ(format(D), "error: no plan\n");
  D.File = "plan.yaml";
  EXPECT_EQ(format(D), "plan.yaml: error: no plan\n");
  D.Line = 4;
  EXPECT_EQ(format(D), "plan.yaml:4: error: no plan\n");
}

TEST(Result, HoldsAValueOrErrors) {
  Result<int> Good(3);
  ASSERT_TRUE(Good);
  EXPECT_EQ(*Good, 3);
  Result<int> Bad(makeError("x"));
  ASSERT_FALSE(Bad);
  EXPECT_EQ(Bad.errors().size(), 1u);
}
