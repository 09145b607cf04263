//===- CodeTable.cpp - The code that is loaded in this process ------------===//

#include "CodeTable.h"

#include "NoCancellation.h"

#include <algorithm>
#include <utility>

using namespace kplan;
using namespace kplan::runtime;

namespace {

bool isAhead(const CodeEntry &E, Loader By, const SemanticOptions &Options) {
  return E.Owner == CodeOwner::Ahead && loaderOf(E.Handle) == By &&
         E.Options == Options;
}

/// Moves the entries that satisfy `Which` out of `From`, in order.
template <typename F>
std::vector<CodeEntry> takeOut(std::vector<CodeEntry> &From, F Which) {
  std::vector<CodeEntry> Taken;
  auto Rest = std::stable_partition(
      From.begin(), From.end(), [&](const CodeEntry &E) { return !Which(E); });
  std::move(Rest, From.end(), std::back_inserter(Taken));
  From.erase(Rest, From.end());
  return Taken;
}

} // namespace

uint64_t CodeTable::add(CodeEntry Entry) {
  std::lock_guard Guard(Mutex);
  // The driver gives a handle out again only when its code is gone, be it with
  // a context whose end was not seen.
  std::erase_if(Entries,
                [&](const CodeEntry &E) { return E.Handle == Entry.Handle; });
  Entry.Serial = ++Last;
  Loaded += Entry.Owner == CodeOwner::Ahead;
  Entries.push_back(std::move(Entry));
  return Last;
}

bool CodeTable::mayClaim(Loader By, const SemanticOptions &Options) const {
  std::lock_guard Guard(Mutex);
  return std::ranges::any_of(
      Entries, [&](const CodeEntry &E) { return isAhead(E, By, Options); });
}

std::optional<ClaimedCode>
CodeTable::claim(Loader By, const GivenImage &Given,
                 const SemanticOptions &Options,
                 const std::function<bool(const JitLog &)> &Suits,
                 const std::function<uint64_t()> &Home) {
  struct Candidate {
    uint64_t Serial;
    uint64_t Home;
    ImageKind Kind;
    std::shared_ptr<const image::ImageBytes> Bytes;
  };
  std::vector<Candidate> Candidates;
  {
    std::lock_guard Guard(Mutex);
    for (const CodeEntry &E : Entries)
      if (isAhead(E, By, Options) && E.Bytes && Suits(E.Log))
        Candidates.push_back({E.Serial, E.Home, E.Kind, E.Bytes});
  }
  // Without the lock: images are large, and other threads load as well.
  std::erase_if(Candidates, [&](const Candidate &C) {
    return !Given.is(C.Kind, C.Bytes->view());
  });
  if (Candidates.empty())
    return std::nullopt;
  const uint64_t Here = By == Loader::Module ? Home() : 0;

  std::lock_guard Guard(Mutex);
  for (const Candidate &C : Candidates) {
    if (By == Loader::Module && (!Here || C.Home != Here))
      continue;
    for (CodeEntry &E : Entries)
      // Another thread may have been first.
      if (E.Serial == C.Serial && E.Owner == CodeOwner::Ahead) {
        E.Owner = CodeOwner::Claimed;
        E.Bytes.reset();
        ++Claimed;
        return ClaimedCode{E.Handle, std::exchange(E.Log, {})};
      }
  }
  return std::nullopt;
}

std::optional<CodeEntry> CodeTable::remove(CodeHandle Handle) {
  NoCancellation Guard; // It may wait.
  std::unique_lock Lock(Mutex);
  // What was loaded ahead and not claimed is not the program's to unload.
  auto Find = [&] {
    return std::ranges::find_if(Entries, [&](const CodeEntry &E) {
      return E.Handle == Handle && E.Owner != CodeOwner::Ahead;
    });
  };
  auto Found = Find();
  while (Found != Entries.end() &&
         std::ranges::find(Pinned, Found->Serial) != Pinned.end()) {
    Unpinned.wait(Lock);
    Found = Find();
  }
  if (Found == Entries.end())
    return std::nullopt;
  CodeEntry Taken = std::move(*Found);
  Entries.erase(Found);
  return Taken;
}

