//===- Limits.cpp - The context's limits against the plan's ---------------===//

#include "Limits.h"

#include <optional>
#include <string_view>

using namespace kplan;
using namespace kplan::runtime;

namespace {

struct LimitName {
  std::string_view Name;
  CUlimit Limit;
};

constexpr LimitName Names[] = {
    {"stack_size", CU_LIMIT_STACK_SIZE},
    {"printf_fifo_size", CU_LIMIT_PRINTF_FIFO_SIZE},
    {"malloc_heap_size", CU_LIMIT_MALLOC_HEAP_SIZE},
    {"dev_runtime_sync_depth", CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH},
    {"dev_runtime_pending_launch_count",
     CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT},
    {"max_l2_fetch_granularity", CU_LIMIT_MAX_L2_FETCH_GRANULARITY},
    {"persisting_l2_cache_size", CU_LIMIT_PERSISTING_L2_CACHE_SIZE},
};

std::optional<CUlimit> findLimit(std::string_view Name) {
  for (const LimitName &N : Names)
    if (N.Name == Name)
      return N.Limit;
  return std::nullopt;
}

/// Whether memory is set aside by it when something is first used.
bool isForFirstUses(CUlimit Limit) {
  switch (Limit) {
  case CU_LIMIT_STACK_SIZE:
  case CU_LIMIT_PRINTF_FIFO_SIZE:
  case CU_LIMIT_MALLOC_HEAP_SIZE:
  case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
  case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
    return true;
  default:
    return false;
  }
}

/// The driver raises the stack size for a kernel that needs more, and so does
/// priming: more than the program will ask for is in order.
bool isInForce(CUlimit Limit, uint64_t Wanted, size_t Now) {
  return Now == Wanted || (Limit == CU_LIMIT_STACK_SIZE && Now > Wanted);
}

} // namespace

LimitCheck kplan::runtime::applyLimits(const DriverApi &Api,
                                       const Limits &Planned) {
  Limits Left = Planned;
  LimitCheck Refused;
  for (const auto &[Name, Wanted] : Planned) {
    std::optional<CUlimit> Limit = findLimit(Name);
    if (!Limit || !isForFirstUses(*Limit)) {
      Left.erase(Name); // The program's own call comes early enough.
      continue;
    }
    size_t Now = 0;
    if (Api.CtxGetLimit(&Now, *Limit) != CUDA_SUCCESS ||
        isInForce(*Limit, Wanted, Now))
      continue;
    if (CUresult Error = Api.CtxSetLimit(*Limit, Wanted)) {
      Refused.Warnings.push_back("limit " + Name + " is not set to " +
                                 std::to_string(Wanted) + ": " +
                                 Api.describe(Error, "cuCtxSetLimit"));
      Refused.HoldPrintf |= *Limit == CU_LIMIT_PRINTF_FIFO_SIZE;
      Refused.HoldMalloc |= *Limit == CU_LIMIT_MALLOC_HEAP_SIZE;
      Left.erase(Name);
    }
  }
  LimitCheck Check = checkLimits(Api, Left);
  Check.HoldPrintf |= Refused.HoldPrintf;
  Check.HoldMalloc |= Refused.HoldMalloc;
  Check.Warnings.insert(Check.Warnings.begin(), Refused.Warnings.begin(),
                        Refused.Warnings.end());
  return Check;
}

LimitCheck kplan::runtime::checkLimits(const DriverApi &Api,
                                       const Limits &Planned) {
  LimitCheck Check;
  for (const auto &[Name, Wanted] : Planned) {
    std::optional<CUlimit> Limit = findLimit(Name);
    if (!Limit) {
      Check.Warnings.push_back("limit " + Name + " of the plan is not known");
      continue;
    }
    size_t Now = 0;
    if (CUresult Error = Api.CtxGetLimit(&Now, *Limit)) {
      Check.Warnings.push_back("limit " + Name + ": " +
                               Api.describe(Error, "cuCtxGetLimit"));
      continue;
    }
    if (isInForce(*Limit, Wanted, Now))
      continue;
    std::string Line = "limit " + Name + " is " + std::to_string(Now) +
                       ", the plan has " + std::to_string(Wanted) +
                       ": set it before priming";
    if (*Limit == CU_LIMIT_PRINTF_FIFO_SIZE) {
      Check.HoldPrintf = true;
      Line += "; the printf buffer is not started";
    } else if (*Limit == CU_LIMIT_MALLOC_HEAP_SIZE) {
      Check.HoldMalloc = true;
      Line += "; the device heap is not started";
    }
    Check.Warnings.push_back(std::move(Line));
  }
  return Check;
}
