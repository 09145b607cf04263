//===- Worklist.h - What a plan asks of this program ----------------------===//
//
// Part of kplan. Matches the plan's entries with what the program registered.
// Pure: no CUDA, no environment.
//
// - Every registration of a planned symbol is made resident: two TUs may
//   register the same symbol, and which one an entry means cannot be told.
// - An attribute is set only where the entries that match a kernel agree. An
//   internal entry that is silent about it disagrees (it may be the one that is
//   another kernel); an external one that is silent has no say.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_WORKLIST_H
#define KPLAN_RUNTIME_WORKLIST_H

#include "Registry.h"
#include "plan/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kplan::runtime {

struct KernelWork {
  const void *Stub = nullptr;
  std::string Symbol;
  std::map<Attribute, Value> Attributes;
  std::optional<CacheConfig> Cache;
};

struct VariableWork {
  const void *Host = nullptr;
  std::string Symbol;
};

/// One image; never empty.
struct ImageWork {
  const kplan_link_unit *Unit = nullptr;
  uint64_t Serial = 0;
  std::vector<KernelWork> Kernels;
  std::vector<VariableWork> Variables;
};

struct Worklist {
  std::vector<ImageWork> Images;
  bool Printf = false;     ///< Some kernel uses printf or assert.
  bool Malloc = false;     ///< Some kernel uses the device heap.
  uint64_t NotCovered = 0; ///< Kernels in images without planned kernels.
  std::vector<std::string> Missing;
  std::vector<std::string> Warnings;
};

/// \param P null: every registered kernel, one variable of each image (which
///   brings the others), and printf, since its use is unknown. Not the heap:
///   once it is started, its limit cannot be changed any more.
Worklist makeWorklist(const std::vector<RegisteredImage> &Registered,
                      const Plan *P);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_WORKLIST_H
