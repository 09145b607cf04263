//===- Outcome.h - Done, or why not ---------------------------------------===//
//
// Part of kplan. What a step of priming came to: a sentence without a full
// stop that a report can show, or nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_OUTCOME_H
#define KPLAN_RUNTIME_OUTCOME_H

#include <optional>
#include <string>
#include <utility>

namespace kplan::runtime {

class [[nodiscard]] Outcome {
public:
  static Outcome done() { return {}; }
  static Outcome failed(std::string Why) {
    Outcome O;
    O.Reason = std::move(Why);
    return O;
  }

  explicit operator bool() const { return !Reason; }
  /// Only when it failed.
  const std::string &why() const { return *Reason; }

private:
  Outcome() = default;
  std::optional<std::string> Reason;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_OUTCOME_H
