//===- Unpack.cpp - Code in compressed fatbins ----------------------------===//

#include "image/Unpack.h"

#include "image/Cubin.h"
#include "image/Ptx.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <lz4.h>
#include <zstd.h>

using namespace kplan;
using namespace kplan::image;

/// The largest cubins of cuDNN have some 10 MB.
static constexpr uint64_t LargestCode = uint64_t(1) << 30;
static_assert(LargestCode <= INT_MAX);

Result<ImageBytes> kplan::image::unpack(const FatbinEntry &Entry) {
  if (Entry.UnpackedSize > LargestCode || Entry.Payload.size() > LargestCode)
    return makeError("damaged fatbin: an entry claims " +
                     std::to_string(Entry.UnpackedSize) + " bytes of code");
  ImageBytes Out(static_cast<size_t>(Entry.UnpackedSize));
  const size_t Size = Out.view().size();
  size_t Got = 0;
  switch (Entry.Compression) {
  case FatbinCompression::None:
    Got = std::min(Size, Entry.Payload.size());
    std::memcpy(Out.data(), Entry.Payload.data(), Got);
    break;
  case FatbinCompression::Zstd:
    Got = ZSTD_decompress(Out.data(), Size, Entry.Payload.data(),
                          Entry.Payload.size());
    break;
  case FatbinCompression::Lz4:
    Got = static_cast<size_t>(LZ4_decompress_safe(
        reinterpret_cast<const char *>(Entry.Payload.data()),
        reinterpret_cast<char *>(Out.data()),
        static_cast<int>(Entry.Payload.size()), static_cast<int>(Size)));
    break;
  }
  // Both report errors by values that are no size.
  if (Got != Size)
    return makeError("damaged fatbin: an entry cannot be unpacked");
  return Out;
}

Result<Code> kplan::image::readUnpackedCode(const Identity &Image,
                                            unsigned Arch) {
  if (Image.Kind != ImageKind::Fatbin)
    return readCode(Image, Arch);
  auto Entries = fatbinEntries(Image.Bytes);
  if (!Entries)
    return Entries.errors();
  const FatbinEntry *Entry = selectEntry(*Entries, Arch);
  if (!Entry || Entry->Compression == FatbinCompression::None)
    return readCode(Image, Arch);
  auto Bytes = unpack(*Entry);
  if (!Bytes)
    return Bytes.errors();
  if (Entry->Kind == EntryKind::Cubin)
    return readCubin(Bytes->view());
  auto Size = ptxSize(Bytes->view());
  if (!Size)
    return makeError("an entry that claims to be PTX is not");
  return readPtx(Bytes->view().text().substr(0, *Size));
}
