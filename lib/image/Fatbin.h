//===- Fatbin.h - Device code for several architectures -------------------===//
//
// Part of kplan. A fatbin is a header and entries; a wrapper is what nvcc's
// host code hands to the runtime: it points at a fatbin in memory. Compressed
// entries are recognised; Unpack.h unpacks them.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_FATBIN_H
#define KPLAN_IMAGE_FATBIN_H

#include "image/ByteView.h"
#include "plan/Diagnostic.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kplan::image {

inline constexpr uint32_t FatbinMagic = 0xBA55ED50;
inline constexpr uint32_t WrapperMagic = 0x466243B1;

enum class FatbinCompression { None, Lz4, Zstd };
enum class EntryKind { Cubin, Ptx, LtoIr, Other };

struct FatbinEntry {
  EntryKind Kind = EntryKind::Other;
  uint16_t RawKind = 0;
  unsigned Arch = 0;     ///< 90 for sm_90 and sm_90a.
  bool ArchOnly = false; ///< sm_90a: runs on that architecture alone.
  FatbinCompression Compression = FatbinCompression::None;
  ByteView Payload; ///< As stored; padding only where it is not compressed.
  uint64_t UnpackedSize = 0; ///< Of a compressed entry; otherwise Payload's.

  /// "sm_90a", "compute_90", "lto_90".
  std::string archName() const;
};

/// Header and body.
Result<uint64_t> fatbinSize(ByteView Bytes);
Result<std::vector<FatbinEntry>> fatbinEntries(ByteView Bytes);

/// The entry that the driver would take for a device of compute capability
/// \p Arch (90 for 9.0): the newest cubin that runs there, otherwise the newest
/// PTX that can be compiled for it. Null: none.
const FatbinEntry *selectEntry(std::span<const FatbinEntry> Entries,
                               unsigned Arch);

/// A wrapper as it stands in memory. The pointers are valid only in the
/// process that the wrapper belongs to.
struct Wrapper {
  uint32_t Version = 0;
  const void *Fatbin = nullptr;
  /// Version 2: fatbins that were linked on the device side to make `Fatbin`,
  /// a null-terminated array; otherwise null.
  const void *const *Prelinked = nullptr;
};
Result<Wrapper> readWrapper(ByteView Bytes);

} // namespace kplan::image

#endif // KPLAN_IMAGE_FATBIN_H
