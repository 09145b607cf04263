//===- LoadedObject.cpp - A program or library in memory ------------------===//

#include "hooks/LoadedObject.h"

#include <algorithm>
#include <cstring>

using namespace kplan::runtime::hooks;

namespace {

#if defined(__x86_64__)
constexpr uint32_t AddressTypes[] = {R_X86_64_64, R_X86_64_GLOB_DAT,
                                     R_X86_64_JUMP_SLOT};
#elif defined(__aarch64__)
constexpr uint32_t AddressTypes[] = {R_AARCH64_ABS64, R_AARCH64_GLOB_DAT,
                                     R_AARCH64_JUMP_SLOT};
#else
#error "relocations of this processor are not known"
#endif

constexpr ElfW(Half) HiddenVersion = 0x8000;

uint32_t gnuHash(std::string_view Name) {
  uint32_t Hash = 5381;
  for (unsigned char C : Name)
    Hash = Hash * 33 + C;
  return Hash;
}

/// Not memcmp: see the header.
bool isSame(const char *Text, size_t Room, std::string_view Name) {
  if (Room <= Name.size())
    return false;
  for (size_t I = 0; I < Name.size(); ++I)
    if (Text[I] != Name[I])
      return false;
  return Text[Name.size()] == 0;
}

uint32_t sysvHash(std::string_view Name) {
  uint32_t Hash = 0;
  for (unsigned char C : Name) {
    Hash = (Hash << 4) + C;
    Hash = (Hash ^ (Hash >> 24 & 0xf0)) & 0x0fffffff;
  }
  return Hash;
}

} // namespace

template <class T> const T *LoadedObject::at(uintptr_t Address) const {
  // The loader's own interface speaks in integers.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const T *>(Address);
}

template <class T> const T *LoadedObject::pointer(ElfW(Addr) Value) const {
  return at<T>(Value < Base ? Base + Value : Value);
}

LoadedObject::LoadedObject(const dl_phdr_info &Info)
    : Base(Info.dlpi_addr), Path(Info.dlpi_name ? Info.dlpi_name : "") {
  Low = ~uintptr_t(0);
  for (int I = 0; I < Info.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Info.dlpi_phdr[I];
    if (Segment.p_type == PT_LOAD) {
      Low = std::min<uintptr_t>(Low, Base + Segment.p_vaddr);
      High =
          std::max<uintptr_t>(High, Base + Segment.p_vaddr + Segment.p_memsz);
    } else if (Segment.p_type == PT_DYNAMIC) {
      Dynamic = at<ElfW(Dyn)>(Base + Segment.p_vaddr);
    }
  }
  if (!Dynamic)
    return;
  for (const ElfW(Dyn) *D = Dynamic; D->d_tag != DT_NULL; ++D) {
    switch (D->d_tag) {
    case DT_STRTAB:
      Strings = pointer<char>(D->d_un.d_ptr);
      break;
    case DT_STRSZ:
      StringsSize = D->d_un.d_val;
      break;
    case DT_SYMTAB:
      Symbols = pointer<ElfW(Sym)>(D->d_un.d_ptr);
      break;
    case DT_VERSYM:
      Versions = pointer<ElfW(Half)>(D->d_un.d_ptr);
      break;
    case DT_GNU_HASH:
      GnuHash = pointer<uint32_t>(D->d_un.d_ptr);
      break;
    case DT_HASH:
      SysvHash = pointer<uint32_t>(D->d_un.d_ptr);
      break;
    case DT_SONAME:
      SonameOffset = D->d_un.d_val;
      break;
    case DT_RELA:
      Relocations.First = pointer<ElfW(Rela)>(D->d_un.d_ptr);
      break;
    case DT_RELASZ:
      Relocations.Count = D->d_un.d_val / sizeof(ElfW(Rela));
      break;
    case DT_JMPREL:
      PltRelocations.First = pointer<ElfW(Rela)>(D->d_un.d_ptr);
      break;
    case DT_PLTRELSZ:
      PltRelocations.Count = D->d_un.d_val / sizeof(ElfW(Rela));
      break;
    default:
      break;
    }
  }
}

std::string_view LoadedObject::nameAt(size_t Offset) const {
  if (!Strings || Offset >= StringsSize)
    return {};
  return std::string_view(Strings + Offset,
                          strnlen(Strings + Offset, StringsSize - Offset));
}

