//===- Program.cpp - The device code of a program or library --------------===//

#include "image/Program.h"

#include "image/Cubin.h"
#include "image/ElfReader.h"
#include "image/Embedded.h"
#include "image/Fatbin.h"
#include "image/Image.h"
#include "image/Mapping.h"
#include "image/Origin.h"
#include "image/Ptx.h"
#include "image/Unpack.h"

#include <algorithm>
#include <fcntl.h>

using namespace kplan;
using namespace kplan::image;

namespace {

class ProgramReader {
public:
  ProgramReader(ProgramCode &Out, std::optional<unsigned> Arch)
      : Out(Out), Arch(Arch) {}

  void readFatbin(ByteView Bytes, uint64_t Offset) {
    auto Entries = fatbinEntries(Bytes);
    if (!Entries)
      return unread(Entries.errors().front().Message);
    if (Arch) {
      if (const FatbinEntry *Best = selectEntry(*Entries, *Arch))
        readEntry(*Best, Offset);
      return;
    }
    for (const FatbinEntry &E : *Entries)
      readEntry(E, Offset);
  }

  void add(const Result<Code> &Read, std::string ArchName, uint64_t Offset,
           uint64_t Bytes) {
    if (!Read)
      return unread(Read.errors().front().Message);
    Out.Units.push_back({Offset, std::move(ArchName), Bytes, *Read});
  }

private:
  void readEntry(const FatbinEntry &E, uint64_t Offset) {
    if (E.Kind == EntryKind::LtoIr)
      return unread("it is LTO-IR (" + E.archName() + ")");
    if (E.Kind == EntryKind::Other)
      return;
    auto Bytes = unpack(E);
    if (!Bytes)
      return unread(Bytes.errors().front().Message);
    ByteView View = Bytes->view();
    add(E.Kind == EntryKind::Cubin
            ? readCubin(View)
            : readPtx(View.text().substr(0, ptxSize(View).value_or(0))),
        E.archName(), Offset, E.Payload.size());
  }

  void unread(const std::string &Why) {
    if (!Out.Unread++)
      Out.WhyUnread = Why;
  }

  ProgramCode &Out;
  std::optional<unsigned> Arch;
};

bool isHostElf(ByteView Bytes) {
  auto Elf = ElfReader::open(Bytes);
  return Elf && Elf->header().Machine != ElfMachineCuda;
}

} // namespace

Result<ProgramCode>
kplan::image::readProgramCode(const std::string &Path,
                              std::optional<unsigned> Arch) {
  File From = File::open(Path, O_RDONLY | O_NONBLOCK);
  if (!From.valid())
    return systemError(Path, "cannot be opened");
  Mapping Whole(From);
  ByteView Bytes = Whole.view();
  ProgramCode Out;
  Out.Path = Path;
  ProgramReader Reader(Out, Arch);
  if (ElfReader::isElf(Bytes) && isHostElf(Bytes)) {
    auto Fatbins = embeddedFatbins(Bytes);
    if (!Fatbins)
      return fileError(Path, Fatbins.errors().front().Message);
    Out.BuildId = readBuildId(Path);
    // Of relocatable code the driver is given what was linked from it, which
    // an object does not have yet.
    bool Linked =
        std::any_of(Fatbins->begin(), Fatbins->end(),
                    [](const EmbeddedFatbin &F) { return !F.relocatable(); });
    for (const EmbeddedFatbin &F : *Fatbins)
      if (!Linked || !F.relocatable())
        Reader.readFatbin(F.Bytes, F.Offset);
    return Out;
  }
  auto What = identify(Bytes);
  if (!What)
    return fileError(Path, "is neither a program nor device code");
  if (What->Kind == ImageKind::Fatbin) {
    Reader.readFatbin(What->Bytes, 0);
    return Out;
  }
  bool Ptx = What->Kind == ImageKind::Ptx;
  auto Read = Ptx ? readPtx(What->Bytes.text()) : readCubin(What->Bytes);
  std::string ArchName = Ptx    ? std::string(ptxTarget(What->Bytes.text()))
                         : Read ? "sm_" + std::to_string(Read->Arch)
                                : "";
  Reader.add(Read, std::move(ArchName), 0, What->Bytes.size());
  return Out;
}

bool kplan::image::looksLikeProgram(const std::string &Path) {
  Mapping Whole(File::open(Path, O_RDONLY | O_NONBLOCK));
  ByteView Bytes = Whole.view();
  return ElfReader::isElf(Bytes) || Bytes.read<uint32_t>(0) == FatbinMagic ||
         ptxSize(Bytes);
}
