//===- AutoPrime.cpp - Priming that happens by itself ---------------------===//

#include "AutoPrime.h"

#include "Control.h"
#include "Environment.h"
#include "LoadAhead.h"
#include "Log.h"
#include "Milestones.h"
#include "PlanLoader.h"
#include "Process.h"

#include <algorithm>
#include <exception>
#include <set>

using namespace kplan;
using namespace kplan::runtime;

namespace {

PrimeOptions optionsOfEnvironment() {
  PrimeOptions Options;
  Options.Attributes = environment().Attributes;
  Options.LocalMemory = environment().LocalMemory;
  Options.Threads = environment().Threads;
  return Options;
}

/// What the user is to know, without having asked for a report.
void logOutcome(const kplan_report &Report) {
  logVerbose(Report.text());
  if (environment().Verbose)
    return;
  if (!Report.Failure.empty())
    logAlways("not primed: " + Report.Failure +
              "; the program runs as without kplan");
  else if (size_t Missing = Report.Missing.size())
    logOnce(
        std::to_string(Missing) +
        (Missing == 1 ? " entry of the plan is" : " entries of the plan are") +
        " not in place; KPLAN_VERBOSE=1 says which and why");
}

} // namespace

bool AutoPrime::isSettled(CUcontext Context) const {
  const uint64_t Now = Generation.load(std::memory_order_relaxed);
  return std::ranges::any_of(Slots, [&](const Settled &S) {
    return S.Context.load(std::memory_order_acquire) == Context &&
           S.At.load(std::memory_order_relaxed) == Now;
  });
}

/// Written by one thread at a time, the one with the lock of PrimeState.
void AutoPrime::settle(CUcontext Context, uint64_t At) {
  Settled &S = Slots[NextSlot++ % Slots.size()];
  S.Context.store(nullptr, std::memory_order_relaxed);
  S.At.store(At, std::memory_order_relaxed);
  S.Context.store(Context, std::memory_order_release);
}

bool AutoPrime::isAwaited() const {
  return !environment().Plan.empty() && Armed && !Began;
}

void AutoPrime::contextSeen() {
  if (!Armed.load(std::memory_order_relaxed) || PrimingThread::isPriming())
    return;
  Result<const DriverApi *> Api = driver();
  if (!Api) {
    Armed.store(false);
    logOnce(Api.errors().front().Message + "; the plan is not primed");
    sealIfDue();
    return;
  }
  CUcontext Context = nullptr;
  if ((*Api)->CtxGetCurrent(&Context) != CUDA_SUCCESS || !Context ||
      isSettled(Context) || sealing().isSealed())
    return;
  std::unique_lock Lock(primeState().Mutex, std::try_to_lock);
  if (!Lock)
    return;
  PrimingThread Here;
  std::optional<uint64_t> Done;
  try {
    Done = work(**Api);
  } catch (const std::exception &E) {
    Armed.store(false);
    logOnce(std::string("priming stopped: ") + E.what() +
            "; the program goes on");
  }
  if (Done) {
    settle(Context, *Done);
    Began = true;
  }
  if (!isAwaited())
    sealIfDue();
}

bool AutoPrime::loadPlanOnce() {
  PrimeState &State = primeState();
  if (State.Plan)
    return true;
  const std::string &Path = environment().Plan;
  Result<Plan> Loaded = loadPlan(Path);
  if (!Loaded) {
    Armed.store(false);
    std::string Text = "the plan is not primed: ";
    for (const Diagnostic &D : Loaded.errors())
      Text += format(D);
    Text.pop_back();
    logAlways(Text);
    return false;
  }
  State.Plan = std::make_shared<const ReadPlan>(
      ReadPlan{std::move(*Loaded), folderOf(Path)});
  return true;
}

std::optional<uint64_t> AutoPrime::work(const DriverApi &Api) {
  PrimeState &State = primeState();
  dropEnded(State.Contexts);
  if (!loadPlanOnce() || !loadedCode())
    return std::nullopt;
  RelaxedCapture Relaxed(Api);
  PrimeContext Context(Api, -1, nullptr);
  if (Context.error())
    return std::nullopt;
  // Other threads pass through meanwhile: what they load is looked at as well,
  // within reason.
  constexpr int MostRounds = 8;
  uint64_t Now = 0;
  for (int Round = 0; Round < MostRounds && Now != Generation.load(); ++Round) {
    Now = Generation.load();
    primeHere(Api, Context);
  }
  return Now;
}

