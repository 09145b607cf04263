//===- Recorder.h - Write down what a program does ------------------------===//
//
// Part of kplan. The observer behind `kplan trace`: it appends what a plan is
// made of to a recording (trace/Event.h) and keeps images in the plan's store.
//
//   KPLAN_TRACE=FOLDER        where recordings go; set by kplan trace
//   KPLAN_TRACE_STORE=FOLDER  the plan's folder; unset: no image is kept
//   KPLAN_TRACE_TIMES=1       every hooked call is recorded, with its time
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_RECORDER_H
#define KPLAN_RUNTIME_RECORD_RECORDER_H

namespace kplan::runtime::record {

/// Starts it where the environment asks for it; allocates nothing. It must hear
/// of calls that another observer answers, so add it before such.
void addRecorder();

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_RECORDER_H
