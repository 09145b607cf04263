//===- TimedEvents.h - Calls, with their times ----------------------------===//
//
// Part of kplan. With KPLAN_TRACE_TIMES a recording also tells when things
// happened: each hooked call, and what kplan itself did. These make the events.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_TIMEDEVENTS_H
#define KPLAN_RUNTIME_RECORD_TIMEDEVENTS_H

#include "Milestones.h"
#include "record/Subject.h"
#include "trace/Event.h"

namespace kplan::runtime::record {

/// The system's number of the calling thread.
uint64_t threadNumber();

/// After the call; times, stream and what was in flight are left to the caller.
trace::CallEvent callEvent(const hooks::DriverCall &Call, const Subject &What,
                           CUresult Result);

trace::ThreadEvent thisThread();
trace::StreamEvent streamEvent(unsigned Number, CUstream Stream);
trace::PrimeEvent primeEvent(uint64_t Began, const kplan_report &Report);
trace::EscapeEvent escapeEvent(uint64_t Began, const Escape &E);

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_TIMEDEVENTS_H
