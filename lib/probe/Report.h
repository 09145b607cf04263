//===- Report.h - What was measured ---------------------------------------===//
//
// Part of kplan. The result of a probe, as JSON out and in: what one machine
// printed is the reference that another is held against.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_REPORT_H
#define KPLAN_PROBE_REPORT_H

#include "plan/Diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace kplan::probe {

struct Machine {
  std::string Gpu;
  std::string Arch;   ///< "sm_90"
  std::string Driver; ///< "580.159.04", where the system says; else empty.
  std::string Cuda;   ///< What the driver knows: "13.0".
  unsigned Sms = 0;
  unsigned Devices = 0;
  bool Simulated = false; ///< A driver for tests: proves nothing about a GPU.
};

/// How the device was shared.
struct Neighbour {
  double KernelMs = 0;
  unsigned Sms = 0;   ///< The neighbour's.
  bool Green = false; ///< Green contexts; else two streams of one context.
};

struct Measurement {
  std::string Row;
  /// "ok", "host stall", "device stall"; or why there is none: "not
  /// measurable", "timed out", "failed".
  std::string Verdict;
  unsigned Runs = 0;  ///< Fresh processes.
  unsigned Agree = 0; ///< How many of them had this verdict.
  double HostMs = 0;  ///< Median of those that agree.
  double DoneMs = 0;
  std::string Note;

  bool measured() const;
};

struct Report {
  Machine On;
  Neighbour Beside;
  std::vector<Measurement> Rows;
};

/// The verdict that most of the runs had, and the median of their times.
Measurement combine(const std::vector<Measurement> &Runs);

std::string reportJson(const Report &R);
Result<Report> readReport(std::string_view Json, const std::string &Path);

struct Difference {
  std::string Row;
  std::string Here, There; ///< Verdicts.
};
/// Of the rows that both have measured.
std::vector<Difference> compare(const Report &Here, const Report &There);

} // namespace kplan::probe

#endif // KPLAN_PROBE_REPORT_H
