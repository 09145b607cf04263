#include "plan/Fragment.h"
#include "plan/TermEvaluator.h"

#include <gtest/gtest.h>

#include <limits>

using namespace kplan;
using Kind = Term::Kind;

static Term op(const char *Operator, Term A, Term B) {
  return Term::operation(Operator, {std::move(A), std::move(B)});
}
static Term num(int64_t N) { return Term::integer(N); }

TEST(Term, FoldsArithmetic) {
  EXPECT_EQ(op("+", num(2), num(3)), num(5));
  EXPECT_EQ(op("*", num(48), num(1024)), num(49152));
  EXPECT_EQ(op("<<", num(48), num(10)), num(49152));
  EXPECT_EQ(op(">=", num(49152), num(48 << 10)), num(1));
  EXPECT_EQ(op("max", num(3), num(9)), num(9));
  EXPECT_EQ(Term::operation("!", {num(0)}), num(1));
}

TEST(Term, LeavesWhatHasNoAnswer) {
  EXPECT_EQ(op("/", num(1), num(0)).K, Kind::Operation);
  EXPECT_EQ(op("<<", num(1), num(200)).K, Kind::Operation);
  const int64_t Most = std::numeric_limits<int64_t>::max();
  const int64_t Least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(op("+", num(Most), num(1)).K, Kind::Operation);
  EXPECT_EQ(op("/", num(Least), num(-1)).K, Kind::Operation);
  EXPECT_EQ(Term::operation("-", {num(Least)}).K, Kind::Operation);
}

TEST(Term, OneSideDecidesLogic) {
  const Term Open = Term::parameter("f", 0);
  EXPECT_EQ(op("&&", Open, num(0)), num(0));
  EXPECT_EQ(op("||", num(7), Open), num(1));
  EXPECT_EQ(op("&&", num(1), Open), Open);
}

TEST(Term, TakesAlternativesOneByOne) {
  const Term Sizes = Term::any({num(1), num(2)});
  EXPECT_EQ(op("*", Sizes, num(10)), Term::any({num(10), num(20)}));
}

TEST(Term, ManyAlternativesDoNotMultiply) {
  std::vector<Term> Many;
  for (int I = 0; I < 100; ++I)
    Many.push_back(num(I));
  const Term T = op("+", Term::any(Many), Term::any(Many));
  EXPECT_EQ(T.K, Kind::Operation);
}

TEST(Term, BoundsWhatIsNotKnown) {
  EXPECT_EQ(op("min", Term::unknown("why"), num(9)), Term::atMost(9));
  EXPECT_EQ(op("min", num(9), Term::max()), Term::atMost(9));
  EXPECT_EQ(op("min", Term::atMost(5), num(9)), Term::atMost(5));
}

TEST(Term, ConditionChooses) {
  auto Choose = [](Term C) {
    return Term::operation("?:", {std::move(C), num(1), num(2)});
  };
  EXPECT_EQ(Choose(num(1)), num(1));
  EXPECT_EQ(Choose(num(0)), num(2));
  EXPECT_EQ(Choose(Term::unknown("why")), Term::any({num(1), num(2)}));
}

TEST(Term, ComparisonWithWhatNobodyKnowsChoosesBoth) {
  for (const Term &Open : {Term::unknown("why"), Term::max(), Term::atMost(9)})
    EXPECT_EQ(Term::operation("?:", {op(">", Open, num(5)), num(1), num(2)}),
              Term::any({num(1), num(2)}));
}

TEST(Term, AlternativesAreASet) {
  EXPECT_EQ(Term::any({num(2), num(1), num(2)}), Term::any({num(1), num(2)}));
  EXPECT_EQ(Term::any({num(3)}), num(3));
  EXPECT_EQ(Term::any({num(1), Term::any({num(2), num(3)})}),
            Term::any({num(1), num(2), num(3)}));
}

TEST(Substitute, ReplacesOnlyTheFunctionsOwnParameters) {
  const Term T = op("+", Term::parameter("f", 1), Term::parameter("g", 1));
  const Term R = substitute(T, "f", {{0, num(7)}, {1, num(8)}});
  EXPECT_EQ(R, op("+", num(8), Term::parameter("g", 1)));
}

TEST(Substitute, MissingArgumentIsUnknown) {
  EXPECT_EQ(substitute(Term::parameter("f", 3), "f", {{0, num(1)}}).K,
            Kind::Unknown);
}

TEST(Evaluator, StorageThatRefersToItselfEnds) {
  TermEvaluator E;
  E.Stores["s"] = {Term::storage("s"), num(4)};
  EXPECT_EQ(E.evaluate(Term::storage("s")), num(4));
}

TEST(Evaluator, ResultDependsOnArguments) {
  TermEvaluator E;
  E.Functions["id"].Returns = {Term::parameter("id", 0)};
  EXPECT_EQ(E.evaluate(Term::returned("id", {num(3)})), num(3));
  EXPECT_EQ(E.evaluate(Term::returned("id", {num(4)})), num(4));
}

TEST(Evaluator, RecursionEnds) {
  TermEvaluator E;
  E.Functions["f"].Returns = {
      num(1), Term::returned("f", {op("+", Term::parameter("f", 0), num(1))})};
  EXPECT_EQ(E.evaluate(Term::returned("f", {num(0)})), num(1));
}

TEST(Evaluator, ManyPossibilitiesEnd) {
  TermEvaluator E;
  E.MaxSteps = 100;
  for (int I = 0; I < 20; ++I)
    E.Stores["s" + std::to_string(I)] = {
        Term::storage("s" + std::to_string(I + 1)),
        op("+", Term::storage("s" + std::to_string(I + 1)), num(1))};
  E.Stores["s20"] = {num(0)};
  const Term T = E.evaluate(Term::storage("s0"));
  EXPECT_NE(T.K, Kind::Integer);
}

TEST(Evaluator, WhatDoublesFromStepToStepEnds) {
  TermEvaluator E;
  for (int I = 0; I < 60; ++I) {
    const Term Next = Term::storage("s" + std::to_string(I + 1));
    E.Stores["s" + std::to_string(I)] = {op("+", Next, Next)};
  }
  E.Stores["s60"] = {Term::parameter("f", 0)};
  EXPECT_FALSE(E.evaluate(Term::storage("s0")).hasMoreNodesThan(E.MaxNodes));
}

TEST(Term, CountsItsNodes) {
  const Term T = op("+", Term::parameter("f", 0), Term::parameter("f", 1));
  EXPECT_TRUE(T.hasMoreNodesThan(2));
  EXPECT_FALSE(T.hasMoreNodesThan(3));
}

TEST(Evaluator, CalleeFromATable) {
  TermEvaluator E;
  E.Functions["a"].Returns = {num(1)};
  E.Functions["b"].Returns = {num(2)};
  E.Stores["table"] = {Term::function("a"), Term::function("b")};
  EXPECT_EQ(E.evaluate(Term::call(Term::storage("table"), {})),
            Term::any({num(1), num(2)}));
}
