//===- Progress.h - How far a scan is, on a terminal ----------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TOOL_PROGRESS_H
#define KPLAN_SCAN_TOOL_PROGRESS_H

#include "scan/Driver.h"

#include <cstddef>
#include <string>

namespace kplan::scan {

/// Keeps one line on standard error up to date, where that is a terminal.
class Progress : public ScanObserver {
public:
  Progress();
  ~Progress() override { clear(); }
  void progress(size_t Done, size_t Total, const std::string &Unit) override;
  /// Makes room for other output.
  void clear();

private:
  unsigned Width = 0; ///< 0: no terminal.
  bool Shown = false;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_TOOL_PROGRESS_H
