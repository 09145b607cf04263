//===- AttributeRules.cpp - Several values for one attribute --------------===//

#include "plan/AttributeRules.h"

#include <tuple>

namespace kplan {

/// (is max, size, is exact), compared in this order.
static std::tuple<bool, int64_t, bool> rank(const Value &V) {
  if (auto *Exact = std::get_if<int64_t>(&V))
    return {false, *Exact, true};
  if (auto *Limit = std::get_if<AtMostValue>(&V))
    return {false, Limit->Bound, false};
  return {true, 0, true};
}

bool lessValue(const Value &A, const Value &B) { return rank(A) < rank(B); }

std::optional<Value> combine(Attribute A, const Value &X, const Value &Y) {
  if (A == Attribute::MaxDynamicSharedSizeBytes)
    return lessValue(X, Y) ? Y : X;
  if (X == Y)
    return X;
  return std::nullopt;
}

std::string describeValue(const Value &V) {
  if (auto *Exact = std::get_if<int64_t>(&V))
    return std::to_string(*Exact);
  if (auto *Limit = std::get_if<AtMostValue>(&V))
    return "at most " + std::to_string(Limit->Bound);
  return "max";
}

} // namespace kplan
