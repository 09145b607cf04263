//===- Prime.cpp - Execute a plan on one device ---------------------------===//

#include "Prime.h"

#include "DeviceServices.h"
#include "Limits.h"
#include "LoadAhead.h"
#include "LoadedImages.h"
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
  if (C.Kind == ContextKind::Private)
    C.Context = Context.context();
  return C;
}

/// One priming, once there is a context.
class Priming {
public:
  Priming(const DriverApi &Api, const PrimeInput &Input,
          const PrimeContext &Context, const PrimeOptions &Options,
          PrimedContext &Memory, kplan_report &Report)
      : Api(Api), Input(Input), Context(Context), Options(Options),
        Memory(Memory), Report(Report) {}

  /// False: device memory ran out, and what was loaded ahead is given back.
  bool run() {
    RelaxedCapture Relaxed(Api);
    MemoryMeter Meter(Api);
    LimitCheck Check;
    if (Input.ThePlan)
      Check = Input.Loaded ? applyLimits(Api, Input.ThePlan->Limits)
                           : checkLimits(Api, Input.ThePlan->Limits);

    const uint64_t Before = Input.Loaded ? Input.Loaded->lastSerial() : 0;
    bool Enough = loadImages();
    Worklist Work = makeWork(0);
    append(Report.Warnings, std::move(Check.Warnings));
    Work.Printf &= !Check.HoldPrintf;
    Work.Malloc &= !Check.HoldMalloc;

    Residency Code;
    if (Enough) {
      Code = bringCode(Work);
      Enough = !Code.OutOfMemory || !Input.Loaded;
    }
    if (!Enough) {
      auto Entries = Input.Loaded->takeAhead(Before);
      giveBack(Api, Entries);
      Report.Failure = "device memory ran out";
      if (!Entries.empty())
        Report.Failure += ": " + std::to_string(Entries.size()) +
                          " images that were loaded ahead are given back";
      return false;
    }
    startServices(Work);
    reserveLocal(Code);
    Report.DeviceBytes = Meter.taken();
    return true;
  }

  void runLate() {
    RelaxedCapture Relaxed(Api);
    Worklist Work = makeWork(Memory.LoadedSerial);
    if (Work.Images.empty())
      return;
    reserveLocal(bringCode(Work));
  }

private:
  bool loadImages() {
    if (!Input.Loaded || !Input.ThePlan)
      return true;
    LoadTarget Target{Context.context(), Context.device(), Context.homeId(),
                      Options.Threads};
    LoadedAhead Done =
        loadAhead(Api, Target, *Input.ThePlan, Input.PlanFolder, *Input.Loaded);
    Report.Images = Done.Copies;
    append(Report.Missing, std::move(Done.Missing));
    append(Report.Warnings, std::move(Done.Warnings));
    return !Done.OutOfMemory;
  }

  /// \param After the entry of the code table behind which to begin.
  Worklist makeWork(uint64_t After) {
    std::vector<LoadedImage> Loaded;
    if (Input.Loaded) {
      // First: what is added from here on has not been looked at.
      Memory.LoadedSerial = Input.Loaded->lastSerial();
      Loaded = describeLoaded(Api, Input.Loaded->list(Context.homeId(), After),
                              *Input.Loaded, Input.ThePlan);
    }
    Worklist Work =
        makeWorklist(Input.Registered, Loaded, Input.ThePlan, Input.Complete);
    append(Report.Missing, std::move(Work.Missing));
    append(Report.Warnings, std::move(Work.Warnings));
    Report.NotCovered = Work.NotCovered;
    Report.Waiting = Work.Waiting;
    return Work;
  }

  Residency bringCode(Worklist &Work) {
    // What the program registered is loaded by asking for it, and then among
    // the loaded code as well: it is counted once.
    std::vector<ImageWork> Rest;
    if (Input.Loaded && !Input.Registered.empty()) {
      auto First = std::ranges::stable_partition(
          Work.Images, [](const ImageWork &I) { return I.Unit != nullptr; });
      std::ranges::move(First, std::back_inserter(Rest));
      Work.Images.erase(First.begin(), First.end());
    }
    Residency Code = bring(Work.Images);
    std::erase_if(Rest, [&](const ImageWork &I) {
      return std::ranges::find(Code.Resident, I.Code, &ResidentLibrary::Code) !=
             Code.Resident.end();
    });
    if (!Rest.empty()) {
      Residency More = bring(Rest);
      Code.OutOfMemory |= More.OutOfMemory;
      if (More.LocalBytes > Code.LocalBytes) {
        Code.LocalBytes = More.LocalBytes;
        Code.LocalSymbol = More.LocalSymbol;
      }
    }
    return Code;
  }

  Residency bring(const std::vector<ImageWork> &Images) {
    ResidencyTarget Target{Context.context(), Context.device(),
                           Options.Attributes, Options.Threads, Input.Loaded};
    Residency Code = makeResident(Api, Target, Images, Memory.Caches);
    Report.Libraries += Code.Libraries;
    Report.Functions += Code.Functions;
    Report.Attributes += Code.Attributes.Set;
    Report.Unchanged += Code.Attributes.Unchanged;
    Report.Globals += Code.Globals;
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
  const PrimeInput &Input;
  const PrimeContext &Context;
  const PrimeOptions &Options;
  PrimedContext &Memory;
  kplan_report &Report;
  std::optional<OwnStream> Stream;
};

} // namespace

kplan_status kplan::runtime::prime(const DriverApi &Api,
                                   const PrimeInput &Input,
                                   const PrimeOptions &Options,
                                   std::vector<PrimedContext> &Primed,
                                   kplan_report &Report) {
  PrimeContext Context(
      Api, Options.Device,
      Input.Registered.empty() ? nullptr : Input.Registered.front().Unit);
  if (Context.error()) {
    Report.Failure = Context.error()->Message;
    if (!Context.error()->Hint.empty())
      Report.Failure += " (" + Context.error()->Hint + ")";
    return Context.status();
  }
  Report.Device = Context.device();
  if (Input.Registered.empty() && !Input.Loaded)
    Report.Warnings.push_back("no kernel is registered: programs and shared "
                              "libraries with device code link kplan::runtime");

  PrimedContext &Memory = entryFor(Primed, Context);
  if (!Priming(Api, Input, Context, Options, Memory, Report).run())
    return KPLAN_ERROR_DRIVER;
  return Options.Strict && !Report.Missing.empty() ? KPLAN_ERROR_MISSING
                                                   : KPLAN_OK;
}

void kplan::runtime::primeLate(const DriverApi &Api, const PrimeInput &Input,
                               const PrimeOptions &Options,
                               const PrimeContext &Context,
                               PrimedContext &Memory, kplan_report &Report) {
  Report.Device = Context.device();
  Priming(Api, Input, Context, Options, Memory, Report).runLate();
}
