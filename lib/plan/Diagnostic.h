//===- Diagnostic.h - Errors and warnings with a place --------------------===//
//
// Part of kplan. Diagnostics read like clang's: `file:line:col: error: what
// is wrong`, then a note that says what to do.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_DIAGNOSTIC_H
#define KPLAN_PLAN_DIAGNOSTIC_H

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kplan {

enum class Severity { Note, Warning, Error };

struct Diagnostic {
  Severity Level = Severity::Error;
  std::string File;    ///< Empty: not about a file.
  unsigned Line = 0;   ///< 1-based; 0: not about a line.
  unsigned Column = 0; ///< 1-based; 0: not about a column.
  std::string Message; ///< What is wrong; no full stop, no capital.
  std::string Option;  ///< "kplan-set-race" prints as [-Wkplan-set-race].
  std::string Hint;    ///< What to do; printed as a note that follows.
};

/// One or two lines, as clang prints them, each ended by a newline.
std::string format(const Diagnostic &D);

/// A value, or the reasons why there is none. Warnings travel beside a value
/// through the `Diagnostics` out-parameter of the function that made it.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T Value) : Data(std::move(Value)) {}
  Result(Diagnostic Error) : Data(std::vector{std::move(Error)}) {}
  Result(std::vector<Diagnostic> Errors) : Data(std::move(Errors)) {}

  explicit operator bool() const { return Data.index() == 0; }
  T &operator*() { return std::get<0>(Data); }
  const T &operator*() const { return std::get<0>(Data); }
  T *operator->() { return &std::get<0>(Data); }
  const T *operator->() const { return &std::get<0>(Data); }
  /// Only when there is no value; never empty then.
  const std::vector<Diagnostic> &errors() const { return std::get<1>(Data); }

private:
  std::variant<T, std::vector<Diagnostic>> Data;
};

/// A diagnostic without a place.
inline Diagnostic makeError(std::string Message, std::string Hint = {}) {
  Diagnostic D;
  D.Message = std::move(Message);
  D.Hint = std::move(Hint);
  return D;
}

} // namespace kplan

#endif // KPLAN_PLAN_DIAGNOSTIC_H
