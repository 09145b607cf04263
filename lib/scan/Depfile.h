//===- Depfile.h - What was read, for Make and Ninja ----------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_DEPFILE_H
#define KPLAN_SCAN_DEPFILE_H

#include <string>
#include <vector>

namespace kplan::scan {

/// A rule without commands: `Target: File…`, escaped as Make and Ninja read
/// it. A name with a line end, which neither can read, is left out.
std::string formatDepfile(const std::string &Target,
                          const std::vector<std::string> &Files);

} // namespace kplan::scan

#endif // KPLAN_SCAN_DEPFILE_H
