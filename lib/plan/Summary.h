//===- Summary.h - What a plan holds, in numbers --------------------------===//
//
// Part of kplan. The one count of a plan that the scanner's summary line,
// `kplan check` and `kplan show` print.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_SUMMARY_H
#define KPLAN_PLAN_SUMMARY_H

#include "plan/Plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kplan {

struct PlanSummary {
  struct Reason {
    std::string Why;
    size_t Count = 0;
  };
  size_t Kernels = 0;
  size_t KernelsWithAttributes = 0; ///< Or with a cache config.
  /// Places in source: a site under several kernels counts once.
  size_t SetSites = 0;
  size_t LaunchSites = 0; ///< From the host.
  size_t QuerySites = 0;
  size_t DeviceLaunchSites = 0;
  size_t Images = 0;
  size_t Globals = 0; ///< Of source and of images.
  size_t Modules = 0;
  size_t Unresolved = 0;
  std::vector<Reason> Reasons; ///< Of the unresolved, the commonest first.
  size_t Conflicts = 0;
  size_t Templates = 0;
  size_t Stalls = 0;
};

PlanSummary summarise(const Plan &P);

/// One line without an end: "12 kernels (3 with attributes), 4 set, 12 launch
/// and 1 query sites, 2 globals, 1 unresolved (kernel name is built at run
/// time)". Of what there is none, kernels and sites apart, nothing is said.
std::string formatSummary(const PlanSummary &S);

} // namespace kplan

#endif // KPLAN_PLAN_SUMMARY_H
