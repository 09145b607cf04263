//===- EscapeObserver.cpp - Escapes under the hooks -----------------------===//

#include "escapes/EscapeObserver.h"

#include "Control.h"
#include "ExitReport.h"
#include "LiveCode.h"
#include "Log.h"
#include "Process.h"
#include "escapes/FirstUses.h"
#include "hooks/HookObserver.h"
#include "hooks/Hooks.h"
#include "image/Image.h"

#include <map>
#include <memory>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using namespace kplan::runtime::hooks;

namespace {

constinit record::SeenSet Known;

/// What a process keeps about its code. Made by the first observed call.
struct Observed {
  explicit Observed(const DriverApi &Api) : Api(Api) {}
  const DriverApi &Api;
  Homes Where;
  FirstUses Uses{Api, Where, Known};
  std::atomic<size_t> NotInUse = 0; ///< Libraries, at the seal.
};

constinit std::atomic<Observed *> Ready = nullptr;

/// Null: the driver cannot be called.
Observed *observed() {
  static Observed *const State = []() -> Observed * {
    Result<const DriverApi *> Api = driver();
    if (!Api)
      return nullptr;
    reportEscapesAtExit();
    Ready = new Observed(**Api);
    return Ready;
  }();
  return State;
}

/// Where a call uses code.
[[gnu::always_inline]] inline int homeOf(const Observed &State,
                                         const PossibleUse &Use) {
  const int Home = State.Where.current(State.Api);
  if (Use.Device < 0 ||
      (Home != Homes::None && State.Where.deviceOf(Home) == Use.Device))
    return Home;
  return Homes::ofDevice(Use.Device);
}

/// A call from before to after it.
struct Pending {
  uint64_t Start = 0;
  int Home = Homes::None;
  PossibleUse Use;
  std::string Image;
  std::optional<Escape> Found; ///< If the call succeeds.
};

Pending &pending(uint64_t Memory) {
  return *reinterpret_cast<Pending *>(Memory);
}

/// The id of an image that the program gives to the driver.
std::string idOf(const void *Image) {
  if (!Image)
    return {};
  auto Identity = image::identifyPointer(Image);
  return Identity ? image::contentId(Identity->Bytes) : std::string();
}

class EscapeObserver final : public HookObserver {
public:
  const char *name() const override { return "counter of escapes"; }

  bool ignores(const DriverCall &Call) const noexcept override {
    const Observed *State = Ready.load(std::memory_order_acquire);
    if (!State || isControlDue())
      return false;
    const PossibleUse Use = possibleUse(Call);
    if (Use.Kind == HandleKind::None)
      return Call.info().Purpose == Purpose::Launch ||
             Call.info().Purpose == Purpose::Graph;
    const int Home = homeOf(*State, Use);
    return Home != Homes::None && State->Uses.isKnown(Use, Home);
  }

  std::optional<CUresult> before(const DriverCall &Call,
                                 uint64_t &Memory) override {
    ensureControl();
    if (Observed *State = observed())
      look(*State, Call, Memory);
    return std::nullopt;
  }

