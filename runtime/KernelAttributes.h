//===- KernelAttributes.h - Set what a plan wants of a kernel -------------===//
//
// Part of kplan. A library's kernel is set through cuKernelSetAttribute only: a
// value that cuFuncSetAttribute has set wins over it for good. A function of a
// module has no CUkernel: there the program has cuFuncSetAttribute only as
// well.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_KERNELATTRIBUTES_H
#define KPLAN_RUNTIME_KERNELATTRIBUTES_H

#include "DriverApi.h"
#include "Worklist.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kplan::runtime {

/// Cache configs that earlier primings set; the driver cannot be asked.
using CacheConfigs =
    std::map<std::pair<CodeId, std::string /*symbol*/>, CacheConfig>;

struct AttributeCounts {
  uint64_t Set = 0;
  uint64_t Unchanged = 0;
};

class AttributeSetter {
public:
  AttributeSetter(const DriverApi &Api, CUdevice Device);

  /// Sets the attributes that differ. The kernel's library must be resident.
  /// `Problems` receives a line for each that could not be set.
  void setAttributes(KernelHandle K, const KernelWork &Work,
                     AttributeCounts &Out,
                     std::vector<std::string> &Problems) const;

  /// Sets the cache config unless `Before` is what is wanted; true where it
  /// is in force afterwards.
  bool setCacheConfig(KernelHandle K, const KernelWork &Work,
                      const CacheConfig *Before, AttributeCounts &Out,
                      std::vector<std::string> &Problems) const;

private:
  Result<int> valueFor(KernelHandle K, Attribute A, const Value &Wanted) const;
  CUresult get(int &Out, CUfunction_attribute A, KernelHandle K) const;
  CUresult set(CUfunction_attribute A, int Value, KernelHandle K) const;

  const DriverApi &Api;
  CUdevice Device;
  int OptInShared = 0; ///< Shared memory a block can opt in to; 0: unknown.
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_KERNELATTRIBUTES_H
