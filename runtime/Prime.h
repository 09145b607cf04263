//===- Prime.h - Execute a plan on one device -----------------------------===//
//
// Part of kplan. The order of the steps; each stands in a file of its own. No
// global state: what earlier primings did comes in and goes out, and the driver
// is a table, so that a test can be both.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_PRIME_H
#define KPLAN_RUNTIME_PRIME_H

#include "CodeTable.h"
#include "Context.h"
#include "DriverApi.h"
#include "Report.h"
#include "Residency.h"
#include "plan/Plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kplan::runtime {

struct PrimeOptions {
  int Device = -1;
  bool Attributes = true;
  bool LocalMemory = true;
  bool Strict = false;
  unsigned Threads = 0;
};

/// What is to be primed.
struct PrimeInput {
  std::vector<RegisteredImage> Registered;
  const Plan *ThePlan = nullptr; ///< Null: everything that is there.
  std::string PlanFolder;        ///< What its store is relative to.
  /// What the process has loaded. Null where that cannot be seen: then nothing
  /// is loaded ahead and no limit is set, since the program would notice.
  CodeTable *Loaded = nullptr;
  /// The program says that its code is there: what is not is missing.
  bool Complete = false;
};

/// What priming has done in one context (a primary with its green contexts, or
/// a private one), so that priming again does it once only.
struct PrimedContext {
  uint64_t HomeId = 0;
  ContextKind Kind = ContextKind::Primary;
  CUdevice Device = -1;
  CUcontext Context = nullptr; ///< Of a private one.
  bool Printf = false;
  bool Malloc = false;
  uint64_t LocalBytes = 0;
  CacheConfigs Caches;
  std::vector<ResidentLibrary> Resident;
  /// The code table up to here has been looked at.
  uint64_t LoadedSerial = 0;
};

kplan_status prime(const DriverApi &Api, const PrimeInput &Input,
                   const PrimeOptions &Options,
                   std::vector<PrimedContext> &Primed, kplan_report &Report);

/// Primes what the program has loaded since, in a context that has been primed
/// and is current.
void primeLate(const DriverApi &Api, const PrimeInput &Input,
               const PrimeOptions &Options, const PrimeContext &Context,
               PrimedContext &Memory, kplan_report &Report);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_PRIME_H
