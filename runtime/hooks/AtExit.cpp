//===- AtExit.cpp - What the hooks say at the end of a process ------------===//

#include "hooks/Adopter.h"
#include "hooks/Coverage.h"
#include "hooks/HookSettings.h"
#include "hooks/LineBuffer.h"

using namespace kplan::runtime::hooks;

namespace {

/// With KPLAN_VERBOSE, in processes that have to do with CUDA or hide it.
struct ExitReport {
  ~ExitReport() {
    const HookSettings &Settings = hookSettings();
    if (!Settings.Verbose || Settings.Disabled)
      return;
    try {
      if (std::string Line = describeAdoption(); !Line.empty())
        (LineBuffer() << Line).write();
      for (const std::string &Line : describeCoverage())
        (LineBuffer() << Line).write();
    } catch (...) { // A report is not worth a crash.
      (LineBuffer() << "out of memory for the report").write();
    }
  }
} Report;

} // namespace
