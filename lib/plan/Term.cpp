//===- Term.cpp - Small symbolic expressions ------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/Fragment.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace kplan {

std::strong_ordering Term::operator<=>(const Term &Other) const {
  if (auto C = std::tie(K, Number, Name, Text) <=>
               std::tie(Other.K, Other.Number, Other.Name, Other.Text);
      C != 0)
    return C;
  return std::lexicographical_compare_three_way(
      Operands.begin(), Operands.end(), Other.Operands.begin(),
      Other.Operands.end());
}

bool Term::operator==(const Term &Other) const {
  return (*this <=> Other) == 0;
}

/// Counts the nodes down from `Left`; stops at 0.
static void countDown(const Term &T, size_t &Left) {
  if (Left != 0)
    --Left;
  for (const Term &O : T.Operands) {
    if (Left == 0)
      return;
    countDown(O, Left);
  }
}

bool Term::hasMoreNodesThan(size_t Nodes) const {
  size_t Left = Nodes + 1;
  countDown(*this, Left);
  return Left == 0;
}

static Term make(Term::Kind K, int64_t Number = 0, std::string Name = {},
                 std::vector<Term> Operands = {}) {
  Term T;
  T.K = K;
  T.Number = Number;
  T.Name = std::move(Name);
  T.Operands = std::move(Operands);
  return T;
}

Term Term::unknown(std::string Why, std::string Text) {
  Term T = make(Kind::Unknown, 0, std::move(Why));
  T.Text = std::move(Text);
  return T;
}
Term Term::integer(int64_t Value) { return make(Kind::Integer, Value); }
Term Term::text(std::string Text) {
  return make(Kind::Text, 0, std::move(Text));
}
Term Term::max() { return make(Kind::Max); }
Term Term::atMost(int64_t Bound) { return make(Kind::AtMost, Bound); }
Term Term::kernel(size_t Index) {
  return make(Kind::Kernel, static_cast<int64_t>(Index));
}
Term Term::function(FunctionId Id) {
  return make(Kind::Function, 0, std::move(Id));
}
Term Term::parameter(FunctionId Id, unsigned Index) {
  return make(Kind::Parameter, Index, std::move(Id));
}
Term Term::storage(StorageId Id) {
  return make(Kind::Storage, 0, std::move(Id));
}
Term Term::returned(FunctionId Id, std::vector<Term> Arguments) {
  return make(Kind::Return, 0, std::move(Id), std::move(Arguments));
}
Term Term::out(FunctionId Id, unsigned Index, std::vector<Term> Arguments) {
  return make(Kind::Out, Index, std::move(Id), std::move(Arguments));
}
Term Term::named(Term Symbol) {
  return make(Kind::Named, 0, {}, {std::move(Symbol)});
}

Term Term::call(Term Callee, std::vector<Term> Arguments) {
  if (Callee.K == Kind::Function)
    return returned(std::move(Callee.Name), std::move(Arguments));
  Arguments.insert(Arguments.begin(), std::move(Callee));
  return make(Kind::Call, 0, {}, std::move(Arguments));
}

Term Term::any(std::vector<Term> Alternatives) {
  std::vector<Term> Flat;
  for (Term &A : Alternatives) {
    if (A.K == Kind::Any)
      Flat.insert(Flat.end(), A.Operands.begin(), A.Operands.end());
    else
      Flat.push_back(std::move(A));
  }
  std::sort(Flat.begin(), Flat.end());
  Flat.erase(std::unique(Flat.begin(), Flat.end()), Flat.end());
  if (Flat.size() == 1)
    return std::move(Flat.front());
  return make(Kind::Any, 0, {}, std::move(Flat));
}

/// C's arithmetic; nothing where C has no answer.
static std::optional<int64_t> fold(const std::string &Op, int64_t A,
                                   int64_t B) {
  int64_t R = 0;
  if (Op == "+")
    return __builtin_add_overflow(A, B, &R) ? std::nullopt : std::optional(R);
  if (Op == "-")
    return __builtin_sub_overflow(A, B, &R) ? std::nullopt : std::optional(R);
  if (Op == "*")
    return __builtin_mul_overflow(A, B, &R) ? std::nullopt : std::optional(R);
  if (Op == "/" || Op == "%") {
    if (B == 0 || (A == std::numeric_limits<int64_t>::min() && B == -1))
      return std::nullopt;
    return Op == "/" ? A / B : A % B;
  }
  if (Op == "<<" || Op == ">>") {
    if (B < 0 || B > 62)
      return std::nullopt;
    if (Op == ">>")
      return A >> B;
    return __builtin_mul_overflow(A, int64_t(1) << B, &R) ? std::nullopt
                                                          : std::optional(R);
  }
  if (Op == "&")
    return A & B;
  if (Op == "|")
    return A | B;
  if (Op == "^")
    return A ^ B;
  if (Op == "<")
    return A < B;
  if (Op == "<=")
    return A <= B;
  if (Op == ">")
    return A > B;
  if (Op == ">=")
    return A >= B;
  if (Op == "==")
    return A == B;
  if (Op == "!=")
    return A != B;
  if (Op == "min")
    return std::min(A, B);
  if (Op == "max")
    return std::max(A, B);
  return std::nullopt;
}

