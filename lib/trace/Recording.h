//===- Recording.h - What one process left behind -------------------------===//
//
// Part of kplan. A recording is a text file of events (Event.h) that a process
// appended to. It may end in the middle of a line, where the process died.
// Those of all processes of a command, one behind the other, are one file too.
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

/// 10 million events.
inline constexpr size_t LargestRecording = size_t(1) << 30;

/// The events in order. An error names the line; a last line without an end is
/// dropped. \p Path is for errors only.
Result<std::vector<Event>> parseRecording(std::string_view Text,
                                          const std::string &Path);

Result<std::vector<Event>> readRecording(const std::string &Path);

/// Of each process that such a file holds.
Result<std::vector<std::vector<Event>>>
parseRecordings(std::string_view Text, const std::string &Path);
Result<std::vector<std::vector<Event>>> readRecordings(const std::string &Path);

/// Without what a last line without an end has: fit to be followed by others.
std::string_view wholeLines(std::string_view Recording);

/// Whether a file's first bytes are those of a recording.
bool isRecording(std::string_view Text);

} // namespace kplan::trace

#endif // KPLAN_TRACE_RECORDING_H
