//===- stall.h - Does a call wait for the other tenant? ------------------===//

#ifndef TWO_TENANTS_STALL_H
#define TWO_TENANTS_STALL_H

#include "green.h"
#include "hold.h"

#include <functional>

enum class Verdict {
  Ok,
  HostStall,  ///< The call returned only when the neighbour's kernel had ended.
  DeviceStall ///< It returned, but its work ran only then.
};

const char *name(Verdict);

struct Measurement {
  double HostMs = 0; ///< Until the call returned.
  double DoneMs = 0; ///< Until B's work was done.
  Verdict What = Verdict::Ok;
};

/// Makes `Use` on tenant B while `Neighbour` runs, and releases the neighbour
/// when the answer is known. The verdict asks whether the neighbour is still
/// running and compares no times: `Use` must only take less CPU time than the
/// neighbour's time-out.
Measurement measure(Hold &Neighbour, const Tenant &B,
                    const std::function<void()> &Use);

#endif // TWO_TENANTS_STALL_H
