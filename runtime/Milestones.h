//===- Milestones.h - What kplan itself does in a process -----------------===//
//
// Part of kplan. Primings, seals and escapes, told to one listener as they
// happen: the recorder of driver calls, where one runs. Without a listener each
// costs a test of a pointer. Times are CLOCK_MONOTONIC's, in nanoseconds.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_MILESTONES_H
#define KPLAN_RUNTIME_MILESTONES_H

#include "Report.h"
#include "escapes/Escape.h"

#include <cstdint>

namespace kplan::runtime {

/// Told by any thread, which may hold locks of the runtime: it calls nothing
/// that waits for one.
class MilestoneListener {
public:
  virtual void primed(uint64_t Began, const kplan_report &Report) = 0;
  virtual void sealed(bool Now) = 0;
  /// \param Began 0: not known, it was only found to have happened.
  virtual void escaped(uint64_t Began, const Escape &E) = 0;

protected:
  ~MilestoneListener() = default;
};

/// One at most; it lives as long as the process.
void setMilestoneListener(MilestoneListener &Listener);

/// Null: nobody listens.
MilestoneListener *milestoneListener();

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_MILESTONES_H
