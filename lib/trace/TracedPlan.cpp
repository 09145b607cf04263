//===- TracedPlan.cpp - Recordings to a plan ------------------------------===//

#include "trace/TracedPlan.h"

#include "image/Image.h"
#include "image/LoadOptions.h"
#include "image/Origin.h"
#include "image/Store.h"
#include "image/Unpack.h"
#include "plan/Demangle.h"
#include "plan/Merge.h"
#include "plan/Names.h"
#include "trace/HandleMap.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kplan::trace {

namespace {

/// What a plan tells images apart by.
using ImageKey =
    std::tuple<std::string, Loader, std::map<std::string, int64_t>>;

struct TracedImage {
  Image Entry;
  uint32_t Alive = 0;
};

/// One per kernel of the plan.
struct TracedKernel {
  Kernel Entry;
  std::optional<uint64_t> DriverLocalBytes;
};

std::string flowList(const std::vector<std::string> &Words) {
  std::string Out = "[";
  for (const std::string &Word : Words)
    Out += (Out.size() > 1 ? ", " : "") + Word;
  return Out + "]";
}

bool isWord(const std::string &Text) {
  return !Text.empty() &&
         Text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
             Text.npos;
}

bool isNumber(const std::string &Text) {
  return !Text.empty() && Text.size() < 10 &&
         Text.find_first_not_of("0123456789") == Text.npos;
}

class Analysis {
public:
  Analysis(std::string PlanFolder, std::vector<Diagnostic> &Warnings)
      : PlanFolder(std::move(PlanFolder)), Warnings(Warnings) {}

  void operator()(const ProcessEvent &E) { Program = E.Program; }
  void operator()(const DriverEvent &E) { Driver = E; }
  void operator()(const DeviceEvent &E) { Devices[E.Ordinal] = E; }
  void operator()(const ContextEvent &E) {
    auto Found = Devices.find(E.Device);
    if (Found != Devices.end())
      Used.insert(E.Device);
  }
  void operator()(const LoadEvent &E);
  void operator()(const UnloadEvent &E);
  void operator()(const ModuleEvent &E) { Handles.add(E); }
  void operator()(const KernelEvent &E) { Handles.add(E); }
  void operator()(const FunctionEvent &E) { Handles.add(E); }
  void operator()(const UseEvent &E);
  void operator()(const LocalEvent &E) {
    if (TracedKernel *K = use(E.Handle))
      K->DriverLocalBytes = std::max(K->DriverLocalBytes.value_or(0), E.Bytes);
  }
  void operator()(const SetEvent &E);
  void operator()(const CacheEvent &E);
  void operator()(const GlobalEvent &E);
  void operator()(const LimitEvent &E);
  void operator()(const StallEvent &E);
  /// Those with times tell a plan nothing more.
  template <class Timed> void operator()(const Timed &) {}

  Plan finish();

private:
  void warn(std::string Message, std::string Hint = {}) {
    Diagnostic D = makeError(std::move(Message), std::move(Hint));
    D.Level = Severity::Warning;
    D.File = Program;
    Warnings.push_back(std::move(D));
  }
  /// The entry of a kernel that is used. Null: its handle is not known.
  TracedKernel *use(uint64_t Handle);
  TracedKernel *entryFor(const KnownKernel &Known);
  void readImages();
  void readKernels(const Image &I, unsigned Arch);
  void addProducers();

  const std::string PlanFolder;
  std::vector<Diagnostic> &Warnings;
  std::string Program;
  DriverEvent Driver;
  std::map<uint64_t, DeviceEvent> Devices;
  std::set<uint64_t> Used; ///< Devices with a context.
  HandleMap Handles;
  std::map<ImageKey, TracedImage> Images;
  std::vector<TracedImage *> ImageOfLoad; ///< Null: the image is not known.
  std::map<KernelKey, TracedKernel> Kernels;
  std::map<uint64_t, uint32_t> Threads; ///< Numbered as they appear.
  bool ToldOfUnknown = false;
  Plan Out;
};

} // namespace

