//===- HookSettings.cpp - What the environment says about hooks -----------===//

#include "hooks/HookSettings.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <unistd.h>

using namespace kplan::runtime::hooks;

namespace {

std::string_view variable(const char *Name) {
  const char *Value = secure_getenv(Name);
  return Value ? Value : "";
}

bool isOn(std::string_view Value) { return !Value.empty() && Value != "0"; }

constexpr Purposes Observable = [] {
  Purposes All;
  for (size_t I = 0; I < NumPurposes; ++I)
    if (auto P = static_cast<Purpose>(I);
        P != Purpose::Lookup && P != Purpose::Opaque)
      All = All | P;
  return All;
}();

} // namespace

Purposes kplan::runtime::hooks::parsePurposes(std::string_view Text,
                                              std::string_view &NotAPurpose) {
  Purposes Chosen;
  while (!Text.empty()) {
    std::string_view Word = Text.substr(0, Text.find(','));
    Text.remove_prefix(std::min(Text.size(), Word.size() + 1));
    if (Word == "all") {
      Chosen = Chosen | Observable;
      continue;
    }
    std::optional<Purpose> P = findPurpose(Word);
    if (P && Observable.contains(*P))
      Chosen = Chosen | *P;
    else if (NotAPurpose.empty())
      NotAPurpose = Word;
  }
  return Chosen;
}

HookSettings kplan::runtime::hooks::readHookSettings() {
  HookSettings S;
  S.Disabled = isOn(variable("KPLAN_DISABLE"));
  S.Verbose = isOn(variable("KPLAN_VERBOSE"));
  S.Plan = !variable("KPLAN_PLAN").empty();
  S.AllEscapes = variable("KPLAN_ESCAPES") == "all";
  for (const char *Name : {"KPLAN_PLAN", "KPLAN_ESCAPES", "KPLAN_ON_ESCAPE",
                           "KPLAN_REPORT", "KPLAN_SEAL_AFTER", "KPLAN_SOCKET"})
    S.WatchesEscapes |= !variable(Name).empty();
  S.Calls = parsePurposes(variable("KPLAN_CALLS"), S.NotAPurpose);
  return S;
}

const HookSettings &kplan::runtime::hooks::hookSettings() {
  static constinit HookSettings Settings;
  static constinit std::atomic<int> State = 0; // 0 unread, 1 reading, 2 read
  if (State.load(std::memory_order_acquire) == 2)
    return Settings;
  // Before libc has started there is no environment yet; look again later.
  static constexpr HookSettings Nothing;
  if (!environ)
    return Nothing;
  int Unread = 0;
  if (State.compare_exchange_strong(Unread, 1)) {
    Settings = readHookSettings();
    State.store(2, std::memory_order_release);
  }
  // Another thread reads them at this moment: it needs no lock to finish.
  while (State.load(std::memory_order_acquire) != 2)
    ;
  return Settings;
}
