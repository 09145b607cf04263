//===- Embedded.h - Fatbins inside programs and libraries -----------------===//
//
// Part of kplan. nvcc puts a program's device code into host ELF sections, one
// fatbin behind the other.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_EMBEDDED_H
#define KPLAN_IMAGE_EMBEDDED_H

#include "image/ByteView.h"
#include "plan/Diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kplan::image {

struct EmbeddedFatbin {
  std::string Section; ///< ".nv_fatbin" or "__nv_relfatbin".
  uint64_t Offset = 0; ///< In the file.
  ByteView Bytes;

  /// Input of device linking (nvcc -rdc); the driver is never given it.
  bool relocatable() const { return Section == "__nv_relfatbin"; }
};

/// All fatbins of an executable, object or shared library, in file order.
/// None is not an error; bytes that are no 64-bit ELF are.
Result<std::vector<EmbeddedFatbin>> embeddedFatbins(ByteView File);

} // namespace kplan::image

#endif // KPLAN_IMAGE_EMBEDDED_H