  void after(const DriverCall &Call, CUresult Result,
             uint64_t &Memory) override {
    std::unique_ptr<Pending> Done(reinterpret_cast<Pending *>(Memory));
    if (Result != CUDA_SUCCESS)
      return;
    Observed *State = observed();
    if (!State)
      return;
    note(*State, Call, Done.get());
    if (Done && Done->Found)
      count(std::move(*Done));
  }

private:
  static void look(Observed &State, const DriverCall &Call, uint64_t &Memory);
  static void lookAtUse(Observed &State, const DriverCall &Call,
                        uint64_t &Memory);
  static void lookAtUnload(Observed &State, const DriverCall &Call,
                           const void *Code, uint64_t &Memory);
  static void lookAtContext(Observed &State, const DriverCall &Call);
  static void note(Observed &State, const DriverCall &Call, const Pending *P);
  static void noteLoad(Observed &State, const DriverCall &Call,
                       const Pending *P);
  static void noteUse(Observed &State, const DriverCall &Call, Pending &P);
  static void noteContext(Observed &State, const DriverCall &Call);
  static Escape &expect(EscapeKind Kind, const DriverCall &Call,
                        Observed &State, uint64_t &Memory);
  static void count(Pending &&P);
};

Pending &remember(uint64_t &Memory) {
  if (!Memory) {
    auto *P = new Pending;
    P->Start = Sealing::nanoseconds();
    Memory = reinterpret_cast<uint64_t>(P);
  }
  return pending(Memory);
}

/// An escape that the call will be, if it succeeds.
Escape &EscapeObserver::expect(EscapeKind Kind, const DriverCall &Call,
                               Observed &State, uint64_t &Memory) {
  Pending &P = remember(Memory);
  if (P.Home == Homes::None)
    P.Home = State.Where.current(State.Api);
  Escape &E = P.Found.emplace();
  E.Kind = Kind;
  E.Api = Call.info().Symbol;
  E.Device = P.Home == Homes::None ? -1 : State.Where.deviceOf(P.Home);
  return E;
}

void EscapeObserver::count(Pending &&P) {
  Escape &E = *P.Found;
  E.Thread = syscall(SYS_gettid);
  E.SinceSeal = sealing().sinceSeal(P.Start);
  E.HostMs = static_cast<double>(Sealing::nanoseconds() - P.Start) * 1e-6;
  if (E.SinceSeal >= 0)
    sealing().add(std::move(E));
}

void EscapeObserver::look(Observed &State, const DriverCall &Call,
                          uint64_t &Memory) {
  switch (Call.info().Purpose) {
  case Purpose::Touch:
  case Purpose::Set:
  case Purpose::Launch:
  case Purpose::Graph:
    lookAtUse(State, Call, Memory);
    break;
  case Purpose::Load:
    if (sealing().isSealed()) {
      Escape &E = expect(EscapeKind::Load, Call, State, Memory);
      if (auto *A = Call.as<LibraryLoadDataArguments>())
        E.Image = idOf(A->code);
      else if (auto *A = Call.as<ModuleLoadDataArguments>())
        E.Image = idOf(A->image);
      else if (auto *A = Call.as<ModuleLoadDataExArguments>())
        E.Image = idOf(A->image);
      else if (auto *A = Call.as<ModuleLoadFatBinaryArguments>())
        E.Image = idOf(A->fatCubin);
      else if (auto *A = Call.as<ModuleLoadArguments>())
        E.Symbol = A->fname ? A->fname : "";
      else if (auto *A = Call.as<LibraryLoadFromFileArguments>())
        E.Symbol = A->fileName ? A->fileName : "";
    }
    break;
  case Purpose::Unload:
    if (auto *A = Call.as<LibraryUnloadArguments>())
      lookAtUnload(State, Call, A->library, Memory);
    else if (auto *A = Call.as<ModuleUnloadArguments>())
      lookAtUnload(State, Call, A->hmod, Memory);
    break;
  case Purpose::Free:
    if (sealing().isSealed() && isWaitingFree(Call.Function))
      expect(EscapeKind::Free, Call, State, Memory);
    break;
  case Purpose::Context:
    lookAtContext(State, Call);
    break;
  default:
    break;
  }
}

void EscapeObserver::lookAtUse(Observed &State, const DriverCall &Call,
                               uint64_t &Memory) {
  PossibleUse Use = possibleUse(Call);
  if (Use.Kind == HandleKind::None)
    return;
  const int Home = homeOf(State, Use);
  if (Home == Homes::None)
    return;
  Pending &P = remember(Memory);
  P.Use = Use;
  P.Home = Home;
  if (!sealing().isSealed())
    return;
  if (auto New = State.Uses.lookBefore(Use, Home)) {
    Escape &E = expect(EscapeKind::Touch, Call, State, Memory);
    E.Symbol = std::move(New->Symbol);
    E.Image = std::move(New->Image);
  }
}

void EscapeObserver::lookAtUnload(Observed &State, const DriverCall &Call,
                                  const void *Code, uint64_t &Memory) {
  // From here on the driver may give its address to something else.
  auto Resident = State.Uses.unloading(Code);
  if (Resident && sealing().isSealed())
    expect(EscapeKind::Free, Call, State, Memory).Image = std::move(*Resident);
}

void EscapeObserver::lookAtContext(Observed &State, const DriverCall &Call) {
  int Home = Homes::None;
  if (auto *A = Call.as<CtxDestroyArguments>())
    Home = State.Where.ended(A->ctx);
  else if (auto *A = Call.as<DevicePrimaryCtxResetArguments>())
    Home = Homes::ofDevice(A->dev);
  if (Home == Homes::None)
    return;
  State.Where.changed();
  State.Uses.ending(Home);
}

void EscapeObserver::note(Observed &State, const DriverCall &Call,
                          const Pending *P) {
  switch (Call.info().Purpose) {
  case Purpose::Load:
    noteLoad(State, Call, P);
    break;
  case Purpose::Touch:
    if (auto *A = Call.as<LibraryGetKernelArguments>())
      State.Uses.given(*A->pKernel, A->library, A->name);
    else if (auto *A = Call.as<LibraryEnumerateKernelsArguments>())
      for (unsigned I = 0; I < A->numKernels; ++I)
        State.Uses.given(A->kernels[I], A->lib, nullptr);
    [[fallthrough]];
  case Purpose::Set:
  case Purpose::Launch:
  case Purpose::Graph:
    if (P && P->Use.Kind != HandleKind::None)
      noteUse(State, Call, const_cast<Pending &>(*P));
    break;
  case Purpose::Context:
    noteContext(State, Call);
    break;
  default:
    break;
  }
}

void EscapeObserver::noteLoad(Observed &State, const DriverCall &Call,
                              const Pending *P) {
  HandleKind Kind = HandleKind::Module;
  const void *Code = nullptr;
  if (auto *A = Call.as<LibraryLoadDataArguments>())
    Code = *A->library, Kind = HandleKind::Library;
  else if (auto *A = Call.as<LibraryLoadFromFileArguments>())
    Code = *A->library, Kind = HandleKind::Library;
  else if (auto *A = Call.as<ModuleLoadDataArguments>())
    Code = *A->module;
  else if (auto *A = Call.as<ModuleLoadDataExArguments>())
    Code = *A->module;
  else if (auto *A = Call.as<ModuleLoadFatBinaryArguments>())
    Code = *A->module;
  else if (auto *A = Call.as<ModuleLoadArguments>())
    Code = *A->module;
  if (Code)
    State.Uses.loaded(Kind, Code, State.Where.current(State.Api),
                      P && P->Found ? P->Found->Image : std::string());
}

void EscapeObserver::noteUse(Observed &State, const DriverCall &Call,
                             Pending &P) {
  const void *Made = nullptr;
  if (auto *A = Call.as<KernelGetFunctionArguments>())
    Made = *A->pFunc;
  else if (auto *A = Call.as<ModuleGetFunctionArguments>())
    Made = *A->hfunc;
  if (!State.Uses.used(P.Use, P.Home, Made))
    P.Found.reset(); // A look has told it in the meantime.
}

void EscapeObserver::noteContext(Observed &State, const DriverCall &Call) {
  if (auto *A = Call.as<DevicePrimaryCtxRetainArguments>()) {
    State.Where.shared(A->dev);
  } else if (auto *A = Call.as<GreenCtxCreateArguments>()) {
    State.Where.shared(A->dev);
  } else if (auto *A = Call.as<CtxCreateArguments>()) {
    State.Where.made(*A->pctx, A->dev);
  } else if (auto *A = Call.as<CtxCreate_v3Arguments>()) {
    State.Where.made(*A->pctx, A->dev);
  } else if (auto *A = Call.as<CtxCreate_v4Arguments>()) {
    State.Where.made(*A->pctx, A->dev);
  } else if (auto *A = Call.as<DevicePrimaryCtxReleaseArguments>()) {
    unsigned Flags = 0;
    int Active = 1;
    if (State.Api.DevicePrimaryCtxGetState(A->dev, &Flags, &Active) ==
            CUDA_SUCCESS &&
        !Active) {
      State.Where.changed();
      State.Uses.ending(Homes::ofDevice(A->dev));
    }
  } else if (Call.as<GreenCtxDestroyArguments>()) {
    State.Where.changed();
  }
}

constinit EscapeObserver Observer;
constinit std::atomic<bool> SeesLaunches = false;
/// Nothing in the environment asked for it: it came with the first call of the
/// C API, and what was in use before is not known.
constinit std::atomic<bool> CameLate = false;

class ObservedEscapes final : public EscapeWatch {
public:
  void seal(const DriverApi &) override {
    if (Observed *State = observed())
      State->NotInUse = State->Uses.seal();
  }
  void unseal() override {
    if (Observed *State = observed())
      State->Uses.unseal();
  }
  std::vector<Escape> look(const DriverApi &) override {
    Observed *State = observed();
    return State ? State->Uses.look() : std::vector<Escape>();
  }
  void primed(const DriverApi &,
              const std::vector<PrimedContext> &Contexts) override {
    Observed *State = observed();
    if (!State)
      return;
    CodeTable *Table = loadedCode();
    for (const PrimedContext &C : Contexts) {
      if (C.Kind == ContextKind::Private)
        continue;
      std::map<CodeHandle, std::string> Images;
      if (Table)
        for (CodeEntry &E : Table->list(C.HomeId))
          Images.emplace(E.Handle, std::move(E.Image));
      LiveCode Code(registry(), Table);
      LiveCode::Hold Alive(Code); // until the unload of it is noted, too
      for (const ResidentLibrary &L : C.Resident)
        if (Alive.has(L.Image))
          std::visit(
              [&](auto Handle) {
                State->Uses.madeResident(
                    loaderOf(L.Code) == Loader::Library ? HandleKind::Library
                                                        : HandleKind::Module,
                    Handle, Homes::ofDevice(C.Device), Images[L.Code]);
              },
              L.Code);
    }
    State->Uses.relist();
  }
  std::vector<std::string> limits() const override {
    Observed *State = observed();
    std::vector<std::string> Lines;
    if (CameLate)
      Lines.push_back(
          "calls were observed from the first one of kplan's own on: a launch "
          "that is the first use of a kernel is not noticed (KPLAN_ESCAPES set "
          "at the start, to anything, notices more)");
    size_t Count = State && !seesLaunches() ? State->NotInUse.load() : 0;
    if (Count)
      Lines.push_back(
          std::to_string(Count) +
          (Count == 1 ? " library was" : " libraries were") +
          " not in use at the seal as far as is known: a launch that is the "
          "first use of one is not noticed (KPLAN_ESCAPES=all notices)");
    return Lines;
  }
  bool seesLaunches() const override { return SeesLaunches; }
};

} // namespace

namespace {

constinit std::atomic<bool> Added = false;

void add(bool Launches) {
  SeesLaunches = Launches;
  Purposes Wanted = Purposes(Purpose::Load) | Purpose::Unload | Purpose::Touch |
                    Purpose::Set | Purpose::Free | Purpose::Context |
                    Purpose::Graph;
  // Another thread may be adding one at this moment.
  for (unsigned Tries = 0; Tries < 1000; ++Tries)
    if (addObserver(Observer, Launches ? Wanted | Purpose::Launch : Wanted))
      return;
  logOnce("escapes are not counted: no room for another observer");
}

} // namespace

void kplan::runtime::addEscapeObserver(bool Launches) {
  if (!Added.exchange(true))
    add(Launches);
}

EscapeWatch &kplan::runtime::observedEscapes() {
  static auto *Watch = new ObservedEscapes;
  startHooks(); // In a linked program it observes from here on.
  if (!Added.exchange(true)) {
    CameLate = true;
    add(false);
  }
  return *Watch;
}
