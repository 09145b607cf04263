//===- Mapping.h - A whole file in memory ---------------------------------===//
//
// Part of kplan. Whoever cuts a mapped file off kills the process that reads
// it: for files that are not written while they are there, as programs and
// libraries are.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_MAPPING_H
#define KPLAN_IMAGE_MAPPING_H

#include "image/ByteView.h"
#include "image/File.h"

namespace kplan::image {

/// A regular file, mapped to be read; empty where that does not work.
class Mapping {
public:
  explicit Mapping(const File &Of);
  ~Mapping();
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  ByteView view() const { return Begin ? ByteView(Begin, Size) : ByteView(); }

private:
  void *Begin = nullptr;
  size_t Size = 0;
};

} // namespace kplan::image

#endif // KPLAN_IMAGE_MAPPING_H
