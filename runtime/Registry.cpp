//===- Registry.cpp - What the program registered -------------------------===//

#include "Registry.h"

#include <new>

using namespace kplan::runtime;

Registry::Image *Registry::find(void **Handle) const noexcept {
  for (Image *I = Last; I; I = I->Previous)
    if (I->Handle == Handle)
      return I;
  return nullptr;
}

void Registry::add(List Image::*Which, const kplan_link_unit *Unit,
                   void **Handle, const void *Host,
                   const char *Symbol) noexcept {
  std::lock_guard Guard(Mutex);
  Image *I = find(Handle);
  if (!I) {
    I = new (std::nothrow) Image;
    if (!I) {
      ++Dropped;
      return;
    }
    I->Unit = Unit;
    I->Handle = Handle;
    I->Serial = NextSerial++;
    I->Previous = Last;
    (Last ? Last->Next : First) = I;
    Last = I;
  }
  Entry *E = new (std::nothrow) Entry{nullptr, Host, Symbol};
  if (!E) {
    ++Dropped;
    return;
  }
  List &L = I->*Which;
  (L.Last ? L.Last->Next : L.First) = E;
  L.Last = E;
}

bool Registry::empty() const {
  std::lock_guard Guard(Mutex);
  return !First;
}

void Registry::addKernel(const kplan_link_unit *Unit, void **Handle,
                         const void *Stub, const char *Symbol) noexcept {
  add(&Image::Kernels, Unit, Handle, Stub, Symbol);
}

void Registry::addVariable(const kplan_link_unit *Unit, void **Handle,
                           const void *Host, const char *Symbol) noexcept {
  add(&Image::Variables, Unit, Handle, Host, Symbol);
}

void Registry::remove(void **Handle) noexcept {
  std::lock_guard Guard(Mutex);
  Image *I = find(Handle);
  if (!I)
    return;
  (I->Previous ? I->Previous->Next : First) = I->Next;
  (I->Next ? I->Next->Previous : Last) = I->Previous;
  for (List *L : {&I->Kernels, &I->Variables})
    for (Entry *E = L->First; E;) {
      Entry *Next = E->Next;
      delete E;
      E = Next;
    }
  delete I;
}

std::vector<RegisteredImage> Registry::snapshot() const {
  std::lock_guard Guard(Mutex);
  std::vector<RegisteredImage> Images;
  for (const Image *I = First; I; I = I->Next) {
    RegisteredImage &Copy = Images.emplace_back();
    Copy.Unit = I->Unit;
    Copy.Handle = I->Handle;
    Copy.Serial = I->Serial;
    for (const Entry *E = I->Kernels.First; E; E = E->Next)
      Copy.Kernels.push_back({E->Host, E->Symbol});
    for (const Entry *E = I->Variables.First; E; E = E->Next)
      Copy.Variables.push_back({E->Host, E->Symbol});
  }
  return Images;
}

size_t Registry::dropped() const {
  std::lock_guard Guard(Mutex);
  return Dropped;
}

bool Registry::Hold::has(uint64_t Serial) const {
  for (const Image *I = Owner.First; I; I = I->Next)
    if (I->Serial == Serial)
      return true;
  return false;
}
