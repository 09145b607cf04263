//===- Adopter.cpp - What is loaded ahead, handed out ---------------------===//

#include "hooks/Adopter.h"

#include "Process.h"
#include "hooks/HookObserver.h"
#include "hooks/LoadCall.h"
#include "image/File.h"
#include "image/Image.h"

#include <atomic>
#include <fcntl.h>
#include <memory>

using namespace kplan;
using namespace kplan::runtime;
using namespace kplan::runtime::hooks;

namespace {

constexpr Purposes Keeping = Purposes(Purpose::Load) | Purpose::Unload |
                             Purpose::Context | Purpose::Limit;
/// While a device may be found that is not primed. Not unloads and frees: they
/// come when a program ends.
constexpr Purposes Searching =
    Keeping | Purpose::Touch | Purpose::Set | Purpose::Graph;

/// Never destroyed: programs unload while they end.
CodeTable &table() {
  static auto *Table = new CodeTable;
  return *Table;
}

/// Of the current context; 0: not known.
uint64_t currentHome() {
  NoCancellation Guard;
  Result<const DriverApi *> Api = driver();
  if (!Api)
    return 0;
  RelaxedCapture Relaxed(**Api);
  PrimeContext Context(**Api, -1, nullptr);
  return Context.error() ? 0 : Context.homeId();
}

/// A file that is loaded by name, as it is now. Empty: it cannot be read.
std::optional<image::ImageBytes> readFile(const char *Path) {
  constexpr uint64_t Largest = uint64_t(4) << 30;
  image::File From = image::File::open(Path, O_RDONLY | O_NONBLOCK);
  struct stat Status;
  if (!From.valid() || !From.status(Status) || !S_ISREG(Status.st_mode) ||
      Status.st_size <= 0 || static_cast<uint64_t>(Status.st_size) > Largest)
    return std::nullopt;
  image::ImageBytes Bytes(static_cast<size_t>(Status.st_size));
  if (!From.read(Bytes.data(), Bytes.view().size(), 0))
    return std::nullopt;
  return Bytes;
}

class Adopter final : public HookObserver {
public:
  const char *name() const override { return "adopter"; }

  std::optional<CUresult> before(const DriverCall &Call,
                                 uint64_t &Memory) override {
    switch (Call.info().Purpose) {
    case Purpose::Load:
      seek();
      return adopt(*asLoad(Call), Memory);
    case Purpose::Unload:
      if (auto Taken = table().remove(*asUnload(Call)))
        Memory = reinterpret_cast<uintptr_t>(
            std::make_unique<CodeEntry>(std::move(*Taken)).release());
      return std::nullopt;
    case Purpose::Limit:
      seek();
      if (auto *A = Call.as<CtxSetLimitArguments>())
        if (autoPrime().answersLimit(A->limit, A->value))
          return CUDA_SUCCESS;
      return std::nullopt;
    case Purpose::Context:
      return std::nullopt; // It is over when another context is current.
    default:
      seek();
      return std::nullopt;
    }
  }

  void after(const DriverCall &Call, CUresult Result,
             uint64_t &Memory) override {
    const Purpose P = Call.info().Purpose;
    if (P == Purpose::Unload) {
      std::unique_ptr<CodeEntry> Taken(
          reinterpret_cast<CodeEntry *>(static_cast<uintptr_t>(Memory)));
      if (Taken && Result != CUDA_SUCCESS)
        table().putBack(std::move(*Taken));
    } else if (P == Purpose::Load) {
      if (Result == CUDA_SUCCESS && Memory != Adopted)
        noteLoad(*asLoad(Call));
    } else if (P == Purpose::Context && Result == CUDA_SUCCESS) {
      if (!noteEnd(Call))
        seek();
    }
  }

  /// Constant-initialised, as all of an observer.
  std::atomic<bool> Primes = false;

private:
  /// What `Memory` of a load says after before().
  static constexpr uint64_t Adopted = 1;

