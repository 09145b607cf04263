//===- Recorder.cpp - Write down what a program does ----------------------===//

#include "record/Recorder.h"

#include "hooks/HookObserver.h"
#include "hooks/LineBuffer.h"
#include "record/Clock.h"
#include "record/EventWriter.h"
#include "record/HandleTable.h"
#include "record/Journal.h"
#include "record/LoadedImage.h"
#include "record/SeenSet.h"
#include "record/StreamWatch.h"
#include "record/Subject.h"
#include "record/TimedEvents.h"

#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace kplan;
using namespace kplan::runtime;
using namespace kplan::runtime::hooks;
using namespace kplan::runtime::record;

namespace {

/// A call that takes longer waits for something, if something runs.
constexpr uint64_t StallNanoseconds = 1000000;

/// A call that may be a first use, from before() to after().
struct CloseLook {
  uint64_t Started = 0;
  std::vector<std::string> InFlight;
  unsigned Stream = 0;
  bool First = false; ///< Nothing like it was seen before.
};

// The memory of a call: a CloseLook's address, which is even; or an odd number
// with the time at which a call began that was seen before, and whether another
// thread's first use was waited for; or 0: nothing more is asked of it.
uint64_t rememberTime(uint64_t Nanoseconds, bool Waiting) {
  return Nanoseconds << 2 | static_cast<uint64_t>(Waiting) << 1 | 1;
}

class Recorder final : public HookObserver, public MilestoneListener {
public:
  const char *name() const override { return "recorder"; }
  bool start();

  std::optional<CUresult> before(const DriverCall &Call,
                                 uint64_t &Memory) override;
  void after(const DriverCall &Call, CUresult Result,
             uint64_t &Memory) override;

  void primed(uint64_t Began, const kplan_report &Report) override {
    process().File.append(primeEvent(Began, Report));
  }
  void sealed(bool Now) override {
    process().File.append(trace::SealEvent{now(), !Now});
  }
  void escaped(uint64_t Began, const Escape &E) override {
    process().File.append(escapeEvent(Began, E));
  }

private:
  /// What there is once a process.
  struct Process {
    explicit Process(const char *Folder, const char *PlanFolder)
        : File(Folder), Images(PlanFolder) {}
    Journal File;
    ImageKeeper Images;
    HandleTable Handles;
    StreamWatch Streams;
  };
  Process &process();
  void prepare(const DriverCall &Call, Process &P);
  unsigned noteStream(Process &P, const Subject &What);
  void recordStall(Process &P, const DriverCall &Call, const Subject &What,
                   uint64_t Taken, const CloseLook &Look, bool Behind);
  /// With times: each call.
  void recordCall(Process &P, const DriverCall &Call, CUresult Result,
                  uint64_t Taken, const CloseLook &Look, bool Behind);

  char Folder[PATH_MAX] = {};
  char PlanFolder[PATH_MAX] = {}; ///< Empty: no image is kept.
  bool Times = false;
  std::atomic<Process *> Current = nullptr;
  SeenSet Seen;
  /// Calls that may wait for other streams and have not returned yet.
  std::atomic<unsigned> Waiting = 0;
};

constinit Recorder TheRecorder;

bool copyVariable(const char *Name, char (&To)[PATH_MAX]) {
  const char *Value = secure_getenv(Name);
  size_t Length = Value ? std::strlen(Value) : 0;
  if (Length == 0 || Length >= sizeof To)
    return false;
  std::memcpy(To, Value, Length + 1);
  return true;
}

} // namespace

bool Recorder::start() {
  if (!copyVariable("KPLAN_TRACE", Folder))
    return false;
  copyVariable("KPLAN_TRACE_STORE", PlanFolder);
  char Word[PATH_MAX];
  Times = copyVariable("KPLAN_TRACE_TIMES", Word);
  if (Times)
    setMilestoneListener(*this);
  return true;
}

Recorder::Process &Recorder::process() {
  Process *P = Current.load(std::memory_order_acquire);
  if (P && P->File.isOfThisProcess())
    return *P;
  // The first event, or the first after a fork: another thread of the parent
  // may have held any of the locks, so that nothing of it is used or freed.
  if (P)
    Seen.clear();
  auto Mine = std::make_unique<Process>(Folder, PlanFolder);
  if (Current.compare_exchange_strong(P, Mine.get()))
    return *Mine.release();
  // Another thread was first; the empty recording says nothing.
  return *P;
}

/// What must be written down or forgotten before the driver acts.
void Recorder::prepare(const DriverCall &Call, Process &P) {
  trace::UnloadEvent Unload;
  if (auto *A = Call.as<LibraryUnloadArguments>()) {
    Unload.By = "library";
    Unload.Handle = numberOf(A->library);
  } else if (auto *B = Call.as<ModuleUnloadArguments>()) {
    Unload.By = "module";
    Unload.Handle = numberOf(B->hmod);
  }
  if (Unload.Handle) {
    P.File.append(Unload);
    P.Handles.forgetOwner(Unload.Handle, Seen);
    return;
  }
  if (auto *A = Call.as<StreamDestroyArguments>()) {
    P.Streams.forget(A->hStream);
    Seen.erase(keyOf(Fact::Stream, A->hStream));
  } else if (Call.as<StreamBeginCaptureArguments>() ||
             Call.as<StreamBeginCapture_v2Arguments>() ||
             Call.as<StreamBeginCaptureToGraphArguments>()) {
    P.Streams.beginCapture();
  } else if (endsContext(Call)) {
    P.Streams.forgetAll();
    P.Handles.forgetAll();
    Seen.clear();
  }
}