void Analysis::operator()(const LoadEvent &E) {
  Handles.add(E);
  ImageOfLoad.push_back(nullptr);
  if (!E.Unknown.empty())
    warn("an image that was loaded as a " + E.By +
             (E.Image.empty() ? " is not in the plan: "
                              : " cannot be loaded ahead: ") +
             E.Unknown,
         "what is used of it will stall");
  auto Kind = fromName<ImageKind>(E.Kind);
  auto By = fromName<Loader>(E.By);
  if (!image::isContentId(E.Image) || !Kind || !By)
    return;

  Image Entry;
  Entry.Id = E.Image;
  Entry.Kind = *Kind;
  Entry.LoadedBy = *By;
  for (size_t I = 0; I + 1 < E.Options.size(); I += 2)
    if (image::findJitOption(E.Options[I]))
      Entry.Options[E.Options[I]] =
          std::strtoll(E.Options[I + 1].c_str(), nullptr, 10);
  if (E.Store == image::storePath(Entry.Kind, Entry.Id))
    Entry.Origin = StoreOrigin{E.Store};
  else if (!E.File.empty() && E.Size)
    Entry.Origin = FileOrigin{E.File, E.BuildId, E.Offset, E.Size};
  if (!E.Unwritten.empty() && std::ranges::all_of(E.Unwritten, isWord))
    Entry.Extra["x-unwritten_options"] = flowList(E.Unwritten);
  // What a version 2 wrapper was linked from is not in the image.
  if (E.Wrapper > 1)
    Entry.Extra["x-wrapper"] = std::to_string(E.Wrapper);

  ImageKey Key(Entry.Id, Entry.LoadedBy, Entry.Options);
  TracedImage &Traced =
      Images.try_emplace(Key, TracedImage{Entry}).first->second;
  // The same bytes may come from several places; a file is there anyway.
  if (!std::holds_alternative<FileOrigin>(Traced.Entry.Origin) &&
      !std::holds_alternative<std::monostate>(Entry.Origin))
    Traced.Entry.Origin = Entry.Origin;
  Traced.Entry.Copies = std::max(Traced.Entry.Copies, ++Traced.Alive);
  Traced.Entry.Extra.insert(Entry.Extra.begin(), Entry.Extra.end());
  ImageOfLoad.back() = &Traced;
}

void Analysis::operator()(const UnloadEvent &E) {
  auto Load = Handles.apply(E);
  if (!Load || !ImageOfLoad[*Load])
    return;
  TracedImage &Traced = *ImageOfLoad[*Load];
  if (E.Failed)
    ++Traced.Alive;
  else if (Traced.Alive)
    --Traced.Alive;
}

void Analysis::operator()(const UseEvent &E) {
  if (!use(E.Handle) && !std::exchange(ToldOfUnknown, true))
    warn("a kernel was used that nobody has looked up by name; it is not in "
         "the plan",
         "it will stall");
}

TracedKernel *Analysis::use(uint64_t Handle) {
  const KnownKernel *Known = Handles.kernel(Handle);
  return Known ? entryFor(*Known) : nullptr;
}

TracedKernel *Analysis::entryFor(const KnownKernel &Known) {
  if (Known.Symbol.empty())
    return nullptr;
  KernelKey Key;
  Key.Symbol = Known.Symbol;
  if (Known.Load && ImageOfLoad[*Known.Load])
    Key.Image = ImageOfLoad[*Known.Load]->Entry.Id;
  auto [Place, New] = Kernels.try_emplace(Key);
  if (New) {
    Place->second.Entry.Key = Key;
    if (std::string Name = demangle(Key.Symbol); Name != Key.Symbol)
      Place->second.Entry.Name = std::move(Name);
  }
  return &Place->second;
}

void Analysis::operator()(const SetEvent &E) {
  TracedKernel *K = use(E.Handle);
  const AttributeInfo *Info = findAttribute(static_cast<unsigned>(E.Attribute));
  if (!K)
    return;
  if (!Info || !Info->Settable) {
    warn("attribute " + std::to_string(E.Attribute) + " of " +
         K->Entry.Key.Symbol + " is not known and not in the plan");
    return;
  }
  // As a plan of its own, merged at the end: what happens to several values is
  // decided there.
  Kernel Set;
  Set.Key = K->Entry.Key;
  Set.Attributes[Info->Id] = E.Value;
  Out.Kernels.push_back(std::move(Set));
}

void Analysis::operator()(const CacheEvent &E) {
  TracedKernel *K = use(E.Handle);
  if (!K || E.Config > static_cast<uint64_t>(CacheConfig::PreferEqual))
    return;
  Kernel Set;
  Set.Key = K->Entry.Key;
  Set.Cache = static_cast<CacheConfig>(E.Config);
  Out.Kernels.push_back(std::move(Set));
}

void Analysis::operator()(const GlobalEvent &E) {
  auto Load = Handles.load(E.By, E.Handle);
  if (Load && ImageOfLoad[*Load])
    ImageOfLoad[*Load]->Entry.Globals.push_back(E.Symbol);
}

