//===- PlanLoader.cpp - The plan that is primed ---------------------------===//

#include "PlanLoader.h"

#include "SecureFile.h"
#include "plan/PlanReader.h"

using namespace kplan;

Result<Plan> kplan::runtime::loadPlan(const std::string &Path) {
  Result<std::string> Text = readSecureFile(Path);
  if (!Text)
    return Text.errors();
  return readPlan(*Text, Path);
}