void CodeTable::putBack(CodeEntry Entry) {
  std::lock_guard Guard(Mutex);
  auto Place =
      std::ranges::upper_bound(Entries, Entry.Serial, {}, &CodeEntry::Serial);
  Entries.insert(Place, std::move(Entry));
}

std::vector<CodeEntry> CodeTable::forgetHome(uint64_t Home, CUdevice Device) {
  std::lock_guard Guard(Mutex);
  std::erase_if(Entries, [&](const CodeEntry &E) {
    return loaderOf(E.Handle) == Loader::Module && E.Home == Home;
  });
  return takeOut(Entries, [&](const CodeEntry &E) {
    return E.Owner == CodeOwner::Ahead &&
           loaderOf(E.Handle) == Loader::Library && E.Device == Device;
  });
}

std::vector<CodeEntry> CodeTable::takeAhead(uint64_t SinceSerial) {
  std::lock_guard Guard(Mutex);
  return takeOut(Entries, [&](const CodeEntry &E) {
    return E.Owner == CodeOwner::Ahead && E.Serial > SinceSerial;
  });
}

unsigned CodeTable::copies(Loader By, const std::string &Image,
                           const SemanticOptions &Options,
                           uint64_t Home) const {
  std::lock_guard Guard(Mutex);
  return static_cast<unsigned>(
      std::ranges::count_if(Entries, [&](const CodeEntry &E) {
        return loaderOf(E.Handle) == By && E.Image == Image &&
               E.Options == Options &&
               (By == Loader::Library || E.Home == Home);
      }));
}

std::vector<CodeEntry> CodeTable::list(uint64_t Home,
                                       uint64_t AfterSerial) const {
  std::lock_guard Guard(Mutex);
  std::vector<CodeEntry> Copy;
  for (const CodeEntry &E : Entries) {
    if (E.Serial <= AfterSerial ||
        (loaderOf(E.Handle) == Loader::Module && E.Home != Home))
      continue;
    CodeEntry &C = Copy.emplace_back();
    C.Serial = E.Serial;
    C.Handle = E.Handle;
    C.Owner = E.Owner;
    C.Image = E.Image;
    C.Options = E.Options;
    C.Home = E.Home;
    C.Device = E.Device;
    C.Kind = E.Kind;
  }
  return Copy;
}

uint64_t CodeTable::lastSerial() const {
  std::lock_guard Guard(Mutex);
  return Last;
}

CodeCounts CodeTable::counts() const {
  std::lock_guard Guard(Mutex);
  CodeCounts Counts{Loaded, Claimed, 0};
  Counts.Unclaimed = static_cast<uint64_t>(
      std::ranges::count(Entries, CodeOwner::Ahead, &CodeEntry::Owner));
  return Counts;
}

CodeTable::Pin::Pin(CodeTable &T, uint64_t Serial) : Owner(T), Serial(Serial) {
  std::lock_guard Guard(Owner.Mutex);
  Pinned = std::ranges::find(Owner.Entries, Serial, &CodeEntry::Serial) !=
           Owner.Entries.end();
  if (Pinned)
    Owner.Pinned.push_back(Serial);
}

CodeTable::Pin::~Pin() {
  if (!Pinned)
    return;
  std::lock_guard Guard(Owner.Mutex);
  Owner.Pinned.erase(std::ranges::find(Owner.Pinned, Serial));
  Owner.Unpinned.notify_all();
}

bool CodeTable::Hold::has(uint64_t Serial) const {
  return std::ranges::any_of(
      Owner.Entries, [&](const CodeEntry &E) { return E.Serial == Serial; });
}