void AutoPrime::primeHere(const DriverApi &Api, const PrimeContext &Context) {
  PrimeState &State = primeState();
  const uint64_t Start = Sealing::nanoseconds();
  PrimeInput Input;
  Input.ThePlan = &State.Plan->Plan;
  Input.PlanFolder = State.Plan->Folder;
  Input.Loaded = loadedCode();
  PrimeOptions Options = optionsOfEnvironment();
  kplan_report Report;
  auto Known = std::ranges::find_if(State.Contexts, [&](PrimedContext &C) {
    return C.HomeId && C.HomeId == Context.homeId();
  });
  if (Known != State.Contexts.end()) {
    if (Input.Loaded->lastSerial() == Known->LoadedSerial)
      return;
    primeLate(Api, Input, Options, Context, *Known, Report);
    if (Report.Libraries == 0 && Report.Missing.empty())
      return;
  } else {
    prime(Api, Input, Options, State.Contexts, Report);
  }
  Report.Milliseconds =
      static_cast<double>(Sealing::nanoseconds() - Start) * 1e-6;
  Report.finish();
  if (auto *Listener = milestoneListener())
    Listener->primed(Start, Report);
  logOutcome(Report);
  if (Report.Images)
    ++Generation; // Libraries: for other contexts too.
  primed(State.Contexts);
  sealing().primed(Api, State.Contexts);
  std::set<CUdevice> Devices;
  for (const PrimedContext &C : State.Contexts)
    if (C.Kind != ContextKind::Private)
      Devices.insert(C.Device);
  int Count = 0;
  if (Api.DeviceGetCount(&Count) == CUDA_SUCCESS)
    AllPrimed.store(Devices.size() == static_cast<size_t>(Count));
}

void AutoPrime::primed(const std::vector<PrimedContext> &Contexts) {
  std::lock_guard Guard(Mutex);
  Homes.clear();
  for (const PrimedContext &C : Contexts)
    Homes.push_back(
        {C.HomeId, C.Kind, C.Device, C.Context, C.Printf, C.Malloc});
}

void AutoPrime::dropEnded(std::vector<PrimedContext> &Contexts) {
  std::lock_guard Guard(Mutex);
  std::erase_if(Contexts, [&](const PrimedContext &C) {
    return std::ranges::find(Ended, C.HomeId) != Ended.end();
  });
  Ended.clear();
}

/// The homes that satisfy `Which` are no more.
template <typename F> void AutoPrime::end(F Which) {
  NoCancellation Guarded;
  std::vector<PrimedHome> Gone;
  {
    std::lock_guard Guard(Mutex);
    auto Rest = std::ranges::stable_partition(
        Homes, [&](const PrimedHome &H) { return !Which(H); });
    Gone.assign(Rest.begin(), Rest.end());
    Homes.erase(Rest.begin(), Rest.end());
    for (const PrimedHome &H : Gone)
      Ended.push_back(H.HomeId);
  }
  // An address may stand for another context from now on.
  ++Generation;
  if (Gone.empty())
    return;
  AllPrimed.store(false);
  CodeTable *Table = loadedCode();
  Result<const DriverApi *> Api = driver();
  for (const PrimedHome &H : Gone)
    if (Table && Api)
      giveBack(**Api, Table->forgetHome(H.HomeId, H.Device));
}

void AutoPrime::privateEnded(CUcontext Context) {
  end([&](const PrimedHome &H) {
    return H.Kind == ContextKind::Private && H.Context == Context;
  });
}

void AutoPrime::primaryReset(CUdevice Device) {
  end([&](const PrimedHome &H) {
    return H.Kind != ContextKind::Private && H.Device == Device;
  });
}

void AutoPrime::primaryReleased() {
  Result<const DriverApi *> Api = driver();
  end([&](const PrimedHome &H) {
    unsigned Flags = 0;
    int Active = 1;
    return Api && H.Kind != ContextKind::Private &&
           (*Api)->DevicePrimaryCtxGetState(H.Device, &Flags, &Active) ==
               CUDA_SUCCESS &&
           !Active;
  });
}

bool AutoPrime::answersLimit(CUlimit Limit, size_t Value) {
  if (Limit != CU_LIMIT_PRINTF_FIFO_SIZE && Limit != CU_LIMIT_MALLOC_HEAP_SIZE)
    return false;
  NoCancellation Guarded;
  Result<const DriverApi *> Api = driver();
  if (!Api)
    return false;
  RelaxedCapture Relaxed(**Api);
  PrimeContext Context(**Api, -1, nullptr);
  size_t Now = 0;
  if (Context.error() || !Context.homeId() ||
      (*Api)->CtxGetLimit(&Now, Limit) != CUDA_SUCCESS)
    return false;
  {
    std::lock_guard Guard(Mutex);
    auto Home = std::ranges::find(Homes, Context.homeId(), &PrimedHome::HomeId);
    if (Home == Homes.end() ||
        !(Limit == CU_LIMIT_PRINTF_FIFO_SIZE ? Home->Printf : Home->Malloc))
      return false;
  }
  if (Now != Value)
    logOnce("the program sets a limit to " + std::to_string(Value) +
            " that priming needed before, as " + std::to_string(Now) +
            ", so that the driver will refuse it: trace the program again");
  return Now == Value;
}
