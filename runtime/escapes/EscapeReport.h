//===- EscapeReport.h - Escapes as text and JSON --------------------------===//
//
// Part of kplan. What KPLAN_REPORT, kplan_escape_report() and `kplan seal
// --escapes` give out; docs/run.md describes the JSON.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_ESCAPES_ESCAPEREPORT_H
#define KPLAN_RUNTIME_ESCAPES_ESCAPEREPORT_H

#include "escapes/Escape.h"
#include "escapes/EscapeLog.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::runtime {

/// What is reported beside the escapes themselves.
struct EscapeSituation {
  int64_t Process = 0;
  std::string Program;
  bool Sealed = false;   ///< Now.
  uint64_t Seals = 0;    ///< How often it was sealed.
  bool Launches = false; ///< Whether launches are hooked (KPLAN_ESCAPES=all).
  /// What may have escaped notice, a line each.
  std::vector<std::string> Limits;
};

/// "touch _Z1kPf by cuKernelSetAttribute on device 0, thread 12, 3.500 ms after
/// the seal, took 0.021 ms". Of what is not known nothing is said.
std::string describe(const Escape &E);

/// A headline, a line for each escape, and what to do; ends without a newline.
std::string escapesAsText(const EscapeSituation &S, const EscapeLog &Log);

/// An object; ends with a newline.
std::string escapesAsJson(const EscapeSituation &S, const EscapeLog &Log);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_ESCAPES_ESCAPEREPORT_H
