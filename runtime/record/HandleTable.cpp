//===- HandleTable.cpp - What handles stand for, in the recorder ----------===//

#include "record/HandleTable.h"

using namespace kplan::runtime::record;

uint64_t HandleTable::ownerOf(uint64_t Module) const {
  auto Found = LibraryOfModule.find(Module);
  return Found == LibraryOfModule.end() ? Module : Found->second;
}

bool HandleTable::add(HandleKind Kind, uint64_t Handle, uint64_t Owner) {
  std::lock_guard Guard(Lock);
  Known &K = Handles[Handle];
  Owner = ownerOf(Owner);
  // A driver in which a kernel is its own function: the kernel stays known.
  if (K.Owner == Owner && (K.Kind == Kind || K.Kind == HandleKind::Kernel))
    return false;
  K = {Kind, Owner};
  return true;
}

void HandleTable::addFunctionOf(uint64_t Kernel, uint64_t Function) {
  std::lock_guard Guard(Lock);
  auto Found = Handles.find(Kernel);
  if (Found != Handles.end() && Function != Kernel)
    Handles.insert_or_assign(Function,
                             Known{HandleKind::Function, Found->second.Owner});
}

void HandleTable::addModule(uint64_t Module, uint64_t Library) {
  std::lock_guard Guard(Lock);
  LibraryOfModule[Module] = Library;
}

HandleKind HandleTable::kindOf(uint64_t Handle) {
  std::lock_guard Guard(Lock);
  auto Found = Handles.find(Handle);
  return Found == Handles.end() ? HandleKind::Unknown : Found->second.Kind;
}

void HandleTable::noteKey(uint64_t Handle, uint64_t Key) {
  std::lock_guard Guard(Lock);
  auto Found = Handles.find(Handle);
  uint64_t Owner =
      Found == Handles.end() ? ownerOf(Handle) : Found->second.Owner;
  KeysOfOwner[Owner].push_back(Key);
}

void HandleTable::forgetOwner(uint64_t Owner, SeenSet &Seen) {
  std::lock_guard Guard(Lock);
  if (auto Keys = KeysOfOwner.extract(Owner))
    for (uint64_t Key : Keys.mapped())
      Seen.erase(Key);
  std::erase_if(Handles,
                [&](const auto &H) { return H.second.Owner == Owner; });
  std::erase_if(LibraryOfModule, [&](const auto &M) {
    return M.first == Owner || M.second == Owner;
  });
}

void HandleTable::forgetAll() {
  std::lock_guard Guard(Lock);
  Handles.clear();
  LibraryOfModule.clear();
  KeysOfOwner.clear();
}
