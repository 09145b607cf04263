//===- ElfReader.h - Sections and symbols of a 64-bit ELF -----------------===//
//
// Part of kplan. Reads what kplan needs of cubins and of host objects, from
// bytes that nobody vouches for: a table that does not fit is an error when
// the file is opened, and everything handed out afterwards lies inside.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_ELFREADER_H
#define KPLAN_IMAGE_ELFREADER_H

#include "image/ByteView.h"
#include "plan/Diagnostic.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kplan::image {

struct ElfHeader {
  uint8_t OsAbi = 0;
  uint8_t AbiVersion = 0;
  uint16_t Type = 0;
  uint16_t Machine = 0;
  uint32_t Flags = 0;
};

struct ElfSection {
  std::string_view Name;
  uint32_t Type = 0;
  uint64_t Flags = 0;
  uint64_t Offset = 0;
  uint64_t Size = 0;
  uint32_t Link = 0;
  uint32_t Info = 0;
  uint64_t EntrySize = 0;
  bool InFile = false; ///< Its bytes are in the file, and inside it.
};

struct ElfSymbol {
  std::string_view Name;
  uint64_t Value = 0;
  uint64_t Size = 0;
  uint8_t Type = 0;
  uint8_t Other = 0;
  uint32_t Section = 0; ///< 0: undefined.
};

struct ElfRelocation {
  uint64_t Offset = 0;
  uint32_t Symbol = 0;
  uint32_t Type = 0;
};

inline constexpr uint16_t ElfTypeRelocatable = 1;
inline constexpr uint16_t ElfTypeExecutable = 2;
inline constexpr uint16_t ElfMachineCuda = 190;
inline constexpr uint32_t ElfSectionSymbols = 2;
inline constexpr uint32_t ElfSectionRela = 4;
inline constexpr uint32_t ElfSectionRel = 9;
inline constexpr uint8_t ElfSymbolObject = 1;
inline constexpr uint8_t ElfSymbolFunction = 2;
inline constexpr uint8_t ElfSymbolCudaObject = 13;

class ElfReader {
public:
  /// True when \p Bytes begin as a 64-bit little-endian ELF does.
  static bool isElf(ByteView Bytes);
  /// \p Bytes may go on past the ELF.
  static Result<ElfReader> open(ByteView Bytes);

  const ElfHeader &header() const { return Header; }
  /// The largest end of any section, segment or header table.
  uint64_t size() const { return TotalSize; }
  const std::vector<ElfSection> &sections() const { return Sections; }
  const ElfSection *section(std::string_view Name) const;
  /// Empty where the section has no bytes in the file.
  ByteView contents(const ElfSection &Section) const;
  /// Of the symbol table (the first, if several); index 0 is the null symbol.
  std::vector<ElfSymbol> symbols() const;
  /// Of a section of type Rel or Rela.
  std::vector<ElfRelocation> relocations(const ElfSection &Section) const;

private:
  ByteView Bytes;
  ElfHeader Header;
  uint64_t TotalSize = 0;
  std::vector<ElfSection> Sections;
};

} // namespace kplan::image

#endif // KPLAN_IMAGE_ELFREADER_H
