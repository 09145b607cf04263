//===- Arch.h - Architectures of device code ------------------------------===//
//
// Part of kplan. Which code runs where, by NVIDIA's rules of compatibility:
// plain code on the later devices of its major version, `f` code on those of
// its family (the same, counted from its own), `a` code on its own alone.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_ARCH_H
#define KPLAN_IMAGE_ARCH_H

#include "plan/Diagnostic.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace kplan::image {

struct Arch {
  unsigned Number = 0; ///< 90 of sm_90a.
  char Suffix = 0;     ///< 'a', 'f' or none.
  auto operator<=>(const Arch &) const = default;

  /// "sm_90a".
  std::string name() const;
};

/// "sm_90a"; nothing for other text.
std::optional<Arch> parseArch(std::string_view Name);

/// Whether a cubin runs on a device of compute capability \p Device (90: 9.0).
bool cubinRunsOn(Arch Of, unsigned Device);

/// What PTX with \p Target is compiled for where code for \p Wanted is asked
/// for: the target's suffix is kept. An error where it cannot be.
Result<Arch> archForPtx(Arch Target, Arch Wanted);

} // namespace kplan::image

#endif // KPLAN_IMAGE_ARCH_H
