//===- Image.h - What kind of image, how large, which content -------------===//
//
// Part of kplan. An image is one blob of device code given to the driver. Its
// size is found from its own headers, since the driver is given none.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_IMAGE_H
#define KPLAN_IMAGE_IMAGE_H

#include "image/ByteView.h"
#include "image/Code.h"
#include "plan/Diagnostic.h"
#include "plan/Plan.h"

#include <string>

namespace kplan::image {

struct Identity {
  ImageKind Kind = ImageKind::Cubin;
  /// Of the image itself: where a wrapper was given, of its fatbin. PTX: the
  /// text without its NUL.
  ByteView Bytes;
  /// The image was given as a wrapper of this version; 0: it was not.
  uint32_t WrapperVersion = 0;
};

/// Identifies the image at the start of \p Bytes, which may go on behind it.
/// A wrapper is refused: its pointer means something in its process only.
Result<Identity> identify(ByteView Bytes);

/// Identifies an image as it is handed to the driver, wrapper or not. The
/// headers are believed, as the driver believes them: call it only for memory
/// that the program gives to the driver.
Result<Identity> identifyPointer(const void *Image);

/// "xxh3:" and the XXH3 128-bit hash of the bytes as 32 hex digits.
std::string contentId(ByteView Bytes);

/// Kernels and variables of a cubin, of PTX, or of the entry of a fatbin that
/// a device of compute capability \p Arch would take (90 for 9.0). An error
/// says why nothing can be told, for example that the entry is compressed.
/// Offsets in it count from \p CodeBytes, which receives the cubin or text.
Result<Code> readCode(const Identity &Image, unsigned Arch,
                      ByteView *CodeBytes = nullptr);

} // namespace kplan::image

#endif // KPLAN_IMAGE_IMAGE_H
