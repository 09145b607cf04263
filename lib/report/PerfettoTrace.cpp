//===- PerfettoTrace.cpp - A timeline for other viewers -------------------===//

#include "report/PerfettoTrace.h"

#include "plan/Demangle.h"
#include "plan/Text.h"
#include "report/PageData.h"

#include <cstdio>
#include <map>
#include <set>

namespace kplan::report {

namespace {

/// Tracks of streams, beyond the numbers of threads.
constexpr uint64_t FirstStreamTrack = 1000000000;

std::string microseconds(uint64_t Nanoseconds) {
  char Text[48];
  std::snprintf(Text, sizeof Text, "%llu.%03llu",
                static_cast<unsigned long long>(Nanoseconds / 1000),
                static_cast<unsigned long long>(Nanoseconds % 1000));
  return Text;
}

class TraceWriter {
public:
  void addSide(const std::string &Label, const Timeline &T);
  std::string finish();

private:
  void addProcess(const std::string &Label, const Timeline &T,
                  const Process &P);
  void addCall(const Timeline &T, const Process &P, const Call &C);
  void nameTrack(const char *What, uint64_t Track, const std::string &Name);
  /// Begins an event of the current process; end it with "}".
  std::string &begin(const char *Phase, uint64_t Track,
                     const std::string &Name);
  void addSpan(uint64_t Track, const std::string &Name, uint64_t Begin,
               uint64_t Nanoseconds, const std::string &Category,
               const std::string &Arguments);

  std::string Text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  bool First = true;
  uint64_t Pid = 0;
  std::set<uint64_t> Pids;
  std::map<uint64_t, uint64_t> EndOfTrack; ///< Of the current process.
  bool Simulated = false;
};

} // namespace

std::string &TraceWriter::begin(const char *Phase, uint64_t Track,
                                const std::string &Name) {
  Text += First ? "\n" : ",\n";
  First = false;
  Text += "{\"ph\":\"" + std::string(Phase) +
          "\",\"pid\":" + std::to_string(Pid) +
          ",\"tid\":" + std::to_string(Track);
  return Text += ",\"name\":" + jsonString(Name);
}

void TraceWriter::nameTrack(const char *What, uint64_t Track,
                            const std::string &Name) {
  begin("M", Track, What) += ",\"args\":{\"name\":" + jsonString(Name) + "}}";
}

void TraceWriter::addSpan(uint64_t Track, const std::string &Name,
                          uint64_t Begin, uint64_t Nanoseconds,
                          const std::string &Category,
                          const std::string &Arguments) {
  // Spans of one track must not cross: one that does is a moment.
  uint64_t &End = EndOfTrack[Track];
  const bool Crosses = Begin < End && Begin + Nanoseconds > End;
  End = std::max(End, Begin + Nanoseconds);
  begin(Crosses ? "i" : "X", Track, Name) +=
      ",\"ts\":" + microseconds(Begin) + ",\"cat\":" + jsonString(Category);
  Text += Crosses ? ",\"s\":\"t\"" : ",\"dur\":" + microseconds(Nanoseconds);
  Text += ",\"args\":{" + Arguments + "}}";
}

void TraceWriter::addCall(const Timeline &T, const Process &P, const Call &C) {
  const std::string &Api = T.Words[C.Api];
  std::string Arguments = "\"ns\":" + std::to_string(C.Nanoseconds);
  auto Add = [&](const char *Key, const std::string &Value) {
    Arguments += ",\"" + std::string(Key) + "\":" + Value;
  };
  if (C.Subject) {
    Add("subject", jsonString(T.Words[C.Subject]));
    if (std::string Name = demangle(T.Words[C.Subject]);
        Name != T.Words[C.Subject])
      Add("name", jsonString(Name));
  }
  if (C.Error)
    Add("error", jsonString(T.Words[C.Error]));
  for (auto [Key, Holds] :
       {std::pair{"first", C.First}, std::pair{"stall", C.Stall},
        std::pair{"behind_other_thread", C.Behind},
        std::pair{"escape", C.Escape}})
    if (Holds)
      Add(Key, "true");
  std::string Streams;
  for (uint32_t Number : C.InFlight)
    Streams += (Streams.empty() ? "" : ", ") + nameOfStream(P, Number);
  if (!Streams.empty())
    Add("in_flight", jsonString(Streams));
  std::string Category = T.Words[C.Purpose];
  if (C.Stall)
    Category += ",stall";
  if (C.Escape)
    Category += ",escape";
  addSpan(P.Threads[C.Thread].Number, Api, C.Begin, C.Nanoseconds, Category,
          Arguments);
  if (C.Stream)
    addSpan(FirstStreamTrack + C.Stream,
            C.Subject ? demangle(T.Words[C.Subject]) : Api, C.Begin,
            C.Nanoseconds, Category, Arguments);
}

void TraceWriter::addProcess(const std::string &Label, const Timeline &T,
                             const Process &P) {
  Pid = P.Id;
  while (!Pids.insert(Pid).second)
    ++Pid;
  EndOfTrack.clear();
  nameTrack("process_name", 0,
            P.programName() + " (" + std::to_string(P.Id) + ")" +
                (Label.empty() ? "" : ", " + Label));
  for (const Thread &Of : P.Threads)
    nameTrack("thread_name", Of.Number, nameOfThread(Of));
  for (const Stream &S : P.Streams)
    nameTrack("thread_name", FirstStreamTrack + S.Number,
              nameOfStream(P, S.Number) + ": calls made for it");
  for (const Call &C : P.Calls)
    addCall(T, P, C);
  for (const Priming &R : P.Primings)
    addSpan(P.Threads[R.Thread].Number, "kplan primes", R.Begin,
            R.What.Nanoseconds, "kplan",
            "\"libraries\":" + std::to_string(R.What.Libraries) +
                ",\"functions\":" + std::to_string(R.What.Functions));
  for (const Seal &S : P.Seals)
    begin("i", 0, S.Ends ? "seal ends" : "seal") +=
        ",\"ts\":" + microseconds(S.At) + ",\"s\":\"p\",\"cat\":\"kplan\"}";
}

void TraceWriter::addSide(const std::string &Label, const Timeline &T) {
  Simulated |= T.isSimulated();
  for (const Process &P : T.Processes)
    addProcess(Label, T, P);
}

std::string TraceWriter::finish() {
  Text +=
      "\n],\"otherData\":{\"producer\":" + jsonString("kplan " KPLAN_VERSION) +
      ",\"clock\":\"CLOCK_MONOTONIC of the host, from the first recorded "
      "moment of each recording\"";
  if (Simulated)
    Text += ",\"device\":\"simulated by kplan's stand-in driver\"";
  return std::move(Text += "}}\n");
}

std::string perfettoTrace(
    const std::vector<std::pair<std::string, const Timeline *>> &Sides) {
  TraceWriter Writer;
  for (const auto &[Label, T] : Sides)
    Writer.addSide(Label, *T);
  return Writer.finish();
}

} // namespace kplan::report
