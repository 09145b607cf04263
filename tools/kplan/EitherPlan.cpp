//===- EitherPlan.cpp - Plans in YAML and compiled plans ------------------===//

#include "EitherPlan.h"

#include "plan/CompiledPlan.h"
#include "plan/Fragment.h"
#include "plan/PlanReader.h"

#include <optional>
#include <utility>

namespace {

/// A file of kplan's that is no plan; none: it may be one.
std::optional<kplan::Diagnostic> otherKind(std::string_view Bytes,
                                           const std::string &Path) {
  kplan::Diagnostic D;
  D.File = Path;
  if (kplan::isFragmentFile(Bytes)) {
    D.Message = "is no plan but a fragment, what a scan knows of single TUs";
    D.Hint = "'kplan merge FRAGMENT... -o plan.yaml' makes a plan of the "
             "fragments of all TUs";
    return D;
  }
  if (Bytes.substr(0, 64).find("\"kplan_probe\"") != Bytes.npos) {
    D.Message = "is no plan but a result of 'kplan probe'";
    D.Hint = "'kplan probe --against FILE' takes it";
    return D;
  }
  return std::nullopt;
}

} // namespace

kplan::Result<kplan::Plan> kplan::tool::readYamlPlan(std::string_view Bytes,
                                                     const std::string &Path) {
  if (auto Other = otherKind(Bytes, Path))
    return *Other;
  if (!isCompiledPlan(Bytes))
    return readPlan(Bytes, Path);
  Diagnostic D;
  D.File = Path;
  D.Message = "is a compiled plan";
  D.Hint = "name the YAML plan that it was compiled from; 'kplan show', 'kplan "
           "check' and 'kplan run' take compiled ones";
  return D;
}

kplan::Result<kplan::Plan>
kplan::tool::readEitherPlan(std::string_view Bytes, const std::string &Path) {
  if (!isCompiledPlan(Bytes))
    return readYamlPlan(Bytes, Path);
  auto Compiled = readCompiledPlan(Bytes, Path);
  if (!Compiled)
    return Compiled.errors();
  return std::move(Compiled->Plan);
}