std::optional<CUresult> Recorder::before(const DriverCall &Call,
                                         uint64_t &Memory) {
  const Subject What = subjectOf(Call);
  if (What.Ignored)
    return std::nullopt;
  if (What.Key && Seen.contains(What.Key) &&
      (!What.StreamKey || Seen.contains(What.StreamKey))) {
    // It may have to wait for another thread's first use.
    const bool MayWait = Waiting.load(std::memory_order_relaxed) != 0;
    if (MayWait || Times)
      Memory = rememberTime(now(), MayWait);
    return std::nullopt;
  }
  Process &P = process();
  auto Look = std::make_unique<CloseLook>();
  if (What.StreamKey) {
    Look->Stream = noteStream(P, What);
    Seen.insert(What.StreamKey);
  }
  prepare(Call, P);
  Look->InFlight = P.Streams.busy(Look->Stream);
  if (!Look->InFlight.empty())
    Waiting.fetch_add(1);
  Look->Started = now();
  Memory = reinterpret_cast<uintptr_t>(Look.release());
  return std::nullopt;
}

void Recorder::after(const DriverCall &Call, CUresult Result,
                     uint64_t &Memory) {
  if (!Memory)
    return;
  if (Memory & 1) {
    CloseLook Look;
    Look.Started = Memory >> 2;
    const uint64_t Taken = now() - Look.Started;
    const bool Behind = (Memory & 2) != 0 && Taken >= StallNanoseconds;
    if (Times)
      recordCall(process(), Call, Result, Taken, Look, Behind);
    if (Behind)
      recordStall(process(), Call, subjectOf(Call), Taken, {}, true);
    return;
  }
  std::unique_ptr<CloseLook> Look(reinterpret_cast<CloseLook *>(Memory));
  uint64_t Taken = now() - Look->Started;
  if (!Look->InFlight.empty())
    Waiting.fetch_sub(1);

  Process &P = process();
  const Subject What = subjectOf(Call);
  Look->First = What.Key ? !Seen.contains(What.Key)
                         : Call.info().Purpose == Purpose::Load;
  EventWriter Writer(P.File, P.Images, P.Handles, Seen);
  if (Result == CUDA_SUCCESS) {
    Writer.write(Call);
    if (What.Key && Seen.insert(What.Key))
      P.Handles.noteKey(numberOf(What.Kernel ? What.Kernel : What.Owner),
                        What.Key);
  } else {
    Writer.writeFailed(Call);
  }
  if (Call.as<StreamEndCaptureArguments>() ||
      (Result != CUDA_SUCCESS &&
       (Call.as<StreamBeginCaptureArguments>() ||
        Call.as<StreamBeginCapture_v2Arguments>() ||
        Call.as<StreamBeginCaptureToGraphArguments>())))
    P.Streams.endCapture();
  if (Times)
    recordCall(P, Call, Result, Taken, *Look, false);
  if (Taken >= StallNanoseconds && !Look->InFlight.empty())
    recordStall(P, Call, What, Taken, *Look, false);
}

unsigned Recorder::noteStream(Process &P, const Subject &What) {
  bool IsNew = false;
  const unsigned Number = P.Streams.note(What.Stream, IsNew);
  if (IsNew && Times)
    P.File.append(streamEvent(Number, What.Stream));
  return Number;
}

void Recorder::recordCall(Process &P, const DriverCall &Call, CUresult Result,
                          uint64_t Taken, const CloseLook &Look, bool Behind) {
  const Subject What = subjectOf(Call);
  trace::CallEvent E = callEvent(Call, What, Result);
  E.At = Look.Started;
  E.Nanoseconds = Taken;
  E.Stream = What.StreamKey ? noteStream(P, What) : 0;
  E.First = Look.First;
  E.InFlight = Look.InFlight;
  E.Behind = Behind;
  E.Stall = Behind || (Taken >= StallNanoseconds && !Look.InFlight.empty());
  std::string Lines;
  if (Seen.insert(keyOf(Fact::Thread, E.Thread)))
    Lines = trace::encode(thisThread());
  P.File.append(Lines + trace::encode(E));
}

void Recorder::recordStall(Process &P, const DriverCall &Call,
                           const Subject &What, uint64_t Taken,
                           const CloseLook &Look, bool Behind) {
  trace::StallEvent E;
  E.Api = Call.info().Symbol;
  E.Handle = numberOf(What.Kernel);
  E.Nanoseconds = Taken;
  E.Thread = threadNumber();
  E.Stream = Look.Stream;
  E.InFlight = Look.InFlight;
  E.Behind = Behind;
  P.File.append(E);
}

void kplan::runtime::record::addRecorder() {
  if (!TheRecorder.start())
    return;
  Purposes All;
  for (Purpose P : {Purpose::Load, Purpose::Unload, Purpose::Touch,
                    Purpose::Set, Purpose::Free, Purpose::Launch,
                    Purpose::Context, Purpose::Graph, Purpose::Limit})
    All = All | P;
  if (!addObserver(TheRecorder, All))
    (LineBuffer() << "cannot trace: there are too many observers").write();
}
