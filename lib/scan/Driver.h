//===- Driver.h - A whole scan, from paths to a plan ----------------------===//
//
// Part of kplan. Finds the units, has workers parse them, resolves what they
// found. Prints nothing: what the user should see is in the report.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_DRIVER_H
#define KPLAN_SCAN_DRIVER_H

#include "plan/Diagnostic.h"
#include "plan/Explain.h"
#include "plan/Fragment.h"
#include "plan/Plan.h"
#include "plan/Warnings.h"
#include "scan/DiagnosticLog.h"
#include "scan/Discover.h"
#include "scan/WorkerPool.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kplan::scan {

/// What happens while a scan runs, for whoever shows it.
class ScanObserver {
public:
  virtual ~ScanObserver() = default;
  /// `Total` grows when headers turn out to need a scan of their own.
  virtual void progress(size_t Done, size_t Total, const std::string &Unit) = 0;
};

struct ScanOptions {
  PoolOptions Pool;
  std::string CacheFolder; ///< Results of earlier scans; empty: none.
  bool Shortcuts = true;   ///< As UnitOptions::Shortcuts.
  WarningChoice Warnings;
  std::string Explain; ///< A kernel to explain; empty: none.
};

/// What the scan of some units gave, apart from a plan.
struct ScanReport {
  DiagnosticLog Log;
  std::string Root; ///< What the plan's paths are relative to.
  size_t Units = 0;
  size_t Cached = 0;      ///< Of Units: found in the cache.
  size_t Failed = 0;      ///< Of Units: with errors, or without any result.
  size_t LoneHeaders = 0; ///< Of Units: headers that were scanned alone.
  std::vector<std::string> Guesses;      ///< Sorted: what was guessed.
  std::vector<std::string> Dependencies; ///< Sorted: all files read.
  int EndedBySignal = 0;                 ///< Not 0: nothing else is complete.
};

struct FolderScan {
  Plan Found;
  Explanation Explained; ///< Of what ScanOptions::Explain names.
  ScanReport Report;
};

/// Errors: what discover() says.
Result<FolderScan> scanPaths(const DiscoverOptions &Find,
                             const ScanOptions &Options,
                             ScanObserver *Observer);

struct CommandScan {
  std::optional<Fragment> Found; ///< Nothing: the worker died.
  ScanReport Report;
};

/// One TU by its own command, for build systems. Positions are relative to
/// `Root`; where that is empty, to the command's folder. Errors: the command
/// cannot be understood.
Result<CommandScan> scanCommand(const CompileCommand &Command,
                                const TranslateOptions &Translate,
                                const std::string &Root,
                                const ScanOptions &Options);

} // namespace kplan::scan

#endif // KPLAN_SCAN_DRIVER_H