void Analysis::operator()(const LimitEvent &E) {
  if (E.Number >= LimitNames.size()) {
    warn("limit " + std::to_string(E.Number) +
         " is not known and not in the plan");
    return;
  }
  uint64_t &Mine = Out.Limits[std::string(LimitNames[E.Number])];
  Mine = std::max(Mine, E.Value);
}

void Analysis::operator()(const StallEvent &E) {
  if (!E.Behind && onlyUnpacks(Driver, E.Api))
    return;
  Stall S;
  S.Api = E.Api;
  if (const KnownKernel *Known = Handles.kernel(E.Handle); E.Handle && Known)
    S.KernelSymbol = Known->Symbol;
  S.HostMs = std::round(static_cast<double>(E.Nanoseconds) / 1e5) / 10;
  auto [Thread, New] =
      Threads.try_emplace(E.Thread, static_cast<uint32_t>(Threads.size() + 1));
  S.Thread = Thread->second;
  if (E.Stream)
    S.Extra["x-stream"] = std::to_string(E.Stream);
  if (!E.InFlight.empty() && std::ranges::all_of(E.InFlight, isNumber))
    S.Extra["x-in_flight"] = flowList(E.InFlight);
  if (E.Behind)
    S.Extra["x-behind_other_thread"] = "true";
  Out.Stalls.push_back(std::move(S));
}

/// What the kernels start, and their local memory where the driver did not say.
void Analysis::readKernels(const Image &I, unsigned Arch) {
  auto Bytes = image::readOrigin(I, PlanFolder);
  if (!Bytes) {
    Warnings.insert(Warnings.end(), Bytes.errors().begin(),
                    Bytes.errors().end());
    Warnings.back().Level = Severity::Warning;
    return;
  }
  auto Identity = image::identify(Bytes->view());
  if (!Identity)
    return;
  auto Code = image::readUnpackedCode(*Identity, Arch);
  if (!Code)
    return; // Code for other devices, or of a kind that is not known.
  for (const image::KernelCode &Found : Code->Kernels) {
    KernelKey Key;
    Key.Symbol = Found.Symbol;
    Key.Image = I.Id;
    auto Place = Kernels.find(Key);
    if (Place == Kernels.end())
      continue;
    Place->second.Entry.Uses = Found.Uses;
    // PTX tells only what the driver's compiler will start from.
    if (I.Kind != ImageKind::Ptx)
      Place->second.Entry.LocalBytes = Found.LocalBytes;
  }
}

void Analysis::readImages() {
  unsigned Arch = 0;
  if (!Used.empty())
    Arch = static_cast<unsigned>(Devices[*Used.begin()].Arch);
  std::set<std::string> WithKernels, Done;
  for (const auto &[Key, K] : Kernels)
    WithKernels.insert(Key.Image);
  for (const auto &[Key, Traced] : Images)
    if (WithKernels.contains(Traced.Entry.Id) &&
        !std::holds_alternative<std::monostate>(Traced.Entry.Origin) &&
        Done.insert(Traced.Entry.Id).second)
      readKernels(Traced.Entry, Arch);
}

void Analysis::addProducers() {
  Producer P;
  P.Tool = "kplan-trace";
  P.Version = KPLAN_VERSION;
  P.Driver = Driver.Version;
  P.Loading = Driver.Loading;
  if (Used.empty())
    Out.Producers.push_back(P);
  for (uint64_t Ordinal : Used) {
    const DeviceEvent &Device = Devices[Ordinal];
    P.Gpu = Device.Name;
    P.Sms = static_cast<uint32_t>(Device.Sms);
    Out.Producers.push_back(P);
  }
}

Plan Analysis::finish() {
  readImages();
  addProducers();
  for (auto &[Key, K] : Kernels) {
    if (K.DriverLocalBytes)
      K.Entry.LocalBytes = K.DriverLocalBytes;
    Out.Kernels.push_back(std::move(K.Entry));
  }
  for (auto &[Key, Traced] : Images)
    Out.Images.push_back(std::move(Traced.Entry));
  std::vector<Plan> One;
  One.push_back(std::move(Out));
  return mergePlans(std::move(One));
}

Plan planOfProcess(const std::vector<Event> &Recording,
                   const std::string &PlanFolder,
                   std::vector<Diagnostic> &Warnings) {
  Analysis A(PlanFolder, Warnings);
  for (const Event &E : Recording)
    std::visit(A, E);
  return A.finish();
}

} // namespace kplan::trace
