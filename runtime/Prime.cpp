//===- Prime.cpp - Execute a plan on one device ---------------------------===//

#include "Prime.h"

#include "DeviceServices.h"
#include "Limits.h"
#include "LocalMemory.h"
#include "OwnKernel.h"
#include "Worklist.h"

#include <algorithm>
#include <iterator>
#include <optional>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// How much less device memory is free than before.
class MemoryMeter {
public:
  explicit MemoryMeter(const DriverApi &Api) : Api(Api), Before(freeBytes()) {}

  uint64_t taken() const {
    uint64_t Now = freeBytes();
    return Now < Before ? Before - Now : 0;
  }

private:
  uint64_t freeBytes() const {
    size_t Free = 0, Total = 0;
    return Api.MemGetInfo(&Free, &Total) == CUDA_SUCCESS ? Free : 0;
  }

  const DriverApi &Api;
  uint64_t Before;
};

void append(std::vector<std::string> &To, std::vector<std::string> &&From) {
  std::move(From.begin(), From.end(), std::back_inserter(To));
}

/// The entry for a context, made where it is new. A context without an id
/// gets an entry that no later priming finds.
PrimedContext &entryFor(std::vector<PrimedContext> &Primed,
                        const PrimeContext &Context) {
  // A device has one primary context: what was in an earlier one is gone.
  if (Context.kind() != ContextKind::Private)
    std::erase_if(Primed, [&](const PrimedContext &C) {
      return C.Kind != ContextKind::Private && C.Device == Context.device() &&
             C.HomeId != Context.homeId();
    });
  for (PrimedContext &C : Primed)
    if (C.HomeId && C.HomeId == Context.homeId())
      return C;
  PrimedContext &C = Primed.emplace_back();
  C.HomeId = Context.homeId();
  C.Kind = Context.kind();
  C.Device = Context.device();
  return C;
}

/// One priming, once there is a context and a worklist.
class Priming {
public:
  Priming(const DriverApi &Api, const PrimeContext &Context,
          const PrimeOptions &Options, PrimedContext &Memory,
          kplan_report &Report)
      : Api(Api), Context(Context), Options(Options), Memory(Memory),
        Report(Report) {}

  void run(Worklist &Work, const Limits &Planned) {
    RelaxedCapture Relaxed(Api);
    MemoryMeter Meter(Api);

    append(Report.Missing, std::move(Work.Missing));
    append(Report.Warnings, std::move(Work.Warnings));
    Report.NotCovered = Work.NotCovered;

    LimitCheck Check = checkLimits(Api, Planned);
    append(Report.Warnings, std::move(Check.Warnings));
    Work.Printf &= !Check.HoldPrintf;
    Work.Malloc &= !Check.HoldMalloc;

    Residency Code = bringCode(Work);
    startServices(Work);
    reserveLocal(Code);
    Report.DeviceBytes = Meter.taken();
  }

private:
  Residency bringCode(const Worklist &Work) {
    ResidencyTarget Target{Context.context(), Context.device(),
                           Options.Attributes, Options.Threads};
    Residency Code = makeResident(Api, Target, Work.Images, Memory.Caches);
    Report.Libraries = Code.Libraries;
    Report.Functions = Code.Functions;
    Report.Attributes = Code.Attributes.Set;
    Report.Unchanged = Code.Attributes.Unchanged;
    Report.Globals = Code.Globals;
    append(Report.Missing, std::move(Code.Missing));

    auto &Known = Memory.Resident;
    Known.insert(Known.end(), Code.Resident.begin(), Code.Resident.end());
    std::sort(Known.begin(), Known.end());
    Known.erase(std::unique(Known.begin(), Known.end()), Known.end());
    return Code;
  }

  void startServices(const Worklist &Work) {
    start(Work.Printf, Memory.Printf, startPrintf,
          "the printf buffer is not started, so the first kernel with printf "
          "or assert may stall: ");
    start(Work.Malloc, Memory.Malloc, startMalloc,
          "the device heap is not started, so the first kernel with malloc may "
          "stall: ");
  }

  void start(bool Wanted, bool &Started, Outcome (*Start)(OwnStream &),
             const char *Complaint) {
    if (!Wanted || Started)
      return;
    if (Outcome O = Start(stream()))
      Started = true;
    else
      Report.Warnings.push_back(Complaint + O.why());
  }

  void reserveLocal(const Residency &Code) {
    if (Code.LocalBytes > Memory.LocalBytes) {
      std::string Complaint =
          "local memory is not reserved, so the first launch of " +
          Code.LocalSymbol + " (" + std::to_string(Code.LocalBytes) +
          " bytes a thread) may stall: ";
      if (!Options.LocalMemory) {
        Report.Warnings.push_back(Complaint + "switched off");
        return;
      }
      MemoryMeter Meter(Api);
      if (Outcome O = reserveLocalMemory(Api, stream(), Code.LocalBytes)) {
        Memory.LocalBytes = Code.LocalBytes;
        Report.LocalDeviceBytes = Meter.taken();
      } else {
        Report.Warnings.push_back(Complaint + O.why());
      }
    }
    Report.LocalBytes = Memory.LocalBytes;
  }

  /// Made when the first service needs it, in the context that is primed.
  OwnStream &stream() {
    if (!Stream)
      Stream.emplace(Api);
    return *Stream;
  }

  const DriverApi &Api;
  const PrimeContext &Context;
  const PrimeOptions &Options;
  PrimedContext &Memory;
  kplan_report &Report;
  std::optional<OwnStream> Stream;
};

} // namespace

kplan_status kplan::runtime::prime(
    const DriverApi &Api, const std::vector<RegisteredImage> &Registered,
    const Plan *P, const PrimeOptions &Options,
    std::vector<PrimedContext> &Primed, kplan_report &Report) {
  PrimeContext Context(Api, Options.Device,
                       Registered.empty() ? nullptr : Registered.front().Unit);
  if (Context.error()) {
    Report.Failure = Context.error()->Message;
    if (!Context.error()->Hint.empty())
      Report.Failure += " (" + Context.error()->Hint + ")";
    return Context.status();
  }
  Report.Device = Context.device();
  if (Registered.empty())
    Report.Warnings.push_back("no kernel is registered: programs and shared "
                              "libraries with device code link kplan::runtime");

  Worklist Work = makeWorklist(Registered, P);
  PrimedContext &Memory = entryFor(Primed, Context);
  Priming(Api, Context, Options, Memory, Report)
      .run(Work, P ? P->Limits : Limits{});
  return Options.Strict && !Report.Missing.empty() ? KPLAN_ERROR_MISSING
                                                   : KPLAN_OK;
}
