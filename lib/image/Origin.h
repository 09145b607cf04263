//===- Origin.h - Where an image's bytes can be had again -----------------===//
//
// Part of kplan. Many images lie, as they are, in a program or shared library
// that is there anyway. Tracing looks for that place (in the running process);
// priming reads the bytes from there, or from the plan's store.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_ORIGIN_H
#define KPLAN_IMAGE_ORIGIN_H

#include "image/File.h"
#include "plan/Plan.h"

#include <optional>
#include <string>

namespace kplan::image {

/// The range of a program or library of this process that \p Bytes are mapped
/// from. None: they lie in no such file, the file holds other bytes now, or
/// readOrigin() would refuse it.
std::optional<FileOrigin> findInMappedFiles(ByteView Bytes);

/// The GNU build id of an ELF file, in hexadecimal; empty: it has none.
std::string readBuildId(const std::string &Path);

/// The bytes of an image of a plan in \p PlanFolder. The content id is verified
/// whatever the origin; a file must belong to the user or root, and nobody else
/// may write it. A relative name of a file is looked for in the working folder.
Result<ImageBytes> readOrigin(const Image &Of, const std::string &PlanFolder);

} // namespace kplan::image

#endif // KPLAN_IMAGE_ORIGIN_H
