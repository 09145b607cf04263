//===- LoadedObject.h - A program or library in memory --------------------===//
//
// Part of kplan. Reads the dynamic section of what the loader has mapped, so
// that symbols can be found without dlsym: kplan defines dlsym itself. Nothing
// here allocates, sets errno or dlerror, or runs code of the object (but the
// resolver of an indirect function). Finding a function calls nothing of the C
// library but dl_iterate_phdr either: a sanitizer that intercepts strlen and
// the like asks dlsym for them before it can answer such calls.
//
// A LoadedObject is a view: it is valid as long as the object stays loaded.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_LOADEDOBJECT_H
#define KPLAN_RUNTIME_HOOKS_LOADEDOBJECT_H

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <string_view>

namespace kplan::runtime::hooks {

class LoadedObject {
public:
  LoadedObject() = default;
  explicit LoadedObject(const dl_phdr_info &Info);

  explicit operator bool() const { return Dynamic != nullptr; }
  uintptr_t base() const { return Base; }
  /// As the loader knows it; empty for the program itself.
  const char *path() const { return Path; }
  /// DT_SONAME; empty: none.
  std::string_view soname() const;
  bool contains(const void *Address) const {
    auto A = reinterpret_cast<uintptr_t>(Address);
    return A >= Low && A < High;
  }

  /// The address of a function that the object defines and exports, or null.
  /// Of several versions the default one.
  void *findFunction(std::string_view Name) const;

  /// Calls Visit(Name, Slot) for each pointer in the object that the loader
  /// fills (or filled) with the address of a symbol.
  template <class V> void forEachReference(V &&Visit) const {
    forEachReferenceIn(
        [](void *Context, std::string_view Name, void *const *Slot) {
          (*static_cast<V *>(Context))(Name, Slot);
        },
        &Visit);
  }

private:
  using ReferenceVisitor = void (*)(void *, std::string_view, void *const *);
  void forEachReferenceIn(ReferenceVisitor Visit, void *Context) const;
  std::string_view nameAt(size_t Offset) const;
  const ElfW(Sym) * lookup(std::string_view Name) const;
  bool matches(uint32_t Index, std::string_view Name) const;
  template <class T> const T *at(uintptr_t Address) const;
  /// The loader turns addresses in the dynamic section of most objects into
  /// pointers; where it does not (the vDSO), they are offsets.
  template <class T> const T *pointer(ElfW(Addr) Value) const;

  uintptr_t Base = 0, Low = 0, High = 0;
  const char *Path = "";
  const ElfW(Dyn) *Dynamic = nullptr;
  const char *Strings = nullptr;
  size_t StringsSize = 0;
  const ElfW(Sym) *Symbols = nullptr;
  const ElfW(Half) *Versions = nullptr;
  const uint32_t *GnuHash = nullptr;
  const uint32_t *SysvHash = nullptr;
  size_t SonameOffset = 0;
  struct {
    const ElfW(Rela) *First = nullptr;
    size_t Count = 0;
  } Relocations, PltRelocations;
};

/// Visits loaded objects in the order in which symbols are looked up, until
/// Visit returns true. The loader's list is locked meanwhile: do not load
/// anything, do not wait.
template <class V> bool forEachLoadedObject(V &&Visit) {
  return dl_iterate_phdr(
             [](dl_phdr_info *Info, size_t, void *Context) -> int {
               return (*static_cast<V *>(Context))(LoadedObject(*Info));
             },
             &Visit) != 0;
}

/// The object that an address lies in; empty: none.
LoadedObject objectContaining(const void *Address);

/// How many objects have been unloaded so far.
unsigned long long unloadCount();

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_LOADEDOBJECT_H
