//===- Timeline.cpp - What a recording tells, by time ---------------------===//

#include "report/Timeline.h"

#include "trace/HandleMap.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace kplan::report {

uint32_t Names::add(const std::string &Name) {
  auto [Place, New] =
      Numbers.try_emplace(Name, static_cast<uint32_t>(All.size()));
  if (New)
    All.push_back(Name);
  return Place->second;
}

namespace {

constexpr uint64_t Never = std::numeric_limits<uint64_t>::max();

/// Follows the events of one process.
class ProcessReader {
public:
  ProcessReader(Names &Words, uint64_t Zero) : Words(Words), Zero(Zero) {}

  void operator()(const trace::ProcessEvent &E) {
    Out.Id = E.Id;
    Out.Program = E.Program;
    Out.Begin = since(E.At);
  }
  void operator()(const trace::DriverEvent &E) { Out.Driver = E; }
  void operator()(const trace::DeviceEvent &E) { Out.Devices.push_back(E); }
  void operator()(const trace::LoadEvent &E) {
    Handles.add(E);
    Images.push_back(describe(E));
  }
  void operator()(const trace::UnloadEvent &E) {
    if (auto Load = Handles.apply(E))
      Unloaded = {E.Handle, *Load};
  }
  void operator()(const trace::ModuleEvent &E) { Handles.add(E); }
  void operator()(const trace::KernelEvent &E) { Handles.add(E); }
  void operator()(const trace::FunctionEvent &E) { Handles.add(E); }
  void operator()(const trace::ThreadEvent &E) {
    Out.Threads[threadOf(E.Number)].Name = E.Name;
  }
  void operator()(const trace::StreamEvent &E) {
    Out.Streams.push_back({E.Number, E.Default != 0, E.Device});
  }
  void operator()(const trace::CallEvent &E);
  void operator()(const trace::PrimeEvent &E) {
    Out.Primings.push_back({since(E.At), threadOf(E.Thread), E});
  }
  void operator()(const trace::SealEvent &E) {
    Out.Seals.push_back({since(E.At), E.Unseal != 0});
  }
  void operator()(const trace::EscapeEvent &E) {
    Out.Escapes.push_back(
        {E, E.At ? std::optional(since(E.At)) : std::nullopt});
  }
  /// What only a plan needs.
  template <class Other> void operator()(const Other &) {}

  Process finish();

private:
  uint64_t since(uint64_t At) const { return At > Zero ? At - Zero : 0; }
  uint32_t threadOf(uint64_t Number);
  static std::string describe(const trace::LoadEvent &E);
  std::string subjectOf(const trace::CallEvent &E) const;

  Names &Words;
  const uint64_t Zero;
  trace::HandleMap Handles;
  std::vector<std::string> Images; ///< By load.
  std::pair<uint64_t, size_t> Unloaded = {0, 0};
  std::unordered_map<uint64_t, uint32_t> Threads;
  Process Out;
};

} // namespace

uint32_t ProcessReader::threadOf(uint64_t Number) {
  auto [Place, New] =
      Threads.try_emplace(Number, static_cast<uint32_t>(Out.Threads.size()));
  if (New)
    Out.Threads.push_back({Number, ""});
  return Place->second;
}

/// "xxh3:9f... in libfoo.so", or what there is.
std::string ProcessReader::describe(const trace::LoadEvent &E) {
  const std::string File = E.File.substr(E.File.rfind('/') + 1);
  if (E.Image.empty())
    return "an image that is not known";
  return File.empty() ? E.Image : E.Image + " in " + File;
}

std::string ProcessReader::subjectOf(const trace::CallEvent &E) const {
  if (!E.Symbol.empty())
    return E.Symbol;
  if (E.Handle)
    if (const trace::KnownKernel *K = Handles.kernel(E.Handle))
      return K->Symbol;
  if (!E.Owner)
    return "";
  for (const char *By : {"library", "module"})
    if (auto Load = Handles.load(By, E.Owner))
      return Images[*Load];
  return E.Owner == Unloaded.first ? Images[Unloaded.second] : "";
}

