//===- EscapeLog.h - The escapes of a process -----------------------------===//
//
// Part of kplan. Escapes of the same kind, call, symbol, image and device are
// one entry with a count: a program that frees in its steady state must not
// fill memory. What exceeds the limit is counted and not kept.
//
// Not thread-safe: the caller has a lock.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_ESCAPELOG_H
#define KPLAN_RUNTIME_ESCAPES_ESCAPELOG_H

#include "escapes/Escape.h"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace kplan::runtime {

class EscapeLog {
public:
  static constexpr size_t DefaultLimit = 10000;
  explicit EscapeLog(size_t Limit = DefaultLimit) : Limit(Limit) {}
  EscapeLog(const EscapeLog &) = delete; // Keys point into entries.
  EscapeLog &operator=(const EscapeLog &) = delete;

  /// Returns the entry where it is a new one; null: it was counted.
  const Escape *add(Escape E);

  /// Oldest first. Entries are never removed or moved; of an entry only the
  /// count and the duration change.
  const std::deque<Escape> &entries() const { return Entries; }
  /// All that happened, each time counted.
  uint64_t total() const { return Total; }
  /// Of those, how many are in no entry.
  uint64_t dropped() const { return Dropped; }

private:
  using Key = std::tuple<EscapeKind, std::string_view, std::string_view,
                         std::string_view, int>;
  static Key keyOf(const Escape &E) {
    return {E.Kind, E.Api, E.Symbol, E.Image, E.Device};
  }

  size_t Limit;
  std::deque<Escape> Entries;
  std::map<Key, Escape *> Known;
  uint64_t Total = 0;
  uint64_t Dropped = 0;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_ESCAPELOG_H
