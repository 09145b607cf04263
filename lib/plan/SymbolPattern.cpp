//===- SymbolPattern.cpp - Kernels whose names hold a hash ----------------===//

#include "plan/SymbolPattern.h"

bool kplan::matchesPattern(std::string_view Pattern, std::string_view Symbol) {
  constexpr size_t None = std::string_view::npos;
  size_t P = 0, S = 0;
  size_t Star = None; // The last star met, and where what it took ends.
  size_t Taken = 0;
  while (S < Symbol.size()) {
    if (P < Pattern.size() && Pattern[P] == '*') {
      Star = P++;
      Taken = S;
    } else if (P < Pattern.size() && Pattern[P] == Symbol[S]) {
      ++P;
      ++S;
    } else if (Star != None) {
      P = Star + 1;
      S = ++Taken; // The star takes one more.
    } else {
      return false;
    }
  }
  while (P < Pattern.size() && Pattern[P] == '*')
    ++P;
  return P == Pattern.size();
}
