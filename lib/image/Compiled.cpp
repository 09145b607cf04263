//===- Compiled.cpp - Cubins that were made ahead of time -----------------===//

#include "image/Compiled.h"

#include "image/Arch.h"
#include "image/Image.h"
#include "image/Sha256.h"
#include "image/Store.h"

#include <tuple>

namespace kplan::image {

const CompiledImage *selectCompiled(std::span<const CompiledImage> Compiled,
                                    unsigned Device) {
  const CompiledImage *Best = nullptr;
  auto Rank = [](Arch A) {
    return std::tuple(A.Number, A.Suffix == 'a', A.Suffix == 'f');
  };
  Arch BestArch;
  for (const CompiledImage &C : Compiled) {
    auto Of = parseArch(C.Arch);
    if (!Of || !cubinRunsOn(*Of, Device) ||
        (Best && Rank(*Of) <= Rank(BestArch)))
      continue;
    Best = &C;
    BestArch = *Of;
  }
  return Best;
}

Result<ImageBytes> readCompiled(const CompiledImage &Of,
                                const std::string &PlanFolder) {
  auto Bytes = Store(PlanFolder).readUnverified(Of.File);
  if (!Bytes)
    return Bytes;
  auto Refuse = [&](const char *Why) {
    return fileError(PlanFolder + '/' + Of.File, Why,
                     "make it again with kplan compile");
  };
  if (sha256(Bytes->view()) != Of.Sha256)
    return Refuse("holds other bytes than the plan says (SHA-256)");
  auto What = identify(Bytes->view());
  if (!What || What->Kind != ImageKind::Cubin)
    return Refuse("is no cubin");
  return Bytes;
}

} // namespace kplan::image
