//===- CApi.cpp - The functions of kplan.h --------------------------------===//
//
// Part of kplan. The edge to the program: arguments are checked, exceptions
// end here, locks are taken here.
//
//===----------------------------------------------------------------------===//

#include "kplan/kplan.h"

#include "Environment.h"
#include "ExitReport.h"
#include "Log.h"
#include "Milestones.h"
#include "PlanLoader.h"
#include "Prime.h"
#include "Process.h"

#include <algorithm>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// Runs the body of a function that does something: nothing when switched off,
/// and no exception gets out.
template <typename F> kplan_status guarded(const char *Name, F Body) {
  try {
    const Environment &E = environment();
    if (E.Disabled)
      return KPLAN_OK;
    for (const std::string &Complaint : E.Complaints)
      logOnce(Complaint);
    return Body();
  } catch (abi::__forced_unwind &) {
    throw; // The thread is being cancelled; stopping that would end us all.
  } catch (const std::bad_alloc &) {
    return KPLAN_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception &E) {
    try {
      logOnce(std::string(Name) + ": " + E.what());
    } catch (const std::bad_alloc &) {
    }
    return KPLAN_ERROR_INTERNAL;
  } catch (...) {
    return KPLAN_ERROR_INTERNAL;
  }
}

std::string describe(const std::vector<Diagnostic> &Errors) {
  std::string Text;
  for (const Diagnostic &D : Errors)
    Text += format(D);
  while (!Text.empty() && Text.back() == '\n')
    Text.pop_back();
  return Text;
}

void logRegistrations(const std::vector<RegisteredImage> &Images) {
  if (!environment().Verbose)
    return;
  logVerbose("images registered: " + std::to_string(Images.size()));
  for (const RegisteredImage &I : Images) {
    logVerbose("image " + std::to_string(I.Serial) + ": kernels " +
               std::to_string(I.Kernels.size()) + ", variables " +
               std::to_string(I.Variables.size()));
    for (const RegisteredSymbol &K : I.Kernels)
      logVerbose("  kernel " + K.Symbol);
    for (const RegisteredSymbol &V : I.Variables)
      logVerbose("  variable " + V.Symbol);
  }
}

/// A function used while sealed that priming did not load is an escape; one
/// that this priming loads is not.
kplan_status primeWithSeal(const DriverApi &Api, PrimeInput &Input,
                           std::shared_ptr<const ReadPlan> Plan,
                           const PrimeOptions &Options, kplan_report &Report) {
  PrimeState &State = primeState();
  std::lock_guard Guard(State.Mutex);
  PrimingThread Here;
  autoPrime().dropEnded(State.Contexts);
  sealing().look(Api);
  State.Plan = std::move(Plan);
  Input.ThePlan = State.Plan ? &State.Plan->Plan : nullptr;
  Input.PlanFolder = State.Plan ? State.Plan->Folder : "";
  kplan_status Status = prime(Api, Input, Options, State.Contexts, Report);
  autoPrime().primed(State.Contexts);
  sealing().primed(Api, State.Contexts);
  return Status;
}

kplan_status primeProcess(const kplan_options &Given, kplan_report &Report) {
  PrimeInput Input;
  Input.Loaded = loadedCode();
  Input.Registered = registry().snapshot();
  // Of a program that is not linked with kplan nothing registers.
  Input.Complete = !Input.Registered.empty();
  logRegistrations(Input.Registered);
  if (size_t Lost = registry().dropped())
    Report.Warnings.push_back(std::to_string(Lost) +
                              " registrations were lost for want of memory");

  std::string Path = Given.plan ? Given.plan : environment().Plan;
  std::shared_ptr<const ReadPlan> P;
  if (!Path.empty()) {
    Result<Plan> Loaded = loadPlan(Path);
    if (!Loaded) {
      Report.Failure = describe(Loaded.errors());
      return KPLAN_ERROR_PLAN;
    }
    P = std::make_shared<const ReadPlan>(
        ReadPlan{std::move(*Loaded), folderOf(Path)});
  }

  Result<const DriverApi *> Api = driver();
  if (!Api) {
    Report.Failure = describe(Api.errors());
    return KPLAN_ERROR_NO_DRIVER;
  }
  PrimeOptions Options;
  Options.Device = Given.device;
  Options.Attributes = Given.attributes != 0 && environment().Attributes;
  Options.LocalMemory = Given.local_memory != 0 && environment().LocalMemory;
  Options.Strict = Given.strict != 0;
  Options.Threads = Given.threads ? Given.threads : environment().Threads;
  kplan_status Status =
      primeWithSeal(**Api, Input, std::move(P), Options, Report);
  if (Input.Loaded) {
    CodeCounts Counts = Input.Loaded->counts();
    Report.Claimed = Counts.Claimed;
    Report.Unclaimed = Counts.Unclaimed;
  }
  return Status;
}

void lookForEscapes() {
  if (sealing().isSealed())
    if (Result<const DriverApi *> Api = driver())
      sealing().look(**Api);
}

} // namespace

