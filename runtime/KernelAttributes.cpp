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

std::string nameOfCall(KernelHandle K, const char *What) {
  return std::string(std::holds_alternative<CUkernel>(K) ? "cuKernel"
                                                         : "cuFunc") +
         What;
}

} // namespace

AttributeSetter::AttributeSetter(const DriverApi &Api, CUdevice Device)
    : Api(Api), Device(Device) {
  if (Api.DeviceGetAttribute(
          &OptInShared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
          Device) != CUDA_SUCCESS)
    OptInShared = 0;
}

CUresult AttributeSetter::get(int &Out, CUfunction_attribute A,
                              KernelHandle K) const {
  if (CUkernel *Kernel = std::get_if<CUkernel>(&K))
    return Api.KernelGetAttribute(&Out, A, *Kernel, Device);
  return Api.FuncGetAttribute(&Out, A, std::get<CUfunction>(K));
}

CUresult AttributeSetter::set(CUfunction_attribute A, int Value,
                              KernelHandle K) const {
  if (CUkernel *Kernel = std::get_if<CUkernel>(&K))
    return Api.KernelSetAttribute(A, Value, *Kernel, Device);
  return Api.FuncSetAttribute(std::get<CUfunction>(K), A, Value);
}

/// `max` and `at_most` are about dynamic shared memory: what a block can opt in
/// to on this device, less what the kernel has statically.
Result<int> AttributeSetter::valueFor(KernelHandle K, Attribute A,
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
  if (CUresult Error = get(Static, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, K))
    return makeError(
        Api.describe(Error, nameOfCall(K, "GetAttribute").c_str()));
  int64_t Most = std::max(0, OptInShared - Static);
  if (const auto *Bound = std::get_if<AtMostValue>(&Wanted))
    Most = std::clamp<int64_t>(Bound->Bound, 0, Most);
  return static_cast<int>(Most);
}

void AttributeSetter::setAttributes(KernelHandle K, const KernelWork &Work,
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
    if (get(Old, Number, K) == CUDA_SUCCESS && Old == *New) {
      ++Out.Unchanged;
      continue;
    }
    if (CUresult Error = set(Number, *New, K))
      Problem(Api.describe(Error, nameOfCall(K, "SetAttribute").c_str()));
    else
      ++Out.Set;
  }
}

bool AttributeSetter::setCacheConfig(KernelHandle K, const KernelWork &Work,
                                     const CacheConfig *Before,
                                     AttributeCounts &Out,
                                     std::vector<std::string> &Problems) const {
  if (Before && *Before == *Work.Cache) {
    ++Out.Unchanged;
    return true;
  }
  CUfunc_cache Config = driverCacheConfig(*Work.Cache);
  CUkernel *Kernel = std::get_if<CUkernel>(&K);
  if (CUresult Error =
          Kernel ? Api.KernelSetCacheConfig(*Kernel, Config, Device)
                 : Api.FuncSetCacheConfig(std::get<CUfunction>(K), Config)) {
    Problems.push_back(
        "cache_config of " + Work.Symbol + " is not set to " +
        std::string(nameOf(*Work.Cache)) + ": " +
        Api.describe(Error, nameOfCall(K, "SetCacheConfig").c_str()));
    return false;
  }
  ++Out.Set;
  return true;
}
