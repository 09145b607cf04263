//===- Embedded.cpp - Fatbins inside programs and libraries ---------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "image/Embedded.h"

#include "image/ElfReader.h"
#include "image/Fatbin.h"

#include <algorithm>

namespace kplan::image {

Result<std::vector<EmbeddedFatbin>> embeddedFatbins(ByteView File) {
  auto Elf = ElfReader::open(File);
  if (!Elf)
    return Elf.errors();
  std::vector<EmbeddedFatbin> Fatbins;
  for (const ElfSection &S : Elf->sections()) {
    if (S.Name != ".nv_fatbin" && S.Name != "__nv_relfatbin")
      continue;
    ByteView Data = Elf->contents(S);
    // The linker pads between fatbins to their alignment.
    constexpr uint64_t Step = 8;
    for (uint64_t At = 0; At + Step <= Data.size();) {
      if (Data.read<uint32_t>(At) != FatbinMagic) {
        At += Step;
        continue;
      }
      ByteView Rest = *Data.slice(At, Data.size() - At);
      auto Size = fatbinSize(Rest);
      if (!Size)
        return Size.errors();
      Fatbins.push_back(
          {std::string(S.Name), S.Offset + At, *Rest.slice(0, *Size)});
      At += (*Size + Step - 1) / Step * Step;
    }
  }
  std::ranges::sort(Fatbins, {}, &EmbeddedFatbin::Offset);
  return Fatbins;
}

} // namespace kplan::image
