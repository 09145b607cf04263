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

} // namespace

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
    // The driver raises the stack size for a kernel that needs more, and so
    // does priming: more than the program will ask for is in order.
    if (Now == Wanted || (*Limit == CU_LIMIT_STACK_SIZE && Now > Wanted))
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
