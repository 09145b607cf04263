//===- ExitReport.h - What is said at exit --------------------------------===//
//
// Part of kplan. A sealed program looks once more when it exits. With
// KPLAN_ON_ESCAPE=warn it names its escapes on standard error; with
// KPLAN_REPORT it writes a report, JSON where the file's name ends in .json and
// text otherwise. "%p" in that name stands for the process id.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_EXITREPORT_H
#define KPLAN_RUNTIME_EXITREPORT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace kplan::runtime {

/// From the first seal on, under hooks from the first driver call on; later
/// calls do nothing. Handlers run in reverse, so this one runs before the CUDA
/// runtime takes its code away.
void reportEscapesAtExit();

/// "%p" replaced.
std::string reportPath(std::string_view Pattern, int64_t Process);

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_EXITREPORT_H
