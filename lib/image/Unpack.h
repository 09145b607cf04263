//===- Unpack.h - Code in compressed fatbins ------------------------------===//
//
// Part of kplan. nvcc compresses the entries of a fatbin by zstd or LZ4 (no
// frame). Tools that look into code unpack them; the runtime, which is given
// plans that say what the code needs, does not link this.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_UNPACK_H
#define KPLAN_IMAGE_UNPACK_H

#include "image/Fatbin.h"
#include "image/File.h"
#include "image/Image.h"

namespace kplan::image {

/// The cubin or text of an entry, compressed or not. What an entry claims is
/// not believed: an error where it unpacks to another size.
Result<ImageBytes> unpack(const FatbinEntry &Entry);

/// As readCode(), also where the entry of a fatbin is compressed.
Result<Code> readUnpackedCode(const Identity &Image, unsigned Arch);

} // namespace kplan::image

#endif // KPLAN_IMAGE_UNPACK_H
