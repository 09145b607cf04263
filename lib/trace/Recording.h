//===- Recording.h - What one process left behind -------------------------===//
//
// Part of kplan. A recording is a text file of events (Event.h) that a process
// appended to. It may end in the middle of a line, where the process died.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_TRACE_RECORDING_H
#define KPLAN_TRACE_RECORDING_H

#include "plan/Diagnostic.h"
#include "trace/Event.h"

#include <string>
#include <string_view>
#include <vector>

namespace kplan::trace {

/// The end of a recording's file name.
inline constexpr std::string_view RecordingSuffix = ".recording";

/// The events in order. An error names the line; a last line without an end is
/// dropped. \p Path is for errors only.
Result<std::vector<Event>> parseRecording(std::string_view Text,
                                          const std::string &Path);

Result<std::vector<Event>> readRecording(const std::string &Path);

} // namespace kplan::trace

#endif // KPLAN_TRACE_RECORDING_H
