//===- ImageMatch.h - The image that a program hands to the driver --------===//
//
// Part of kplan. A program's image has no size beside it, and may be none at
// all: it is compared with bytes that are known, and read no further than the
// first difference or the end that its own header states.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_IMAGEMATCH_H
#define KPLAN_RUNTIME_IMAGEMATCH_H

#include "image/File.h"
#include "plan/Plan.h"

namespace kplan::runtime {

class GivenImage {
public:
  /// What cuLibraryLoadData and its like are given: the image itself, or a
  /// wrapper of a fatbin.
  static GivenImage pointer(const void *Image);
  /// The contents of a file, of a known size.
  static GivenImage bytes(image::ByteView Bytes);

  /// Whether it is this image.
  bool is(ImageKind Kind, image::ByteView Known) const;

private:
  bool beginsWith(image::ByteView Known) const;

  const void *Begin = nullptr; ///< Null: nothing that could be compared.
  size_t Size = SIZE_MAX;      ///< SIZE_MAX: not known.
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_IMAGEMATCH_H
