//===- Compiled.h - Cubins that were made ahead of time -------------------===//
//
// Part of kplan. An image or module of a plan may have cubins for several
// architectures (`compiled`); priming takes the one for the device at hand.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_COMPILED_H
#define KPLAN_IMAGE_COMPILED_H

#include "image/File.h"
#include "plan/Plan.h"

#include <span>
#include <string>

namespace kplan::image {

/// The best cubin for a device of compute capability \p Device (90: 9.0): the
/// newest that runs there, of equals the one that is made for it alone. Null:
/// none runs there.
const CompiledImage *selectCompiled(std::span<const CompiledImage> Compiled,
                                    unsigned Device);

/// Its bytes from the store of the plan in \p PlanFolder. They are a cubin and
/// have the SHA-256 that the plan says, or it is an error.
Result<ImageBytes> readCompiled(const CompiledImage &Of,
                                const std::string &PlanFolder);

} // namespace kplan::image

#endif // KPLAN_IMAGE_COMPILED_H
