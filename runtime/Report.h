//===- Report.h - What priming did ----------------------------------------===//
//
// Part of kplan. The object behind kplan_report: counts, messages, and a text
// for a log. Filled by the steps of priming, finished once, then read only.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_REPORT_H
#define KPLAN_RUNTIME_REPORT_H

#include "kplan/kplan.h"

#include <cstdint>
#include <string>
#include <vector>

struct kplan_report {
  int Device = -1; ///< -1: none was found.
  uint64_t Libraries = 0;
  uint64_t Functions = 0;
  uint64_t Attributes = 0;
  uint64_t Unchanged = 0;
  uint64_t Globals = 0;
  uint64_t LocalBytes = 0;
  uint64_t DeviceBytes = 0;
  uint64_t LocalDeviceBytes = 0; ///< The part of DeviceBytes for LocalBytes.
  uint64_t NotCovered = 0;
  uint64_t Images = 0;    ///< Loaded ahead by this priming.
  uint64_t Claimed = 0;   ///< Of those loaded ahead in all: by the program.
  uint64_t Unclaimed = 0; ///< ... and not.
  uint64_t Waiting = 0;
  double Milliseconds = 0;
  std::string Failure; ///< Why priming stopped; empty: it did not.
  std::vector<std::string> Missing;
  std::vector<std::string> Warnings;

  /// After the last change: composes what is handed out as C strings.
  void finish();

  uint64_t count(kplan_counter Counter) const;
  const char *message(size_t Index) const;
  const char *text() const { return Text.c_str(); }

private:
  std::vector<std::string> Messages; ///< Failure, Missing, Warnings.
  std::string Text;
};

#endif // KPLAN_RUNTIME_REPORT_H
