//===- Figures.h - What a report adds up ----------------------------------===//
//
// Part of kplan. Counts and sums over a timeline, and the same use in two of
// them: one recorded without the plan, one with it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_FIGURES_H
#define KPLAN_REPORT_FIGURES_H

#include "report/Timeline.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kplan::report {

struct Figures {
  size_t Processes = 0;
  size_t Calls = 0;
  size_t Firsts = 0; ///< Calls like none before them.
  size_t Stalls = 0;
  uint64_t Stalled = 0; ///< Nanoseconds, of all threads together.
  uint64_t Longest = 0;
  size_t Escapes = 0;
  size_t Seals = 0;
  size_t Primings = 0;
  uint64_t Priming = 0; ///< Nanoseconds.
  uint64_t Libraries = 0;
  uint64_t Functions = 0;
  uint64_t DeviceBytes = 0;
  uint64_t Missing = 0;
};

Figures figuresOf(const Timeline &T);

/// Calls of one function about one thing.
struct Use {
  size_t Count = 0;
  size_t Stalls = 0;
  size_t Escapes = 0;
  uint64_t Longest = 0; ///< Nanoseconds.
};

struct ComparedUse {
  std::string Api;
  std::string Subject;
  Use Before, After;
};

/// What waited in either, the longest wait first.
/// \param After null: there is one recording only.
std::vector<ComparedUse> compareWaits(const Timeline &Before,
                                      const Timeline *After);

/// A call of a timeline that waited.
struct StallRow {
  const Process *In = nullptr;
  const Call *What = nullptr;
};

/// The longest first.
std::vector<StallRow> stallsOf(const Timeline &T);

/// "19.9 ms", "850 ns": three digits and a unit.
std::string formatTime(uint64_t Nanoseconds);
/// "831 MB"
std::string formatBytes(uint64_t Bytes);
/// "2026-12-01 07:03:05 UTC"; empty where it is not known.
std::string formatDate(uint64_t NanosecondsSince1970);

} // namespace kplan::report

#endif // KPLAN_REPORT_FIGURES_H
