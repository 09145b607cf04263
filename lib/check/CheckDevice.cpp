//===- CheckDevice.cpp - What a plan was traced on, against this machine --===//

#include "check/Check.h"
#include "check/Finding.h"

#include <algorithm>

namespace kplan::check {

static std::string describe(const Producer &P) {
  return P.Gpu + (P.Sms ? " with " + std::to_string(*P.Sms) + " SMs" : "");
}

void checkTracedOn(const Subject &Of, const TracedOn &Here, Findings &Out) {
  std::vector<const Producer *> Traced;
  for (const Producer &P : Of.Plan.Producers)
    if (!P.Gpu.empty())
      Traced.push_back(&P);
  if (Traced.empty())
    return;
  // A plan may come from several GPUs; one of them must be this one.
  auto SameGpu = [&](const Producer *P) {
    return P->Gpu == Here.Gpu && (!P->Sms || *P->Sms == Here.Sms);
  };
  auto Same = std::find_if(Traced.begin(), Traced.end(), SameGpu);
  if (Same == Traced.end())
    return add(Out, Of,
               "was traced on " + describe(*Traced.front()) +
                   ", and this is a " + Here.Gpu + " with " +
                   std::to_string(Here.Sms) + " SMs",
               "libraries choose their kernels by the GPU: trace again on this "
               "one, and merge the plans");
  if (Here.Driver.empty() ||
      std::any_of(Traced.begin(), Traced.end(), [&](const Producer *P) {
        return SameGpu(P) && (P->Driver.empty() || P->Driver == Here.Driver);
      }))
    return;
  add(Out, Of,
      "was traced with driver " + (*Same)->Driver + ", and this is " +
          Here.Driver,
      "'kplan probe' shows whether the same first uses wait with it",
      Severity::Warning);
}

} // namespace kplan::check