static std::optional<int64_t> asInteger(const Term &T) {
  if (T.K != Term::Kind::Integer)
    return std::nullopt;
  return T.Number;
}

/// The operation on operands without alternatives.
static Term applyOperator(const std::string &Op, std::vector<Term> Operands) {
  if (Operands.size() == 1) {
    if (Operands[0].K == Term::Kind::Unknown)
      return std::move(Operands[0]);
    if (auto A = asInteger(Operands[0])) {
      if (Op == "!")
        return Term::integer(!*A);
      if (Op == "~")
        return Term::integer(~*A);
      if (Op == "-" && *A != std::numeric_limits<int64_t>::min())
        return Term::integer(-*A);
    }
  } else if (Operands.size() == 2) {
    auto A = asInteger(Operands[0]), B = asInteger(Operands[1]);
    // One side decides, whatever the other is.
    if (Op == "&&" && ((A && *A == 0) || (B && *B == 0)))
      return Term::integer(0);
    if (Op == "||" && ((A && *A != 0) || (B && *B != 0)))
      return Term::integer(1);
    if (A && B) {
      if (Op == "&&" || Op == "||")
        return Term::integer(Op == "||" ? (*A || *B) : (*A && *B));
      if (auto R = fold(Op, *A, *B))
        return Term::integer(*R);
    }
    if (Op == "&&" && (A || B))
      return std::move(Operands[A ? 1 : 0]);
    // The smaller of a number and anything is bounded by the number.
    auto IsBounded = [](const Term &T) {
      return T.K == Term::Kind::Unknown || T.K == Term::Kind::Max ||
             T.K == Term::Kind::AtMost;
    };
    if (Op == "min" && IsBounded(Operands[0]) && B)
      return Term::atMost(Operands[0].K == Term::Kind::AtMost
                              ? std::min(Operands[0].Number, *B)
                              : *B);
    if (Op == "min" && IsBounded(Operands[1]) && A)
      return applyOperator(Op, {Operands[1], Operands[0]});
    // What nobody knows is not known after a comparison either.
    const bool Compares = Op == "<" || Op == "<=" || Op == ">" || Op == ">=" ||
                          Op == "==" || Op == "!=";
    for (Term &O : Operands)
      if (Compares && IsBounded(O))
        return O.K == Term::Kind::Unknown
                   ? std::move(O)
                   : Term::unknown("it is a property of the device");
  } else if (Operands.size() == 3 && Op == "?:") {
    if (auto C = asInteger(Operands[0]))
      return std::move(Operands[*C ? 1 : 2]);
    if (Operands[0].K == Term::Kind::Unknown)
      return Term::any({std::move(Operands[1]), std::move(Operands[2])});
  }
  return make(Term::Kind::Operation, 0, Op, std::move(Operands));
}

Term Term::operation(const std::string &Operator, std::vector<Term> Operands) {
  // Alternatives are taken one by one, unless that would be very many.
  constexpr size_t MaxAlternatives = 64;
  size_t Count = 1;
  for (const Term &O : Operands)
    if (O.K == Kind::Any && !O.Operands.empty())
      Count = std::min(Count * O.Operands.size(), MaxAlternatives + 1);
  if (Count == 1 || Count > MaxAlternatives)
    return applyOperator(Operator, std::move(Operands));
  // Each of the others is copied for each alternative.
  constexpr size_t MaxNodes = 1 << 13;
  for (const Term &O : Operands)
    if (O.K != Kind::Any && O.hasMoreNodesThan(MaxNodes / Count))
      return applyOperator(Operator, std::move(Operands));
  std::vector<std::vector<Term>> Rows(1);
  for (const Term &O : Operands) {
    std::vector<std::vector<Term>> Next;
    for (const auto &Row : Rows) {
      auto Add = [&](const Term &T) {
        Next.push_back(Row);
        Next.back().push_back(T);
      };
      if (O.K == Kind::Any && !O.Operands.empty())
        for (const Term &A : O.Operands)
          Add(A);
      else
        Add(O);
    }
    Rows = std::move(Next);
  }
  std::vector<Term> Results;
  Results.reserve(Rows.size());
  for (auto &Row : Rows)
    Results.push_back(applyOperator(Operator, std::move(Row)));
  return any(std::move(Results));
}

} // namespace kplan
