//===- TimedEvents.cpp - Calls, with their times --------------------------===//

#include "record/TimedEvents.h"

#include "record/Clock.h"
#include "record/DriverQuestions.h"
#include "record/StreamWatch.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using namespace kplan::runtime::hooks;

/// What a call that succeeded has loaded, or one that unloads was given.
static uint64_t loadedBy(const DriverCall &Call) {
  if (auto *A = Call.as<LibraryLoadDataArguments>())
    return record::numberOf(*A->library);
  if (auto *A = Call.as<LibraryLoadFromFileArguments>())
    return record::numberOf(*A->library);
  if (auto *A = Call.as<ModuleLoadArguments>())
    return record::numberOf(*A->module);
  if (auto *A = Call.as<ModuleLoadDataArguments>())
    return record::numberOf(*A->module);
  if (auto *A = Call.as<ModuleLoadDataExArguments>())
    return record::numberOf(*A->module);
  if (auto *A = Call.as<ModuleLoadFatBinaryArguments>())
    return record::numberOf(*A->module);
  return 0;
}

static uint64_t unloadedBy(const DriverCall &Call) {
  if (auto *A = Call.as<LibraryUnloadArguments>())
    return record::numberOf(A->library);
  if (auto *A = Call.as<ModuleUnloadArguments>())
    return record::numberOf(A->hmod);
  return 0;
}

uint64_t record::threadNumber() {
  return static_cast<uint64_t>(syscall(SYS_gettid));
}

trace::CallEvent record::callEvent(const DriverCall &Call, const Subject &What,
                                   CUresult Result) {
  trace::CallEvent E;
  E.Thread = threadNumber();
  E.Api = Call.info().Symbol;
  E.Purpose = purposeName(Call.info().Purpose);
  E.Handle = numberOf(What.Kernel);
  E.Owner = What.Owner ? numberOf(What.Owner) : unloadedBy(Call);
  if (Result == CUDA_SUCCESS && !E.Owner)
    E.Owner = loadedBy(Call);
  E.Symbol = What.Name ? What.Name : "";
  if (Result != CUDA_SUCCESS)
    E.Error = nameOfResult(Result);
  return E;
}

trace::ThreadEvent record::thisThread() {
  char Name[16] = {};
  prctl(PR_GET_NAME, Name);
  return {threadNumber(), Name};
}

trace::StreamEvent record::streamEvent(unsigned Number, CUstream Stream) {
  return {Number, StreamWatch::isDefault(Stream),
          static_cast<uint64_t>(currentDevice().value_or(0))};
}

trace::PrimeEvent record::primeEvent(uint64_t Began,
                                     const kplan_report &Report) {
  trace::PrimeEvent E;
  E.At = Began;
  E.Nanoseconds = now() - Began;
  E.Thread = threadNumber();
  E.Libraries = Report.Libraries;
  E.Functions = Report.Functions;
  E.Attributes = Report.Attributes;
  E.Globals = Report.Globals;
  E.Images = Report.Images;
  E.DeviceBytes = Report.DeviceBytes;
  E.Missing = Report.Missing.size();
  E.Failure = Report.Failure;
  return E;
}

trace::EscapeEvent record::escapeEvent(uint64_t Began, const Escape &E) {
  trace::EscapeEvent Out;
  Out.Kind = escapeKindName(E.Kind);
  Out.Api = E.Api;
  Out.Symbol = E.Symbol;
  Out.Image = E.Image;
  Out.Thread = static_cast<uint64_t>(E.Thread);
  Out.At = Began;
  if (E.HostMs >= 0)
    Out.Nanoseconds = static_cast<uint64_t>(E.HostMs * 1e6);
  return Out;
}
