//===- CodeStore.h - Compiled code, handed from process to process --------===//
//
// Part of kplan. A file without a name that the preparing process fills and
// the workers inherit: the cubins of Kernels.h for the device at hand.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PROBE_CODESTORE_H
#define KPLAN_PROBE_CODESTORE_H

#include "plan/Diagnostic.h"
#include "probe/Kernels.h"

#include <array>
#include <optional>
#include <string>

namespace kplan::probe {

/// Empty where the text could not be compiled.
using CodeSet = std::array<std::string, TextCount>;

/// A file that child processes inherit; its descriptor.
Result<int> makeCodeStore();
/// The error; none: done.
std::optional<Diagnostic> writeCode(int File, const CodeSet &Code);
Result<CodeSet> readCode(int File);

} // namespace kplan::probe

#endif // KPLAN_PROBE_CODESTORE_H
