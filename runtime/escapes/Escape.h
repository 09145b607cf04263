//===- Escape.h - One first use after the seal ----------------------------===//
//
// Part of kplan. An escape is structural, not timed: a load, a first touch, or
// a free that waits, after the seal. How long it took is told beside it and
// decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_ESCAPE_H
#define KPLAN_RUNTIME_ESCAPES_ESCAPE_H

#include <cstdint>
#include <string>

namespace kplan::runtime {

enum class EscapeKind {
  Load,  ///< Code came to the driver, and priming had not made it ready.
  Touch, ///< The first use of a library, kernel or variable, by any call.
  Free   ///< A free or unload of those that wait for the device.
};

/// "load", "touch", "free"; as in kplan.h.
constexpr const char *escapeKindName(EscapeKind K) {
  switch (K) {
  case EscapeKind::Load:
    return "load";
  case EscapeKind::Touch:
    return "touch";
  case EscapeKind::Free:
    return "free";
  }
  return "";
}

struct Escape {
  EscapeKind Kind = EscapeKind::Touch;
  std::string Symbol;    ///< Kernel, variable or file; empty: unknown.
  std::string Image;     ///< Content id; empty: unknown.
  const char *Api = "";  ///< Static; empty: it was only found to have happened.
  int Device = -1;       ///< -1: unknown, or of no device.
  int64_t Thread = 0;    ///< As gettid() has it; 0: unknown.
  double SinceSeal = -1; ///< Milliseconds, of the first; negative: unknown.
  double HostMs = -1;    ///< Of the longest; negative: not timed.
  uint64_t Count = 1;    ///< How often.
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_ESCAPE_H
