//===- Origin.cpp - Where an image's bytes can be had again ---------------===//

#include "image/Origin.h"

#include "image/ElfReader.h"
#include "image/Image.h"
#include "image/Mapping.h"
#include "image/Store.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::image;

namespace {

/// What a line of /proc/self/maps says.
struct MapLine {
  uint64_t Begin = 0, End = 0, Offset = 0;
  std::string_view Path;
};

std::optional<uint64_t> takeHex(std::string_view &Text, char EndedBy) {
  uint64_t Number = 0;
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number, 16);
  size_t Taken = static_cast<size_t>(End - Text.data());
  if (Error != std::errc() || Taken == Text.size() || *End != EndedBy)
    return std::nullopt;
  Text.remove_prefix(Taken + 1);
  return Number;
}

/// "7f00-7f10 r--p 00001000 fd:01 1234       /usr/lib/x.so"
std::optional<MapLine> parseMapLine(std::string_view Text) {
  auto Begin = takeHex(Text, '-');
  if (!Begin)
    return std::nullopt;
  auto End = takeHex(Text, ' ');
  if (!End || Text.size() < 5)
    return std::nullopt;
  Text.remove_prefix(5);
  auto Offset = takeHex(Text, ' ');
  size_t Slash = Text.find('/');
  if (!Offset || Slash == Text.npos)
    return std::nullopt;
  return MapLine{*Begin, *End, *Offset, Text.substr(Slash)};
}

std::string readAll(const char *Path) {
  std::string Text;
  File From = File::open(Path, O_RDONLY);
  if (!From.valid())
    return Text;
  for (;;) {
    size_t Size = Text.size();
    Text.resize(Size + (size_t(1) << 16));
    long Got = syscall(SYS_read, From.number(), Text.data() + Size,
                       Text.size() - Size);
    bool Again = Got < 0 && errno == EINTR;
    Text.resize(Size + (Got > 0 ? static_cast<size_t>(Got) : 0));
    if (Got <= 0 && !Again)
      return Text;
  }
}

/// Opens a file that others cannot change under us.
Result<File> openTrusted(const std::string &Path) {
  File From = File::open(Path, O_RDONLY | O_NONBLOCK);
  struct stat Status;
  if (!From.valid() || !From.status(Status))
    return systemError(Path, "cannot be opened");
  if (!S_ISREG(Status.st_mode))
    return fileError(Path, "is not a regular file");
  if (auto Error = checkOwner(Path, Status))
    return *Error;
  return From;
}

bool holds(const File &From, uint64_t Offset, ByteView Bytes) {
  // On the heap: a thread that calls the driver may have a small stack.
  constexpr size_t Piece = size_t(1) << 16;
  auto Buffer = std::make_unique<uint8_t[]>(Piece);
  for (size_t Done = 0; Done < Bytes.size();) {
    size_t Now = std::min(Piece, Bytes.size() - Done);
    if (!From.read(Buffer.get(), Now, Offset + Done) ||
        std::memcmp(Buffer.get(), Bytes.data() + Done, Now) != 0)
      return false;
    Done += Now;
  }
  return true;
}

std::string buildIdIn(ByteView Elf) {
  // GNU build ids are notes: name size, description size, type 3, "GNU\0".
  auto Reader = ElfReader::open(Elf);
  const ElfSection *Section =
      Reader ? Reader->section(".note.gnu.build-id") : nullptr;
  if (!Section)
    return {};
  ByteView Note = Reader->contents(*Section);
  auto NameSize = Note.read<uint32_t>(0), Size = Note.read<uint32_t>(4);
  if (NameSize != 4u || !Size)
    return {};
  auto Id = Note.slice(16, *Size);
  std::string Text;
  for (size_t I = 0; Id && I < Id->size(); ++I) {
    Text += "0123456789abcdef"[Id->data()[I] >> 4];
    Text += "0123456789abcdef"[Id->data()[I] & 15];
  }
  return Text;
}

} // namespace

std::string kplan::image::readBuildId(const std::string &Path) {
  Mapping Whole(File::open(Path, O_RDONLY | O_NONBLOCK));
  return buildIdIn(Whole.view());
}

std::optional<FileOrigin> kplan::image::findInMappedFiles(ByteView Bytes) {
  const std::string Maps = readAll("/proc/self/maps");
  const auto Address = reinterpret_cast<uintptr_t>(Bytes.data());
  for (std::string_view Rest = Maps; !Rest.empty();) {
    std::string_view Text = Rest.substr(0, Rest.find('\n'));
    Rest.remove_prefix(std::min(Rest.size(), Text.size() + 1));
    auto Line = parseMapLine(Text);
    if (!Line || Address < Line->Begin || Address >= Line->End)
      continue;
    FileOrigin Origin;
    Origin.File = std::string(Line->Path);
    Origin.Offset = Line->Offset + (Address - Line->Begin);
    Origin.Size = Bytes.size();
    auto From = openTrusted(Origin.File);
    if (!From)
      return std::nullopt;
    // Other files that are mapped, such as a cache of compiled kernels, come
    // and go.
    Mapping Whole(*From);
    auto Elf = ElfReader::open(Whole.view());
    if (!Elf || Elf->header().Machine == ElfMachineCuda ||
        !holds(*From, Origin.Offset, Bytes))
      return std::nullopt;
    Origin.BuildId = buildIdIn(Whole.view());
    return Origin;
  }
  return std::nullopt;
}

static Result<ImageBytes> readFileOrigin(const FileOrigin &Origin) {
  auto From = openTrusted(Origin.File);
  if (!From)
    return From.errors();
  struct stat Status;
  if (!From->status(Status))
    return systemError(Origin.File, "cannot be examined");
  const auto FileSize = static_cast<uint64_t>(Status.st_size);
  if (Origin.Offset > FileSize || Origin.Size > FileSize - Origin.Offset)
    return fileError(Origin.File, "is shorter than the plan says",
                     "trace the program again");
  ImageBytes Bytes(static_cast<size_t>(Origin.Size));
  if (!From->read(Bytes.data(), Bytes.view().size(), Origin.Offset))
    return systemError(Origin.File, "cannot be read");
  return Bytes;
}

Result<ImageBytes> kplan::image::readOrigin(const Image &Of,
                                            const std::string &PlanFolder) {
  if (auto *Stored = std::get_if<StoreOrigin>(&Of.Origin))
    return Store(PlanFolder).read(*Stored, Of.Id);
  auto *Range = std::get_if<FileOrigin>(&Of.Origin);
  if (!Range)
    return makeError("the plan does not say where image " + Of.Id + " is");
  auto Bytes = readFileOrigin(*Range);
  if (Bytes && contentId(Bytes->view()) != Of.Id)
    return fileError(Range->File,
                     "holds another image there than the plan says",
                     "trace the program again: the file has changed");
  return Bytes;
}
