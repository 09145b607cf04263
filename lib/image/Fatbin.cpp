//===- Fatbin.cpp - Device code for several architectures -----------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "image/Fatbin.h"

namespace kplan::image {
namespace {

struct RawHeader {
  uint32_t Magic;
  uint16_t Version;
  uint16_t HeaderSize;
  uint64_t BodySize;
};
static_assert(sizeof(RawHeader) == 16);

struct RawEntry {
  uint16_t Kind;
  uint16_t Version;
  uint32_t HeaderSize;
  uint64_t PayloadSize; ///< Padding included.
  uint32_t PackedSize;  ///< Of a compressed entry, without padding.
  uint32_t OptionsOffset;
  uint16_t IsaMinor;
  uint16_t IsaMajor;
  uint32_t Arch;
  uint32_t NameOffset;
  uint32_t NameSize;
  uint64_t Flags;
  uint64_t Reserved;
  uint64_t UnpackedSize;
};
static_assert(sizeof(RawEntry) == 64);

constexpr uint64_t FlagCompressedLz4 = 0x2000;
constexpr uint64_t FlagCompressedZstd = 0x8000;
constexpr uint64_t FlagArchOnly = 0x100000;

EntryKind kindOf(uint16_t Raw) {
  switch (Raw) {
  case 1:
    return EntryKind::Ptx;
  case 2:
    return EntryKind::Cubin;
  case 8:
    return EntryKind::LtoIr;
  default:
    return EntryKind::Other;
  }
}

FatbinCompression compressionOf(uint64_t Flags) {
  if (Flags & FlagCompressedZstd)
    return FatbinCompression::Zstd;
  return Flags & FlagCompressedLz4 ? FatbinCompression::Lz4
                                   : FatbinCompression::None;
}

Diagnostic bad(const char *What) {
  return makeError(std::string("damaged fatbin: ") + What,
                   "the image is truncated or is not what it claims to be");
}

Result<RawHeader> readHeader(ByteView Bytes) {
  auto Raw = Bytes.read<RawHeader>(0);
  if (!Raw || Raw->Magic != FatbinMagic)
    return makeError("not a fatbin");
  if (Raw->HeaderSize < sizeof(RawHeader) ||
      !Bytes.contains(Raw->HeaderSize, Raw->BodySize))
    return bad("its body ends past the end of the image");
  return *Raw;
}

bool runsOn(const FatbinEntry &E, unsigned Arch) {
  if (E.ArchOnly)
    return E.Arch == Arch;
  if (E.Kind == EntryKind::Cubin)
    return E.Arch / 10 == Arch / 10 && E.Arch <= Arch;
  return E.Kind == EntryKind::Ptx && E.Arch <= Arch;
}

} // namespace

std::string FatbinEntry::archName() const {
  const char *Prefix = Kind == EntryKind::Ptx     ? "compute_"
                       : Kind == EntryKind::LtoIr ? "lto_"
                                                  : "sm_";
  return Prefix + std::to_string(Arch) + (ArchOnly ? "a" : "");
}

Result<uint64_t> fatbinSize(ByteView Bytes) {
  auto Header = readHeader(Bytes);
  if (!Header)
    return Header.errors();
  return Header->HeaderSize + Header->BodySize;
}

Result<std::vector<FatbinEntry>> fatbinEntries(ByteView Bytes) {
  auto Header = readHeader(Bytes);
  if (!Header)
    return Header.errors();
  ByteView Body = *Bytes.slice(Header->HeaderSize, Header->BodySize);
  std::vector<FatbinEntry> Entries;
  for (uint64_t At = 0; At < Body.size();) {
    auto Raw = Body.read<RawEntry>(At);
    if (!Raw)
      return bad("an entry's header is cut off");
    if (Raw->HeaderSize < sizeof(RawEntry) ||
        !Body.contains(At, Raw->HeaderSize) ||
        !Body.contains(At + Raw->HeaderSize, Raw->PayloadSize))
      return bad("an entry ends past the end of the image");
    FatbinEntry E;
    E.Kind = kindOf(Raw->Kind);
    E.RawKind = Raw->Kind;
    E.Arch = Raw->Arch;
    E.ArchOnly = Raw->Flags & FlagArchOnly;
    E.Compression = compressionOf(Raw->Flags);
    const bool Packed = E.Compression != FatbinCompression::None;
    if (Packed && Raw->PackedSize > Raw->PayloadSize)
      return bad("a compressed entry ends past its payload");
    E.Payload = *Body.slice(At + Raw->HeaderSize,
                            Packed ? Raw->PackedSize : Raw->PayloadSize);
    E.UnpackedSize = Packed ? Raw->UnpackedSize : Raw->PayloadSize;
    Entries.push_back(E);
    At += Raw->HeaderSize + Raw->PayloadSize;
  }
  return Entries;
}

const FatbinEntry *selectEntry(std::span<const FatbinEntry> Entries,
                               unsigned Arch) {
  const FatbinEntry *Best = nullptr;
  auto Better = [](const FatbinEntry &A, const FatbinEntry &B) {
    if (A.Kind != B.Kind)
      return A.Kind == EntryKind::Cubin;
    if (A.Arch != B.Arch)
      return A.Arch > B.Arch;
    return A.ArchOnly && !B.ArchOnly;
  };
  for (const FatbinEntry &E : Entries)
    if ((E.Kind == EntryKind::Cubin || E.Kind == EntryKind::Ptx) &&
        runsOn(E, Arch) && (!Best || Better(E, *Best)))
      Best = &E;
  return Best;
}

Result<Wrapper> readWrapper(ByteView Bytes) {
  auto Magic = Bytes.read<uint32_t>(0);
  if (!Magic || *Magic != WrapperMagic)
    return makeError("not a fatbin wrapper");
  auto Version = Bytes.read<uint32_t>(4);
  auto Fatbin = Bytes.read<uint64_t>(8);
  if (!Version || !Fatbin)
    return bad("its wrapper is cut off");
  if (*Version != 1 && *Version != 2)
    return makeError("fatbin wrapper of unknown version " +
                     std::to_string(*Version));
  Wrapper W;
  W.Version = *Version;
  W.Fatbin = reinterpret_cast<const void *>(*Fatbin);
  if (*Version == 2) {
    auto Prelinked = Bytes.read<uint64_t>(16);
    if (!Prelinked)
      return bad("its wrapper is cut off");
    W.Prelinked = reinterpret_cast<const void *const *>(*Prelinked);
  }
  return W;
}

} // namespace kplan::image
