//===- Timeline.h - What a recording tells, by time -----------------------===//
//
// Part of kplan. Recordings with times (kplan trace --record) as lists of calls
// by process, with names in place of handles. Holds what was recorded and
// nothing else; what follows from several events together (which launch was the
// last on a busy stream) says so.
//
// Times are nanoseconds of the host's CLOCK_MONOTONIC since the first recorded
// moment.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_REPORT_TIMELINE_H
#define KPLAN_REPORT_TIMELINE_H

#include "plan/Diagnostic.h"
#include "trace/Event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kplan::report {

/// Each text once, by number.
class Names {
public:
  uint32_t add(const std::string &Name);
  const std::string &operator[](uint32_t Number) const { return All[Number]; }
  const std::vector<std::string> &all() const { return All; }

private:
  std::vector<std::string> All;
  std::unordered_map<std::string, uint32_t> Numbers;
};

struct Call {
  uint64_t Begin = 0;
  uint64_t Nanoseconds = 0;
  uint32_t Api = 0;     ///< Of the timeline's names, as the next three.
  uint32_t Purpose = 0; ///< "launch", "load", ...
  /// A kernel's or variable's symbol, an image; empty: about none.
  uint32_t Subject = 0;
  uint32_t Error = 0;  ///< Empty: it succeeded.
  uint32_t Thread = 0; ///< Place in the process' threads.
  uint32_t Stream = 0; ///< As recorded: from 1; 0: none.
  bool First = false;  ///< Nothing like it was seen in the process before.
  bool Stall = false;  ///< It waited while other streams worked.
  bool Behind = false; ///< A stall behind another thread's first use.
  bool Escape = false; ///< A first use after the seal.
  std::vector<uint32_t> InFlight; ///< Streams that were busy when it began.

  uint64_t end() const { return Begin + Nanoseconds; }
};

struct Thread {
  uint64_t Number = 0; ///< The system's.
  std::string Name;    ///< May be empty.
};

struct Stream {
  uint64_t Number = 0;
  bool Default = false;
  uint64_t Device = 0;
};

struct Priming {
  uint64_t Begin = 0;
  uint32_t Thread = 0;
  trace::PrimeEvent What;
};

struct Seal {
  uint64_t At = 0;
  bool Ends = false;
};

struct EscapeNote {
  trace::EscapeEvent What;
  std::optional<uint64_t> Begin; ///< None: it was only found to have happened.
};

struct Process {
  uint64_t Id = 0;
  std::string Program; ///< Its path.
  uint64_t Begin = 0;
  trace::DriverEvent Driver;
  std::vector<trace::DeviceEvent> Devices;
  std::vector<Thread> Threads;
  std::vector<Stream> Streams;
  std::vector<Call> Calls; ///< By their begin.
  std::vector<Priming> Primings;
  std::vector<Seal> Seals;
  std::vector<EscapeNote> Escapes;

  /// The last launch on a stream that began before a time; null: none was
  /// recorded. That it is what ran then follows from nothing that was recorded.
  const Call *lastLaunchOn(uint64_t Stream, uint64_t Before) const;
  std::string programName() const; ///< Without folders.
};

struct Timeline {
  std::vector<Process> Processes; ///< By their begin.
  Names Words;                    ///< The first is empty.
  uint64_t Duration = 0; ///< From the first recorded moment to the last.
  uint64_t Date =
      0; ///< Of the first recorded moment; ns since 1970; 0: unknown.
  size_t NumCalls = 0;

  /// Whether a device was kplan's stand-in, which simulates one.
  bool isSimulated() const;
};

/// An error where nothing has a time.
Result<Timeline>
timelineOf(const std::vector<std::vector<trace::Event>> &Recordings);

} // namespace kplan::report

#endif // KPLAN_REPORT_TIMELINE_H