std::string_view LoadedObject::soname() const {
  return SonameOffset ? nameAt(SonameOffset) : std::string_view();
}

bool LoadedObject::matches(uint32_t Index, std::string_view Name) const {
  const ElfW(Sym) &Symbol = Symbols[Index];
  unsigned Type = ELF64_ST_TYPE(Symbol.st_info);
  return Symbol.st_shndx != SHN_UNDEF && Symbol.st_value != 0 &&
         (Type == STT_FUNC || Type == STT_GNU_IFUNC || Type == STT_NOTYPE) &&
         Symbol.st_name < StringsSize &&
         isSame(Strings + Symbol.st_name, StringsSize - Symbol.st_name, Name);
}

const ElfW(Sym) * LoadedObject::lookup(std::string_view Name) const {
  if (!Symbols || !Strings)
    return nullptr;
  const ElfW(Sym) *Hidden = nullptr;
  auto Take = [&](uint32_t Index) -> const ElfW(Sym) * {
    if (!matches(Index, Name))
      return nullptr;
    if (!Versions || !(Versions[Index] & HiddenVersion))
      return &Symbols[Index];
    if (!Hidden)
      Hidden = &Symbols[Index];
    return nullptr;
  };

  if (GnuHash) {
    // Number of buckets, first hashed symbol, words in the Bloom filter, shift;
    // then the filter, the buckets, and a hash for each symbol, whose lowest
    // bit ends the chain.
    uint32_t Buckets = GnuHash[0], First = GnuHash[1], Words = GnuHash[2];
    const uint32_t *Bucket =
        GnuHash + 4 + size_t(Words) * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t *Chain = Bucket + Buckets;
    if (!Buckets)
      return nullptr;
    uint32_t Hash = gnuHash(Name);
    uint32_t Index = Bucket[Hash % Buckets];
    if (Index < First)
      return nullptr;
    for (;; ++Index) {
      uint32_t Other = Chain[Index - First];
      if ((Other | 1) == (Hash | 1))
        if (const ElfW(Sym) *Found = Take(Index))
          return Found;
      if (Other & 1)
        return Hidden;
    }
  }
  if (SysvHash) {
    uint32_t Buckets = SysvHash[0];
    const uint32_t *Bucket = SysvHash + 2, *Chain = Bucket + Buckets;
    if (!Buckets)
      return nullptr;
    for (uint32_t Index = Bucket[sysvHash(Name) % Buckets]; Index != STN_UNDEF;
         Index = Chain[Index])
      if (const ElfW(Sym) *Found = Take(Index))
        return Found;
  }
  return Hidden;
}

void *LoadedObject::findFunction(std::string_view Name) const {
  const ElfW(Sym) *Symbol = lookup(Name);
  if (!Symbol)
    return nullptr;
  void *Address = const_cast<char *>(at<char>(Base + Symbol->st_value));
  if (ELF64_ST_TYPE(Symbol->st_info) == STT_GNU_IFUNC)
    return reinterpret_cast<void *(*)()>(Address)();
  return Address;
}

void LoadedObject::forEachReferenceIn(ReferenceVisitor Visit,
                                      void *Context) const {
  if (!Symbols)
    return;
  for (const auto &Table : {Relocations, PltRelocations}) {
    for (size_t I = 0; Table.First && I < Table.Count; ++I) {
      const ElfW(Rela) &R = Table.First[I];
      uint32_t Type = ELF64_R_TYPE(R.r_info);
      if (std::ranges::find(AddressTypes, Type) == std::end(AddressTypes))
        continue;
      const ElfW(Sym) &Symbol = Symbols[ELF64_R_SYM(R.r_info)];
      Visit(Context, nameAt(Symbol.st_name), at<void *>(Base + R.r_offset));
    }
  }
}

LoadedObject kplan::runtime::hooks::objectContaining(const void *Address) {
  LoadedObject Found;
  forEachLoadedObject([&](const LoadedObject &Object) {
    if (!Object.contains(Address))
      return false;
    Found = Object;
    return true;
  });
  return Found;
}

unsigned long long kplan::runtime::hooks::unloadCount() {
  unsigned long long Count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Context) {
        *static_cast<unsigned long long *>(Context) = Info->dlpi_subs;
        return 1;
      },
      &Count);
  return Count;
}
