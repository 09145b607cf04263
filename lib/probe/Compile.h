//===- Compile.h - PTX to cubins, by the driver ---------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_COMPILE_H
#define KPLAN_PROBE_COMPILE_H

#include "probe/Driver.h"
#include "probe/Kernels.h"

#include <string>

namespace kplan::probe {

/// A cubin for the current context's device; touches nothing of it.
/// \p Library: an archive of device code to link with, or empty.
Result<std::string> compile(const Driver &Api, Text Which,
                            const std::string &Library = {});

} // namespace kplan::probe

#endif // KPLAN_PROBE_COMPILE_H
