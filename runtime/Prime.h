//===- Prime.h - Execute a plan on one device -----------------------------===//
//
// Part of kplan. The order of the steps; each stands in a file of its own. No
// global state: what earlier primings did comes in and goes out, and the driver
// is a table, so that a test can be both.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PRIME_H
#define KPLAN_RUNTIME_PRIME_H

#include "Context.h"
#include "DriverApi.h"
#include "Report.h"
#include "Residency.h"
#include "plan/Plan.h"

#include <cstdint>
#include <vector>

namespace kplan::runtime {

struct PrimeOptions {
  int Device = -1;
  bool Attributes = true;
  bool LocalMemory = true;
  bool Strict = false;
  unsigned Threads = 0;
};

/// What priming has done in one context (a primary with its green contexts, or
/// a private one), so that priming again does it once only.
struct PrimedContext {
  uint64_t HomeId = 0;
  ContextKind Kind = ContextKind::Primary;
  CUdevice Device = -1;
  bool Printf = false;
  bool Malloc = false;
  uint64_t LocalBytes = 0;
  CacheConfigs Caches;
  std::vector<ResidentLibrary> Resident;
};

/// \param P null: everything that is registered.
kplan_status prime(const DriverApi &Api,
                   const std::vector<RegisteredImage> &Registered,
                   const Plan *P, const PrimeOptions &Options,
                   std::vector<PrimedContext> &Primed, kplan_report &Report);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PRIME_H
