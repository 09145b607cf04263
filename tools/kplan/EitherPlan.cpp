//===- EitherPlan.cpp - Plans in YAML and compiled plans ------------------===//

#include "EitherPlan.h"

#include "plan/CompiledPlan.h"
#include "plan/PlanReader.h"

#include <utility>

kplan::Result<kplan::Plan>
kplan::tool::readEitherPlan(std::string_view Bytes, const std::string &Path) {
  if (!isCompiledPlan(Bytes))
    return readPlan(Bytes, Path);
  auto Compiled = readCompiledPlan(Bytes, Path);
  if (!Compiled)
    return Compiled.errors();
  return std::move(Compiled->Plan);
}