  void seek() {
    if (!Primes.load(std::memory_order_relaxed))
      return;
    autoPrime().contextSeen();
    const bool Found = autoPrime().allDevicesPrimed();
    if (Found != Quiet.load(std::memory_order_relaxed)) {
      Quiet.store(Found, std::memory_order_relaxed);
      changeObserved(*this, Found ? Keeping : Searching);
    }
  }

  static std::optional<CUresult> adopt(const LoadCall &Load, uint64_t &Memory) {
    GivenOptions Options(Load.Options);
    if (!Load.Out || !Options.understood() ||
        !table().mayClaim(Load.By, Options.semantic()))
      return std::nullopt;
    std::optional<image::ImageBytes> Contents;
    if (Load.File)
      Contents = readFile(Load.File);
    if (Load.File && !Contents)
      return std::nullopt;
    GivenImage Image = Contents ? GivenImage::bytes(Contents->view())
                                : GivenImage::pointer(Load.Image);
    auto Claimed = table().claim(
        Load.By, Image, Options.semantic(),
        [&](const JitLog &Log) { return Options.canAnswer(Log); }, currentHome);
    if (!Claimed)
      return std::nullopt;
    Options.answer(Claimed->Log);
    Load.give(Claimed->Handle);
    Memory = Adopted;
    return CUDA_SUCCESS;
  }

  /// The driver has loaded something of the program's.
  void noteLoad(const LoadCall &Load) {
    if (!Load.Out)
      return;
    CodeEntry Entry;
    Entry.Handle = Load.handle();
    GivenOptions Options(Load.Options);
    // With options that are not understood it is a copy of nothing.
    if (Options.understood()) {
      Entry.Options = Options.semantic();
      identify(Load, Entry);
    }
    if (Load.By == Loader::Module)
      Entry.Home = currentHome();
    table().add(std::move(Entry));
    autoPrime().codeLoaded();
    seek();
  }

  /// The driver has taken the image, so its headers can be believed.
  static void identify(const LoadCall &Load, CodeEntry &Entry) {
    std::optional<image::ImageBytes> Contents;
    if (Load.File)
      Contents = readFile(Load.File);
    if (Load.File && !Contents)
      return;
    auto Identity = Contents ? image::identify(Contents->view())
                             : image::identifyPointer(Load.Image);
    if (!Identity)
      return;
    Entry.Image = image::contentId(Identity->Bytes);
    Entry.Kind = Identity->Kind;
  }

  /// Whether the call has ended a context, or a use of one.
  static bool noteEnd(const DriverCall &Call) {
    if (auto *A = Call.as<CtxDestroyArguments>())
      autoPrime().privateEnded(A->ctx);
    else if (auto *A = Call.as<DevicePrimaryCtxResetArguments>())
      autoPrime().primaryReset(A->dev);
    else if (Call.as<DevicePrimaryCtxReleaseArguments>() ||
             Call.as<GreenCtxDestroyArguments>())
      autoPrime().primaryReleased();
    else
      return false;
    return true;
  }

  std::atomic<bool> Quiet = false;
};

constinit Adopter TheAdopter;
constinit std::atomic<bool> Added = false;

} // namespace

void kplan::runtime::hooks::adoptAndPrime() {
  TheAdopter.Primes.store(true);
  if (!Added.exchange(true))
    addObserver(TheAdopter, Searching);
}

void kplan::runtime::hooks::keepCode() {
  if (!Added.exchange(true))
    addObserver(TheAdopter, Keeping);
}

CodeTable *kplan::runtime::hooks::keepCodeTable() {
  keepCode();
  return isObserving(TheAdopter) ? &table() : nullptr;
}

std::string kplan::runtime::hooks::describeAdoption() {
  if (!Added.load())
    return {};
  CodeCounts Counts = table().counts();
  if (!Counts.Loaded)
    return {};
  return "images loaded ahead: " + std::to_string(Counts.Loaded) +
         "; the program asked for " + std::to_string(Counts.Claimed) +
         ", never for " + std::to_string(Counts.Loaded - Counts.Claimed);
}
