//===- HandleTable.h - What handles stand for, in the recorder ------------===//
//
// Part of kplan. The recorder must know of a handle whether it is a kernel's or
// a function's before it may ask the driver about it, and which keys of the
// SeenSet are about it: when its library or module goes, the handle may come
// back as that of something else.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_RECORD_HANDLETABLE_H
#define KPLAN_RUNTIME_RECORD_HANDLETABLE_H

#include "record/SeenSet.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace kplan::runtime::record {

enum class HandleKind { Unknown, Kernel, Function };

class HandleTable {
public:
  /// A library's or module's kernel or function; false: that was known.
  bool add(HandleKind Kind, uint64_t Handle, uint64_t Owner);
  /// A function of a kernel.
  void addFunctionOf(uint64_t Kernel, uint64_t Function);
  /// A library's module goes with it.
  void addModule(uint64_t Module, uint64_t Library);

  HandleKind kindOf(uint64_t Handle);

  /// \p Key is about a handle of either kind, or about a library or module.
  void noteKey(uint64_t Handle, uint64_t Key);

  /// A library or module goes: so do its handles, and all keys about them.
  void forgetOwner(uint64_t Owner, SeenSet &Seen);
  void forgetAll();

private:
  struct Known {
    HandleKind Kind = HandleKind::Unknown;
    uint64_t Owner = 0;
  };
  uint64_t ownerOf(uint64_t Module) const;

  std::mutex Lock;
  std::unordered_map<uint64_t, Known> Handles;
  std::unordered_map<uint64_t, uint64_t> LibraryOfModule;
  std::unordered_map<uint64_t, std::vector<uint64_t>> KeysOfOwner;
};

} // namespace kplan::runtime::record

#endif // KPLAN_RUNTIME_RECORD_HANDLETABLE_H
