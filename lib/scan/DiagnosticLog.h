//===- DiagnosticLog.h - Diagnostics of many units, each said once --------===//
//
// Part of kplan. The same error in a header, met by fifty TUs, is printed once
// with the number of units that met it; what goes beyond a bound is counted.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_DIAGNOSTICLOG_H
#define KPLAN_SCAN_DIAGNOSTICLOG_H

#include "plan/Diagnostic.h"

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace kplan::scan {

class DiagnosticLog {
public:
  /// Notes belong to what came before them from the same unit. `Unit` is empty
  /// where a diagnostic comes from no unit.
  void add(const std::string &Unit, const std::vector<Diagnostic> &Diagnostics);

  /// Everything, in order of adding, as clang prints it; at most `Most` errors
  /// and warnings, and `MostOfFile` of each file where there are others, then
  /// how many more there are. Paths below `Directory` are
  /// printed as relative to it.
  std::string format(size_t Most, size_t MostOfFile,
                     const std::string &Directory) const;

  /// The same, without notes of their own.
  std::vector<Diagnostic> all() const;

private:
  struct Entry {
    Diagnostic Main;
    std::vector<Diagnostic> Notes;
    std::string FirstUnit;
    std::string LastUnit;
    size_t Units = 0;
  };
  using Key =
      std::tuple<Severity, std::string, unsigned, unsigned, std::string>;

  std::vector<Entry> Entries;
  std::map<Key, size_t> Index;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_DIAGNOSTICLOG_H
