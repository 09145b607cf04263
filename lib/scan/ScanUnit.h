//===- ScanUnit.h - Scan one translation unit -----------------------------===//
//
// Part of kplan. Parses a TU's host side and writes down what it found as a
// fragment: sites, kernels and summaries of wrapper functions, without clang.
// Runs clang in this process: a caller that must survive a crash runs it in a
// worker process.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_SCANUNIT_H
#define KPLAN_SCAN_SCANUNIT_H

#include "plan/Diagnostic.h"
#include "plan/Fragment.h"
#include "scan/Command.h"

#include <string>
#include <vector>

namespace kplan::scan {

struct UnitOptions {
  std::string Root;      ///< Absolute real path; positions are relative to it.
  std::string BuildRoot; ///< Absolute; `<build>/…` outside Root; may be empty.
  /// Leave out what a plan does not need: faster, with the same result.
  bool Shortcuts = true;
  /// Also the kernels that no site can concern, for whoever asks about them.
  bool AllKernels = false;
};

struct UnitResult {
  Fragment Found;                        ///< Also what parsed before an error.
  std::vector<Diagnostic> Diagnostics;   ///< clang's errors, and ours.
  bool Failed = false;                   ///< clang reported an error.
  std::vector<std::string> Dependencies; ///< Absolute paths of files read.
};

UnitResult scanUnit(const ClangCommand &Command, const UnitOptions &Options);

} // namespace kplan::scan

#endif // KPLAN_SCAN_SCANUNIT_H
