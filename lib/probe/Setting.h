//===- Setting.h - How the rows are measured ------------------------------===//
//
// Part of kplan. What the probe tells its workers.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_SETTING_H
#define KPLAN_PROBE_SETTING_H

#include <string>

namespace kplan::probe {

struct Setting {
  int Device = 0;
  double HoldMs = 150;           ///< How long the neighbour's kernel runs.
  bool TwoStreams = false;       ///< Not green contexts, even where there are.
  std::string CudaDeviceRuntime; ///< libcudadevrt.a; empty: there is none.
};

} // namespace kplan::probe

#endif // KPLAN_PROBE_SETTING_H
