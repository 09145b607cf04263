//===- Registry.h - What the program registered ---------------------------===//
//
// Part of kplan. Kernels and device variables as the link glue saw them being
// registered, by image (a fat binary or a device-linked image).
//
// Registration runs before main, from constructors in any order, and from
// dlopen on any thread: a Registry is constant-initialised, is never destroyed,
// calls nothing but malloc, and drops (and counts) what memory does not allow.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_REGISTRY_H
#define KPLAN_RUNTIME_REGISTRY_H

#include "link/LinkAbi.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace kplan::runtime {

/// A kernel (its host stub) or a variable (its host shadow).
struct RegisteredSymbol {
  const void *Host = nullptr;
  std::string Symbol;
};

struct RegisteredImage {
  const kplan_link_unit *Unit = nullptr;
  void **Handle = nullptr;
  uint64_t Serial = 0; ///< Never used again; a handle may be.
  std::vector<RegisteredSymbol> Kernels;
  std::vector<RegisteredSymbol> Variables;
};

class Registry {
public:
  constexpr Registry() = default;
  Registry(const Registry &) = delete;
  Registry &operator=(const Registry &) = delete;

  void addKernel(const kplan_link_unit *Unit, void **Handle, const void *Stub,
                 const char *Symbol) noexcept;
  void addVariable(const kplan_link_unit *Unit, void **Handle, const void *Host,
                   const char *Symbol) noexcept;
  /// Forgets an image with all that it holds.
  void remove(void **Handle) noexcept;

  /// A copy, in the order of registration.
  std::vector<RegisteredImage> snapshot() const;

  bool empty() const;

  /// Registrations that were lost for want of memory.
  size_t dropped() const;

  /// While it lives, no image is removed: remove() waits.
  class Hold {
  public:
    bool has(uint64_t Serial) const;

  private:
    friend class Registry;
    explicit Hold(const Registry &R) : Lock(R.Mutex), Owner(R) {}
    std::unique_lock<std::mutex> Lock;
    const Registry &Owner;
  };
  Hold hold() const { return Hold(*this); }

private:
  struct Entry {
    Entry *Next;
    const void *Host;
    const char *Symbol;
  };
  struct List {
    Entry *First = nullptr;
    Entry *Last = nullptr;
  };
  struct Image {
    Image *Next = nullptr;
    Image *Previous = nullptr;
    const kplan_link_unit *Unit = nullptr;
    void **Handle = nullptr;
    uint64_t Serial = 0;
    List Kernels;
    List Variables;
  };

  void add(List Image::*Which, const kplan_link_unit *Unit, void **Handle,
           const void *Host, const char *Symbol) noexcept;
  Image *find(void **Handle) const noexcept;

  mutable std::mutex Mutex;
  Image *First = nullptr;
  Image *Last =
      nullptr; ///< Registration comes image by image: looked at first.
  uint64_t NextSerial = 1;
  size_t Dropped = 0;
};

} // namespace kplan::runtime

#endif // KPLAN_RUNTIME_REGISTRY_H
