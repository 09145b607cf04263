//===- ElfReader.cpp - Sections and symbols of a 64-bit ELF ---------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "image/ElfReader.h"

#include <elf.h>

#include <algorithm>

namespace kplan::image {
namespace {

// NVIDIA's own section types that, like SHT_NOBITS, have a size but no bytes
// in the file: nvcc -rdc writes them for .nv.global, .nv.local, .nv.shared.*.
constexpr uint32_t CudaGlobal = SHT_LOPROC + 7;
constexpr uint32_t CudaLocal = SHT_LOPROC + 9;
constexpr uint32_t CudaShared = SHT_LOPROC + 10;
constexpr uint32_t CudaSharedReserved = SHT_LOPROC + 0x15;

bool hasBytes(uint32_t Type, uint16_t Machine) {
  if (Type == SHT_NULL || Type == SHT_NOBITS)
    return false;
  if (Machine != ElfMachineCuda)
    return true;
  return Type != CudaGlobal && Type != CudaLocal && Type != CudaShared &&
         Type != CudaSharedReserved;
}

/// The end of [Offset, Offset + Count * Size), or none when it overflows or
/// goes past \p Limit.
std::optional<uint64_t> endOf(uint64_t Offset, uint64_t Count, uint64_t Size,
                              uint64_t Limit) {
  uint64_t Bytes = 0, End = 0;
  if (__builtin_mul_overflow(Count, Size, &Bytes) ||
      __builtin_add_overflow(Offset, Bytes, &End) || End > Limit)
    return std::nullopt;
  return End;
}

Diagnostic bad(const char *What) {
  return makeError(std::string("damaged ELF: ") + What,
                   "the file is truncated or is not what it claims to be");
}

} // namespace

bool ElfReader::isElf(ByteView Bytes) {
  auto Magic = Bytes.slice(0, SELFMAG);
  auto Class = Bytes.read<uint8_t>(EI_CLASS);
  auto Data = Bytes.read<uint8_t>(EI_DATA);
  return Magic && std::memcmp(Magic->data(), ELFMAG, SELFMAG) == 0 &&
         Class == ELFCLASS64 && Data == ELFDATA2LSB;
}

Result<ElfReader> ElfReader::open(ByteView Bytes) {
  if (!isElf(Bytes))
    return makeError("not a 64-bit little-endian ELF");
  auto Raw = Bytes.read<Elf64_Ehdr>(0);
  if (!Raw)
    return bad("its header is cut off");

  ElfReader E;
  E.Bytes = Bytes;
  E.Header = {Raw->e_ident[EI_OSABI], Raw->e_ident[EI_ABIVERSION], Raw->e_type,
              Raw->e_machine, Raw->e_flags};
  E.TotalSize = sizeof(Elf64_Ehdr);
  auto Reaches = [&](std::optional<uint64_t> End) {
    if (End)
      E.TotalSize = std::max(E.TotalSize, *End);
    return End.has_value();
  };

  if (Raw->e_phnum) {
    if (Raw->e_phentsize != sizeof(Elf64_Phdr))
      return bad("program headers of an unknown size");
    if (!Reaches(endOf(Raw->e_phoff, Raw->e_phnum, sizeof(Elf64_Phdr),
                       Bytes.size())))
      return bad("its program headers end past the end of the file");
    for (unsigned I = 0; I < Raw->e_phnum; ++I) {
      auto P = *Bytes.read<Elf64_Phdr>(Raw->e_phoff + I * sizeof(Elf64_Phdr));
      if (P.p_type != PT_NULL &&
          !Reaches(endOf(P.p_offset, 1, P.p_filesz, Bytes.size())))
        return bad("a segment ends past the end of the file");
    }
  }

  if (Raw->e_shoff == 0)
    return E;
  if (Raw->e_shentsize != sizeof(Elf64_Shdr))
    return bad("section headers of an unknown size");
  auto First = Bytes.read<Elf64_Shdr>(Raw->e_shoff);
  if (!First)
    return bad("its section headers end past the end of the file");
  // More sections than a 16-bit count holds: section 0 has the number.
  uint64_t Count = Raw->e_shnum ? Raw->e_shnum : First->sh_size;
  if (!Reaches(endOf(Raw->e_shoff, Count, sizeof(Elf64_Shdr), Bytes.size())))
    return bad("its section headers end past the end of the file");
  uint64_t NamesIndex =
      Raw->e_shstrndx == SHN_XINDEX ? First->sh_link : Raw->e_shstrndx;

  std::vector<uint32_t> NameOffsets;
  for (uint64_t I = 0; I < Count; ++I) {
    auto S = *Bytes.read<Elf64_Shdr>(Raw->e_shoff + I * sizeof(Elf64_Shdr));
    ElfSection Section;
    Section.Type = S.sh_type;
    Section.Flags = S.sh_flags;
    Section.Offset = S.sh_offset;
    Section.Size = S.sh_size;
    Section.Link = S.sh_link;
    Section.Info = S.sh_info;
    Section.EntrySize = S.sh_entsize;
    if (hasBytes(S.sh_type, Raw->e_machine)) {
      if (!Reaches(endOf(S.sh_offset, 1, S.sh_size, Bytes.size())))
        return bad("a section ends past the end of the file");
      Section.InFile = true;
    }
    E.Sections.push_back(Section);
    NameOffsets.push_back(S.sh_name);
  }
  if (NamesIndex >= E.Sections.size())
    return E; // Allowed: sections without names.
  ByteView Names = E.contents(E.Sections[NamesIndex]);
  for (size_t I = 0; I < E.Sections.size(); ++I)
    E.Sections[I].Name = Names.string(NameOffsets[I]).value_or("");
  return E;
}

const ElfSection *ElfReader::section(std::string_view Name) const {
  auto It = std::ranges::find(Sections, Name, &ElfSection::Name);
  return It == Sections.end() ? nullptr : &*It;
}

ByteView ElfReader::contents(const ElfSection &Section) const {
  if (!Section.InFile)
    return {};
  return Bytes.slice(Section.Offset, Section.Size).value_or(ByteView());
}

std::vector<ElfSymbol> ElfReader::symbols() const {
  auto Table =
      std::ranges::find(Sections, ElfSectionSymbols, &ElfSection::Type);
  if (Table == Sections.end())
    return {};
  ByteView Data = contents(*Table);
  ByteView Names;
  if (Table->Link < Sections.size())
    Names = contents(Sections[Table->Link]);
  ByteView WideIndexes;
  uint32_t TableIndex = static_cast<uint32_t>(Table - Sections.begin());
  for (const ElfSection &S : Sections)
    if (S.Type == SHT_SYMTAB_SHNDX && S.Link == TableIndex)
      WideIndexes = contents(S);

  std::vector<ElfSymbol> Symbols;
  Symbols.reserve(Data.size() / sizeof(Elf64_Sym));
  for (uint64_t I = 0; I < Data.size() / sizeof(Elf64_Sym); ++I) {
    auto Raw = *Data.read<Elf64_Sym>(I * sizeof(Elf64_Sym));
    ElfSymbol Symbol;
    Symbol.Name = Names.string(Raw.st_name).value_or("");
    Symbol.Value = Raw.st_value;
    Symbol.Size = Raw.st_size;
    Symbol.Type = ELF64_ST_TYPE(Raw.st_info);
    Symbol.Other = Raw.st_other;
    Symbol.Section = Raw.st_shndx;
    if (Raw.st_shndx == SHN_XINDEX)
      Symbol.Section = WideIndexes.read<uint32_t>(I * 4).value_or(0);
    Symbols.push_back(Symbol);
  }
  return Symbols;
}

std::vector<ElfRelocation>
ElfReader::relocations(const ElfSection &Section) const {
  size_t EntrySize = Section.Type == ElfSectionRela  ? sizeof(Elf64_Rela)
                     : Section.Type == ElfSectionRel ? sizeof(Elf64_Rel)
                                                     : 0;
  if (!EntrySize)
    return {};
  ByteView Data = contents(Section);
  std::vector<ElfRelocation> Relocations;
  for (uint64_t At = 0; Data.contains(At, EntrySize); At += EntrySize) {
    // Both forms begin alike.
    auto Raw = *Data.read<Elf64_Rel>(At);
    Relocations.push_back({Raw.r_offset,
                           static_cast<uint32_t>(ELF64_R_SYM(Raw.r_info)),
                           static_cast<uint32_t>(ELF64_R_TYPE(Raw.r_info))});
  }
  return Relocations;
}

} // namespace kplan::image
