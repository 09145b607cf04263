//===- KernelAttributes.cpp - Set what a plan wants of a kernel -----------===//

#include "KernelAttributes.h"

#include "plan/AttributeRules.h"
#include "plan/Names.h"

#include <algorithm>
#include <limits>

using namespace kplan;
using namespace kplan::runtime;

namespace {

CUfunc_cache driverCacheConfig(CacheConfig C) {
  switch (C) {
  case CacheConfig::PreferNone:
    return CU_FUNC_CACHE_PREFER_NONE;
  case CacheConfig::PreferShared:
    return CU_FUNC_CACHE_PREFER_SHARED;
  case CacheConfig::PreferL1:
    return CU_FUNC_CACHE_PREFER_L1;
  case CacheConfig::PreferEqual:
    return CU_FUNC_CACHE_PREFER_EQUAL;
  }
  return CU_FUNC_CACHE_PREFER_NONE;
}

} // namespace

AttributeSetter::AttributeSetter(const DriverApi &Api, CUdevice Device)
    : Api(Api), Device(Device) {
  if (Api.DeviceGetAttribute(
          &OptInShared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
          Device) != CUDA_SUCCESS)
    OptInShared = 0;
}

/// `max` and `at_most` are about dynamic shared memory: what a block can opt in
/// to on this device, less what the kernel has statically.
Result<int> AttributeSetter::valueFor(CUkernel K, Attribute A,
                                      const Value &Wanted) const {
  if (const auto *Number = std::get_if<int64_t>(&Wanted)) {
    if (*Number < std::numeric_limits<int>::min() ||
        *Number > std::numeric_limits<int>::max())
      return makeError("out of range");
    return static_cast<int>(*Number);
  }
  if (A != Attribute::MaxDynamicSharedSizeBytes)
    return makeError("only max_dynamic_shared_size_bytes has a maximum that "
                     "can be computed");
  if (!OptInShared)
    return makeError("the device does not tell its shared memory");
  int Static = 0;
  if (CUresult Error = Api.KernelGetAttribute(
          &Static, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, K, Device))
    return makeError(Api.describe(Error, "cuKernelGetAttribute"));
  int64_t Most = std::max(0, OptInShared - Static);
  if (const auto *Bound = std::get_if<AtMostValue>(&Wanted))
    Most = std::clamp<int64_t>(Bound->Bound, 0, Most);
  return static_cast<int>(Most);
}

void AttributeSetter::setAttributes(CUkernel K, const KernelWork &Work,
                                    AttributeCounts &Out,
                                    std::vector<std::string> &Problems) const {
  for (const auto &[A, Wanted] : Work.Attributes) {
    auto Problem = [&, &A = A, &Wanted = Wanted](const std::string &Why) {
      Problems.push_back(std::string(nameOf(A)) + " of " + Work.Symbol +
                         " is not set to " + describeValue(Wanted) + ": " +
                         Why);
    };
    Result<int> New = valueFor(K, A, Wanted);
    if (!New) {
      Problem(New.errors().front().Message);
      continue;
    }
    auto Number = static_cast<CUfunction_attribute>(A);
    int Old = 0;
    // Where the old value cannot be read it is set anyway.
    if (Api.KernelGetAttribute(&Old, Number, K, Device) == CUDA_SUCCESS &&
        Old == *New) {
      ++Out.Unchanged;
      continue;
    }
    if (CUresult Error = Api.KernelSetAttribute(Number, *New, K, Device))
      Problem(Api.describe(Error, "cuKernelSetAttribute"));
    else
      ++Out.Set;
  }
}

bool AttributeSetter::setCacheConfig(CUkernel K, const KernelWork &Work,
                                     const CacheConfig *Before,
                                     AttributeCounts &Out,
                                     std::vector<std::string> &Problems) const {
  if (Before && *Before == *Work.Cache) {
    ++Out.Unchanged;
    return true;
  }
  if (CUresult Error =
          Api.KernelSetCacheConfig(K, driverCacheConfig(*Work.Cache), Device)) {
    Problems.push_back("cache_config of " + Work.Symbol + " is not set to " +
                       std::string(nameOf(*Work.Cache)) + ": " +
                       Api.describe(Error, "cuKernelSetCacheConfig"));
    return false;
  }
  ++Out.Set;
  return true;
}
