//===- Subject.h - What a call is about -----------------------------------===//
//
// Part of kplan. Most calls of a running program repeat what was seen before; a
// call's subject tells that from its arguments alone, by a key for the SeenSet.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_SUBJECT_H
#define KPLAN_RUNTIME_RECORD_SUBJECT_H

#include "hooks/DriverCall.h"
#include "record/SeenSet.h"

namespace kplan::runtime::record {

template <class H> uint64_t numberOf(H Handle) {
  return reinterpret_cast<uintptr_t>(Handle);
}

/// What a key stands for.
enum class Fact : uint8_t {
  Launched, ///< of a function
  Touched,  ///< of a kernel or function
  Set,      ///< an attribute to a value
  CacheSet, ///< a cache config
  LookedUp, ///< a name in a library or module
  Listed,   ///< all kernels of a library or functions of a module
  Stream,   ///< launched on
  Thread,   ///< has made a call
  Used,
  LocalBytes,
  Device,
  Driver
};

constexpr uint64_t keyOf(Fact What, uint64_t Handle, uint64_t More = 0) {
  uint64_t Key = mix(Handle + mix(More + (static_cast<uint64_t>(What) << 56)));
  return Key + 1 > 1 ? Key : 1; // Neither 0 nor ~0.
}
inline uint64_t keyOf(Fact What, const void *Handle, uint64_t More = 0) {
  return keyOf(What, reinterpret_cast<uintptr_t>(Handle), More);
}

struct Subject {
  /// Known by this key once it has succeeded; 0: every such call counts.
  uint64_t Key = 0;
  bool Ignored = false;
  /// Launches: of the stream; 0: there is none.
  uint64_t StreamKey = 0;
  CUstream Stream = nullptr;
  const void *Kernel = nullptr; ///< Kernel or function; null: about none.
  const void *Owner = nullptr;  ///< Library or module, of a look-up.
  const char *Name = nullptr;   ///< What is looked up, if by name.
};

Subject subjectOf(const hooks::DriverCall &Call);

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_SUBJECT_H
