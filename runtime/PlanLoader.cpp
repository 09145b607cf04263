//===- PlanLoader.cpp - The plan that is primed ---------------------------===//

#include "PlanLoader.h"

#include "Environment.h"
#include "SecureFile.h"
#include "image/Image.h"
#include "plan/CompiledPlan.h"
#include "plan/PlanReader.h"

#include <algorithm>

using namespace kplan;
using namespace kplan::runtime;

Result<Plan> kplan::runtime::loadPlan(const std::string &Path,
                                      const PlanCache &Cache) {
  Result<std::string> Text = readSecureFile(Path);
  if (!Text)
    return Text.errors();
  if (isCompiledPlan(*Text)) {
    Result<CompiledPlan> Read = readCompiledPlan(*Text, Path);
    if (!Read)
      return Read.errors();
    return std::move(Read->Plan);
  }
  std::string Id;
  if (Cache.isOn()) {
    Id = image::contentId(image::ByteView(*Text));
    if (std::optional<Plan> Kept = Cache.find(Id))
      return std::move(*Kept);
  }
  Result<Plan> Read = readPlan(*Text, Path);
  if (!Read)
    return Read;
  Plan Executed = executedPart(std::move(*Read));
  if (Cache.isOn())
    if (Result<std::string> Compiled = compilePlan(Executed, Id))
      Cache.keep(Id, *Compiled);
  return Executed;
}

Result<Plan> kplan::runtime::loadPlan(const std::string &Path) {
  return loadPlan(Path, PlanCache(environment().CacheFolder));
}

std::string kplan::runtime::folderOf(const std::string &PlanPath) {
  size_t Slash = PlanPath.rfind('/');
  if (Slash == std::string::npos)
    return {};
  return PlanPath.substr(0, std::max<size_t>(Slash, 1));
}
