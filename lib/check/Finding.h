//===- Finding.h - What checks share --------------------------------------===//
//
// Part of kplan; private to lib/check.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_CHECK_FINDING_H
#define KPLAN_CHECK_FINDING_H

#include "check/Check.h"
#include "plan/SymbolPattern.h"

#include <map>
#include <string>
#include <utility>

namespace kplan::check {

inline void add(Findings &Out, const Subject &Of, std::string Message,
                std::string Hint = {}, Severity Level = Severity::Error) {
  Diagnostic D = makeError(std::move(Message), std::move(Hint));
  D.File = Of.Path;
  D.Level = Level;
  Out.List.push_back(std::move(D));
}

/// "kernel gemm<float>(float*) (_Z4gemmIfEvPT_)".
inline std::string describe(const Kernel &K) {
  std::string Text = "kernel " + K.Key.Symbol;
  if (!K.Name.empty() && K.Name != K.Key.Symbol)
    Text = "kernel " + K.Name + " (" + K.Key.Symbol + ")";
  if (!K.Key.File.empty())
    Text += " of " + K.Key.File;
  return Text;
}

/// Looks for a symbol, or a pattern of one, among the keys.
template <typename T, typename F>
bool forEachMatch(const std::map<std::string, T> &In, const std::string &Symbol,
                  F Do) {
  if (!isPattern(Symbol)) {
    auto Found = In.find(Symbol);
    if (Found == In.end())
      return false;
    Do(Found->second);
    return true;
  }
  bool Any = false;
  // Up to its first star a pattern is text, and the keys are sorted.
  std::string Prefix = Symbol.substr(0, Symbol.find('*'));
  for (auto It = In.lower_bound(Prefix);
       It != In.end() && It->first.starts_with(Prefix); ++It)
    if (matchesPattern(Symbol, It->first)) {
      Any = true;
      Do(It->second);
    }
  return Any;
}

inline std::string_view baseName(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1);
}

} // namespace kplan::check

#endif // KPLAN_CHECK_FINDING_H
