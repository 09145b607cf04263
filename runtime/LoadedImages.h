//===- LoadedImages.h - What loaded code holds ----------------------------===//
//
// Part of kplan. Names of the kernels of libraries and modules that are in the
// driver. Asking a library for them neither touches it nor waits.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_LOADEDIMAGES_H
#define KPLAN_RUNTIME_LOADEDIMAGES_H

#include "CodeTable.h"
#include "DriverApi.h"
#include "Worklist.h"

#include <vector>

namespace kplan::runtime {

/// The entries as a worklist needs them: with the names that a plan could mean
/// (\p P null: all of them). The driver is asked only where the plan does not
/// tell by itself which kernels an image has.
std::vector<LoadedImage> describeLoaded(const DriverApi &Api,
                                        const std::vector<CodeEntry> &Entries,
                                        CodeTable &Table, const Plan *P);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_LOADEDIMAGES_H
