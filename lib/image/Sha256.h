//===- Sha256.h - Checksums of compiled code ------------------------------===//
//
// Part of kplan. A plan carries the SHA-256 of each cubin that was made ahead
// of time: what is loaded is what was compiled.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_SHA256_H
#define KPLAN_IMAGE_SHA256_H

#include "image/ByteView.h"

#include <string>

namespace kplan::image {

/// As 64 hexadecimal digits in lower case.
std::string sha256(ByteView Bytes);

} // namespace kplan::image

#endif // KPLAN_IMAGE_SHA256_H
