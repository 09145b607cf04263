//===- Worklist.h - What a plan asks of this program ----------------------===//
//
// Part of kplan. Matches the plan's entries with what the program registered
// and with what is loaded in the driver. Pure: calls no
// driver, reads no environment.
//
// - Every registration of a planned symbol is made resident: two TUs may
//   register the same symbol, and which one an entry means cannot be told. The
//   same holds for loaded code, unless the entry names its image.
// - An attribute is set only where the entries that match a kernel agree. An
//   internal entry that is silent about it disagrees (it may be the one that is
//   another kernel); an external one that is silent has no say.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_WORKLIST_H
#define KPLAN_RUNTIME_WORKLIST_H

#include "CodeHandle.h"
#include "Registry.h"
#include "plan/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kplan::runtime {

/// A library or module in the driver.
struct LoadedImage {
  uint64_t Serial = 0;
  CodeHandle Code;
  std::string Image; ///< Content id; empty: not known.
  /// Names, sorted; those that the plan could mean are enough.
  std::vector<std::string> Kernels;
};

struct KernelWork {
  const void *Stub = nullptr; ///< Null: found by its symbol, in loaded code.
  std::string Symbol;
  std::map<Attribute, Value> Attributes;
  std::optional<CacheConfig> Cache;
};

struct VariableWork {
  const void *Host = nullptr;
  std::string Symbol;
  bool MayBeMissing = false; ///< The image need not be the one that has it.
};

/// One image; never empty.
struct ImageWork {
  CodeId Id;
  const kplan_link_unit *Unit = nullptr; ///< Null: it is loaded, as Code.
  CodeHandle Code;
  std::vector<KernelWork> Kernels;
  std::vector<VariableWork> Variables;
};

struct Worklist {
  std::vector<ImageWork> Images;
  bool Printf = false;     ///< Some kernel uses printf or assert.
  bool Malloc = false;     ///< Some kernel uses the device heap.
  uint64_t NotCovered = 0; ///< Kernels in images without planned kernels.
  /// Planned kernels that are in nothing that is loaded yet.
  uint64_t Waiting = 0;
  std::vector<std::string> Missing;
  std::vector<std::string> Warnings;
};

/// \param P null: every registered kernel, one variable of each image (which
///   brings the others), and printf, since its use is unknown. Not the heap:
///   once it is started, its limit cannot be changed any more.
/// \param Complete the program's code is there: what the plan has beside it is
///   missing. Else more may come.
Worklist makeWorklist(const std::vector<RegisteredImage> &Registered,
                      const std::vector<LoadedImage> &Loaded, const Plan *P,
                      bool Complete);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_WORKLIST_H
