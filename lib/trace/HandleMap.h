//===- HandleMap.h - Which handle stands for what, and when ---------------===//
//
// Part of kplan. Follows loads, unloads and lookups. The driver reuses handles,
// so the answer holds for the events read so far.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TRACE_HANDLEMAP_H
#define KPLAN_TRACE_HANDLEMAP_H

#include "trace/Event.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kplan::trace {

/// A kernel, under either kind of handle.
struct KnownKernel {
  std::optional<size_t> Load; ///< Which load it came with; none: not seen.
  std::string Symbol;
};

class HandleMap {
public:
  /// The number of the load: 0, 1, 2, …
  size_t add(const LoadEvent &E);
  /// The load that goes, or that stays after all.
  std::optional<size_t> apply(const UnloadEvent &E);
  void add(const ModuleEvent &E);
  void add(const KernelEvent &E);
  void add(const FunctionEvent &E);

  std::optional<size_t> load(const std::string &By, uint64_t Handle) const;
  /// Null: such a handle was never looked up.
  const KnownKernel *kernel(uint64_t Handle) const;

private:
  using Owners = std::unordered_map<uint64_t, size_t>;
  Owners &owners(const std::string &By) {
    return By == "library" ? Libraries : Modules;
  }
  bool isAlive(const KnownKernel &K) const { return !K.Load || Alive[*K.Load]; }

  std::vector<bool> Alive; ///< By load.
  Owners Libraries, Modules;
  std::unordered_map<uint64_t, KnownKernel> Kernels, Functions;
};

} // namespace kplan::trace

#endif // KPLAN_TRACE_HANDLEMAP_H