void ProcessReader::operator()(const trace::CallEvent &E) {
  Call C;
  C.Begin = since(E.At);
  C.Nanoseconds = E.Nanoseconds;
  C.Api = Words.add(E.Api);
  C.Purpose = Words.add(E.Purpose);
  C.Subject = Words.add(subjectOf(E));
  C.Error = Words.add(E.Error);
  C.Thread = threadOf(E.Thread);
  C.Stream = static_cast<uint32_t>(E.Stream);
  C.First = E.First != 0;
  C.Behind = E.Behind != 0;
  // Loading that only unpacks waits for nothing, however long it takes.
  C.Stall = E.Stall && (C.Behind || !trace::onlyUnpacks(Out.Driver, E.Api));
  for (const std::string &Text : E.InFlight) {
    uint32_t Number = 0;
    std::from_chars(Text.data(), Text.data() + Text.size(), Number);
    if (Number)
      C.InFlight.push_back(Number);
  }
  Out.Calls.push_back(std::move(C));
}

Process ProcessReader::finish() {
  std::ranges::stable_sort(Out.Calls, {}, &Call::Begin);
  // An escape was timed within the call that it is.
  for (const EscapeNote &E : Out.Escapes) {
    if (!E.Begin)
      continue;
    auto After =
        std::ranges::upper_bound(Out.Calls, *E.Begin, {}, &Call::Begin);
    while (After != Out.Calls.begin()) {
      Call &C = *--After;
      if (Out.Threads[C.Thread].Number != E.What.Thread)
        continue;
      C.Escape |= Words[C.Api] == E.What.Api && *E.Begin <= C.end();
      break;
    }
  }
  return std::move(Out);
}

const Call *Process::lastLaunchOn(uint64_t Stream, uint64_t Before) const {
  auto After = std::ranges::lower_bound(Calls, Before, {}, &Call::Begin);
  while (After != Calls.begin())
    if ((--After)->Stream == Stream)
      return &*After;
  return nullptr;
}

std::string Process::programName() const {
  return Program.substr(Program.rfind('/') + 1);
}

bool Timeline::isSimulated() const {
  for (const Process &P : Processes)
    for (const trace::DeviceEvent &D : P.Devices)
      if (D.Name.find("stand-in") != std::string::npos)
        return true;
  return false;
}

/// When the recording begins; the first event tells.
static const trace::ProcessEvent *
beginOf(const std::vector<trace::Event> &Recording) {
  return Recording.empty()
             ? nullptr
             : std::get_if<trace::ProcessEvent>(&Recording.front());
}

/// The first moment of all; a process is written down within its first call.
static uint64_t zeroOf(const std::vector<std::vector<trace::Event>> &All) {
  uint64_t Zero = Never;
  auto Note = [&](uint64_t At) {
    if (At)
      Zero = std::min(Zero, At);
  };
  for (const std::vector<trace::Event> &Recording : All)
    for (const trace::Event &E : Recording) {
      if (auto *P = std::get_if<trace::ProcessEvent>(&E))
        Note(P->At);
      else if (auto *C = std::get_if<trace::CallEvent>(&E))
        Note(C->At);
      else if (auto *Prime = std::get_if<trace::PrimeEvent>(&E))
        Note(Prime->At);
    }
  return Zero == Never ? 0 : Zero;
}

Result<Timeline>
timelineOf(const std::vector<std::vector<trace::Event>> &Recordings) {
  Timeline Out;
  Out.Words.add("");
  const uint64_t Zero = zeroOf(Recordings);
  for (const std::vector<trace::Event> &Recording : Recordings) {
    ProcessReader Reader(Out.Words, Zero);
    for (const trace::Event &E : Recording)
      std::visit(Reader, E);
    Process P = Reader.finish();
    Out.NumCalls += P.Calls.size();
    for (const Call &C : P.Calls)
      Out.Duration = std::max(Out.Duration, C.end());
    for (const Seal &S : P.Seals)
      Out.Duration = std::max(Out.Duration, S.At);
    for (const Priming &R : P.Primings)
      Out.Duration = std::max(Out.Duration, R.Begin + R.What.Nanoseconds);
    if (auto *Begin = beginOf(Recording); Begin && Begin->Date && !Out.Date)
      Out.Date = Begin->Date - std::min(Begin->Date, Begin->At - Zero);
    Out.Processes.push_back(std::move(P));
  }
  if (!Out.NumCalls)
    return makeError("holds no call with a time",
                     "record with 'kplan trace --record' or 'kplan run "
                     "--record'");
  std::ranges::stable_sort(Out.Processes, {}, &Process::Begin);
  return Out;
}

} // namespace kplan::report