extern "C" {

const char *kplan_version(void) { return KPLAN_VERSION; }

const char *kplan_status_name(kplan_status Status) {
  switch (Status) {
  case KPLAN_OK:
    return "KPLAN_OK";
  case KPLAN_ERROR_INVALID_VALUE:
    return "KPLAN_ERROR_INVALID_VALUE";
  case KPLAN_ERROR_PLAN:
    return "KPLAN_ERROR_PLAN";
  case KPLAN_ERROR_NO_DRIVER:
    return "KPLAN_ERROR_NO_DRIVER";
  case KPLAN_ERROR_NO_CONTEXT:
    return "KPLAN_ERROR_NO_CONTEXT";
  case KPLAN_ERROR_MISSING:
    return "KPLAN_ERROR_MISSING";
  case KPLAN_ERROR_DRIVER:
    return "KPLAN_ERROR_DRIVER";
  case KPLAN_ERROR_OUT_OF_MEMORY:
    return "KPLAN_ERROR_OUT_OF_MEMORY";
  case KPLAN_ERROR_INTERNAL:
    return "KPLAN_ERROR_INTERNAL";
  }
  return "unknown kplan_status";
}

kplan_status kplan_prime(const kplan_options *Options, kplan_report **Report) {
  if (Report)
    *Report = nullptr;
  return guarded("kplan_prime", [&] {
    const uint64_t Start = Sealing::nanoseconds();
    auto Made = std::make_unique<kplan_report>();
    kplan_status Status = KPLAN_ERROR_INVALID_VALUE;
    const kplan_options Defaults = KPLAN_OPTIONS_INIT;
    const kplan_options &Given = Options ? *Options : Defaults;
    // Every field of this version was in the first one.
    if (Given.size < sizeof(kplan_options))
      Made->Failure = "kplan_options::size is too small: begin with "
                      "KPLAN_OPTIONS_INIT";
    else if (Given.device < -1)
      Made->Failure = "kplan_options::device is neither a device nor -1";
    else
      Status = primeProcess(Given, *Made);

    Made->Milliseconds =
        static_cast<double>(Sealing::nanoseconds() - Start) * 1e-6;
    Made->finish();
    if (auto *Listener = milestoneListener())
      Listener->primed(Start, *Made);
    logVerbose(Made->text());
    if (Report)
      *Report = Made.release();
    return Status;
  });
}

kplan_status kplan_seal(void) {
  return guarded("kplan_seal", [] {
    Result<const DriverApi *> Api = driver();
    if (!Api)
      return KPLAN_ERROR_NO_DRIVER;
    if (!(*Api)->canListFunctions())
      logOnce("this driver does not tell which functions are loaded (CUDA 12.5 "
              "does): first uses after the seal are not noticed");
    sealing().seal(**Api);
    if (environment().Verbose) {
      logVerbose("sealed");
      for (const std::string &Limit : escapeWatch().limits())
        logVerbose(Limit);
    }
    reportEscapesAtExit();
    return KPLAN_OK;
  });
}

kplan_status kplan_unseal(void) {
  return guarded("kplan_unseal", [] {
    Result<const DriverApi *> Api = driver();
    if (!Api)
      return KPLAN_ERROR_NO_DRIVER;
    sealing().unseal(**Api);
    return KPLAN_OK;
  });
}

kplan_status kplan_escapes(kplan_escape *Escapes, size_t Capacity,
                           size_t *Count) {
  if (Count)
    *Count = 0;
  return guarded("kplan_escapes", [&] {
    if (!Count || (!Escapes && Capacity))
      return KPLAN_ERROR_INVALID_VALUE;
    lookForEscapes();
    sealing().read([&](const EscapeSituation &, const EscapeLog &Log) {
      const auto &Found = Log.entries();
      *Count = Found.size();
      for (size_t I = 0; I < std::min(Capacity, Found.size()); ++I)
        Escapes[I] = {escapeKindName(Found[I].Kind), Found[I].Symbol.c_str(),
                      Found[I].Api, Found[I].Device, Found[I].HostMs};
    });
    return KPLAN_OK;
  });
}

kplan_status kplan_escape_details(size_t Index, kplan_escape_info *Info) {
  return guarded("kplan_escape_details", [&] {
    if (!Info || Info->size < sizeof(kplan_escape_info))
      return KPLAN_ERROR_INVALID_VALUE;
    return sealing().read([&](const EscapeSituation &, const EscapeLog &Log) {
      if (Index >= Log.entries().size())
        return KPLAN_ERROR_INVALID_VALUE;
      const Escape &E = Log.entries()[Index];
      *Info = {Info->size,       escapeKindName(E.Kind),
               E.Symbol.c_str(), E.Api,
               E.Image.c_str(),  E.Device,
               E.Thread,         E.SinceSeal,
               E.HostMs,         E.Count};
      return KPLAN_OK;
    });
  });
}

kplan_status kplan_escape_report(int Json, char *Buffer, size_t Capacity,
                                 size_t *Length) {
  if (Length)
    *Length = 0;
  if (Buffer && Capacity)
    *Buffer = 0;
  return guarded("kplan_escape_report", [&] {
    if (!Length || (!Buffer && Capacity))
      return KPLAN_ERROR_INVALID_VALUE;
    lookForEscapes();
    std::string Text = sealing().read(Json ? escapesAsJson : escapesAsText);
    *Length = Text.size();
    if (Capacity) {
      size_t Copied = std::min(Text.size(), Capacity - 1);
      std::copy_n(Text.data(), Copied, Buffer);
      Buffer[Copied] = 0;
    }
    return KPLAN_OK;
  });
}

uint64_t kplan_report_count(const kplan_report *Report, kplan_counter Counter) {
  return Report ? Report->count(Counter) : 0;
}

double kplan_report_milliseconds(const kplan_report *Report) {
  return Report ? Report->Milliseconds : 0;
}

const char *kplan_report_message(const kplan_report *Report, size_t Index) {
  return Report ? Report->message(Index) : nullptr;
}

const char *kplan_report_text(const kplan_report *Report) {
  return Report ? Report->text() : "";
}

void kplan_report_destroy(kplan_report *Report) { delete Report; }

} // extern "C"
