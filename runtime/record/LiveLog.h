//===- LiveLog.h - Sets and gets, as they happen --------------------------===//
//
// Part of kplan. An observer that writes a line to standard error for each
// attribute or cache config of a kernel that is set or asked for: what
// `kplan trace --live` shows.
//
//   KPLAN_TRACE_LIVE=NANOSECONDS   on; when the trace began, by the clock that
//                                  Clock.h reads
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_LIVELOG_H
#define KPLAN_RUNTIME_RECORD_LIVELOG_H

namespace kplan::runtime::record {

/// Starts it where the environment asks for it; allocates nothing.
void addLiveLog();

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_LIVELOG_H
