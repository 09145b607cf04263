//===- EscapeLog.cpp - The escapes of a process ---------------------------===//

#include "escapes/EscapeLog.h"

#include <algorithm>
#include <utility>

using namespace kplan::runtime;

const Escape *EscapeLog::add(Escape E) {
  Total += E.Count;
  if (auto It = Known.find(keyOf(E)); It != Known.end()) {
    It->second->Count += E.Count;
    It->second->HostMs = std::max(It->second->HostMs, E.HostMs);
    return nullptr;
  }
  if (Entries.size() >= Limit) {
    Dropped += E.Count;
    return nullptr;
  }
  Escape &Kept = Entries.emplace_back(std::move(E));
  Known.emplace(keyOf(Kept), &Kept);
  return &Kept;
}
