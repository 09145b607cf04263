//===- Image.cpp - What kind of image, how large, which content -----------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "image/Image.h"

#include "image/Cubin.h"
#include "image/ElfReader.h"
#include "image/Fatbin.h"
#include "image/Ptx.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace kplan::image {

Result<Identity> identify(ByteView Bytes) {
  Identity I;
  auto Magic = Bytes.read<uint32_t>(0);
  if (Magic == FatbinMagic) {
    auto Size = fatbinSize(Bytes);
    if (!Size)
      return Size.errors();
    I.Kind = ImageKind::Fatbin;
    I.Bytes = *Bytes.slice(0, *Size);
    return I;
  }
  if (Magic == WrapperMagic)
    return makeError("a fatbin wrapper, which holds no device code itself",
                     "give the fatbin that it points at");
  if (ElfReader::isElf(Bytes)) {
    auto Elf = ElfReader::open(Bytes);
    if (!Elf)
      return Elf.errors();
    if (Elf->header().Machine != ElfMachineCuda)
      return makeError("an ELF, but not of device code",
                       "use the reader of embedded fatbins for programs");
    I.Kind = ImageKind::Cubin;
    I.Bytes = *Bytes.slice(0, Elf->size());
    return I;
  }
  if (auto Size = ptxSize(Bytes)) {
    I.Kind = ImageKind::Ptx;
    I.Bytes = *Bytes.slice(0, *Size);
    return I;
  }
  return makeError("not device code: neither cubin, fatbin nor PTX");
}

Result<Identity> identifyPointer(const void *Image) {
  if (!Image)
    return makeError("no image was given");
  auto Unbounded = [](const void *P) {
    return ByteView(P, SIZE_MAX - reinterpret_cast<uintptr_t>(P));
  };
  ByteView Bytes = Unbounded(Image);
  if (Bytes.read<uint32_t>(0) != WrapperMagic)
    return identify(Bytes);
  auto W = readWrapper(Bytes);
  if (!W)
    return W.errors();
  if (!W->Fatbin)
    return makeError("a fatbin wrapper that points at nothing");
  auto Inner = identify(Unbounded(W->Fatbin));
  if (Inner)
    Inner->WrapperVersion = W->Version;
  return Inner;
}

std::string contentId(ByteView Bytes) {
  XXH128_canonical_t Canonical;
  XXH128_canonicalFromHash(&Canonical,
                           XXH3_128bits(Bytes.data(), Bytes.size()));
  std::string Id = "xxh3:";
  for (unsigned char Byte : Canonical.digest) {
    Id += "0123456789abcdef"[Byte >> 4];
    Id += "0123456789abcdef"[Byte & 15];
  }
  return Id;
}

Result<Code> readCode(const Identity &Image, unsigned Arch,
                      ByteView *CodeBytes) {
  EntryKind Kind =
      Image.Kind == ImageKind::Ptx ? EntryKind::Ptx : EntryKind::Cubin;
  ByteView Bytes = Image.Bytes;
  if (Image.Kind == ImageKind::Fatbin) {
    auto Entries = fatbinEntries(Bytes);
    if (!Entries)
      return Entries.errors();
    const FatbinEntry *Entry = selectEntry(*Entries, Arch);
    if (!Entry)
      return makeError("no entry of the fatbin runs on sm_" +
                           std::to_string(Arch),
                       "compile for that architecture");
    if (Entry->Compression != FatbinCompression::None)
      return makeError("the entry for " + Entry->archName() +
                           " is compressed, its kernels are not listed",
                       "compile with nvcc --no-compress");
    Kind = Entry->Kind;
    Bytes = Entry->Payload;
  }
  if (CodeBytes)
    *CodeBytes = Bytes;
  if (Kind == EntryKind::Cubin)
    return readCubin(Bytes);
  auto Size = ptxSize(Bytes);
  if (!Size)
    return makeError("an entry that claims to be PTX is not");
  return readPtx(Bytes.text().substr(0, *Size));
}

} // namespace kplan::image
