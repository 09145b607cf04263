//===- Discover.h - Which translation units a scan looks at ---------------===//
//
// Part of kplan. From paths and a compilation database, if there is one, to
// the units that are parsed, and the root that the plan's paths start from.
//
// With a database: its commands whose file lies below a given path (all of
// them, if a path is the database's own folder or no path is given). Without:
// the source files below the paths, with guessed flags. A file that is given
// by name is always scanned. Of C and C++ files those are scanned that reach
// CUDA's headers (CudaText.h); of headers, those with kernels or launches that
// no unit turned out to include: see takeLoneHeaders().
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_DISCOVER_H
#define KPLAN_SCAN_DISCOVER_H

#include "plan/Diagnostic.h"
#include "scan/Command.h"
#include "scan/CudaText.h"
#include "scan/UnitCommands.h"

#include <set>
#include <string>
#include <vector>

namespace kplan::scan {

struct DiscoverOptions {
  std::vector<std::string> Paths; ///< As given; may be empty with a database.
  std::string Directory;          ///< Relative paths start here.
  std::string Database;           ///< -p: a file or its folder; empty: search.
  std::string Root;               ///< --root; empty: choose.
  std::vector<std::string> Include; ///< Globs on root-relative paths.
  std::vector<std::string> Exclude;
  TranslateOptions Translate;
};

/// One parse of one file.
struct Unit {
  ClangCommand Command;
  std::string RealPath;
  std::string Name; ///< How the plan spells it: stable, and it orders units.
  bool LoneHeader = false;
};

/// A file that could not even be given to clang.
struct UnitFailure {
  std::string Name;
  std::vector<Diagnostic> Errors;
};

struct Discovery {
  std::string Root;        ///< Absolute real path.
  std::string BuildRoot;   ///< The database's folder, or empty.
  std::string Database;    ///< The database's path, or empty.
  std::vector<Unit> Units; ///< Ordered by name, then by arguments.
  std::vector<UnitFailure> Failures;
  std::vector<std::string> HeaderCandidates; ///< Real paths, sorted.
  std::vector<Diagnostic> Warnings;
  UnitCommands Commands;
  IncludeGraph Graph;
};

/// Errors: a path or database that is not there, nothing to scan.
Result<Discovery> discover(const DiscoverOptions &Options);

/// Takes those header candidates that hold kernels or launches, that are not in
/// `Read` (real paths of all files read so far), and that none of the others
/// includes: those will be read with it. Empty once nothing is left.
std::vector<Unit> takeLoneHeaders(Discovery &Found,
                                  const std::set<std::string> &Read);

} // namespace kplan::scan

#endif // KPLAN_SCAN_DISCOVER_H
