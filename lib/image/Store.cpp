//===- Store.cpp - Images by content, beside their plan -------------------===//

#include "image/Store.h"

#include "image/Image.h"
#include "plan/Names.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::image;

namespace {

constexpr std::string_view IdPrefix = "xxh3:";
constexpr size_t HashDigits = 32;
constexpr uint64_t LargestImage = uint64_t(4) << 30;
constexpr int FolderFlags = O_RDONLY | O_DIRECTORY;

/// "images", "9fb7….cubin"; nothing for a path that could lead elsewhere.
std::vector<std::string> partsOf(std::string_view Path) {
  std::vector<std::string> Parts;
  for (size_t Begin = 0; Begin <= Path.size();) {
    size_t End = std::min(Path.find('/', Begin), Path.size());
    std::string_view Part = Path.substr(Begin, End - Begin);
    if (Part.empty() || Part == "." || Part == ".." ||
        Part.find('\0') != Part.npos)
      return {};
    Parts.emplace_back(Part);
    Begin = End + 1;
  }
  return Parts;
}

std::string temporaryName() {
  static constinit std::atomic<unsigned> Counter = 0;
  return ".tmp." + std::to_string(::getpid()) + "." +
         std::to_string(Counter.fetch_add(1));
}

} // namespace

bool kplan::image::isContentId(std::string_view Text) {
  return Text.size() == IdPrefix.size() + HashDigits &&
         Text.starts_with(IdPrefix) &&
         Text.find_first_not_of("0123456789abcdef", IdPrefix.size()) ==
             Text.npos;
}

std::string kplan::image::storePath(ImageKind Kind, std::string_view Id) {
  std::string Path(Store::FolderName);
  Path += '/';
  Path += Id.substr(std::min(IdPrefix.size(), Id.size()));
  Path += '.';
  return Path += nameOf(Kind);
}

Store::Store(std::string Folder)
    : PlanFolder(Folder.empty() ? "." : std::move(Folder)) {}

Result<File> Store::open(const std::string &Path) const {
  std::vector<std::string> Parts = partsOf(Path);
  if (Parts.empty())
    return fileError(Path, "is no path inside the store");
  std::string Name = PlanFolder;
  File Here = File::open(PlanFolder, FolderFlags);
  for (size_t I = 0; Here.valid() && I < Parts.size(); ++I) {
    bool Last = I + 1 == Parts.size();
    Name += '/' + Parts[I];
    // Not blocking: a FIFO in a file's place must not hang the program.
    Here =
        Here.openInside(Parts[I], Last ? O_RDONLY | O_NONBLOCK : FolderFlags);
    struct stat Status;
    if (!Here.valid())
      break;
    if (!Here.status(Status))
      return systemError(Name, "cannot be examined");
    if (Last && !S_ISREG(Status.st_mode))
      return fileError(Name, "is not a regular file");
    if (auto Error = checkOwner(Name, Status))
      return *Error;
  }
  if (Here.valid())
    return Here;
  // With O_DIRECTORY the system says "not a directory" of a link.
  if (errno == ELOOP || errno == ENOTDIR)
    return fileError(Name,
                     "is a symbolic link, which kplan does not follow, or no "
                     "folder");
  return systemError(Name, "cannot be opened");
}

Result<ImageBytes> Store::readUnverified(const std::string &Path) const {
  auto From = open(Path);
  if (!From)
    return From.errors();
  std::string Name = PlanFolder + '/' + Path;
  struct stat Status;
  if (!From->status(Status))
    return systemError(Name, "cannot be examined");
  if (static_cast<uint64_t>(Status.st_size) > LargestImage)
    return fileError(Name, "is too large for an image");
  ImageBytes Bytes(static_cast<size_t>(Status.st_size));
  if (!From->read(Bytes.data(), Bytes.view().size(), 0))
    return systemError(Name, "cannot be read");
  return Bytes;
}

Result<ImageBytes> Store::read(const StoreOrigin &From,
                               std::string_view Id) const {
  auto Bytes = readUnverified(From.Path);
  if (Bytes && contentId(Bytes->view()) != Id)
    return fileError(PlanFolder + '/' + From.Path,
                     "holds other bytes than the plan says (" +
                         contentId(Bytes->view()) + ", not " + std::string(Id) +
                         ")",
                     "trace the program again");
  return Bytes;
}

Result<StoreOrigin> Store::add(ImageKind Kind, std::string_view Id,
                               ByteView Bytes) const {
  if (!isContentId(Id))
    return makeError("'" + std::string(Id) + "' is no content id");
  const std::string FolderPath = PlanFolder + '/' + std::string(FolderName);
  if (::mkdir(FolderPath.c_str(), 0700) != 0 && errno != EEXIST)
    return systemError(FolderPath, "cannot be created");
  File Folder = File::open(FolderPath, FolderFlags | O_NOFOLLOW);
  struct stat Status;
  if (!Folder.valid() || !Folder.status(Status))
    return systemError(FolderPath, "cannot be opened");
  // Whoever may write it could put something else in place of an image.
  if (auto Error = checkOwner(FolderPath, Status))
    return *Error;

  StoreOrigin Origin{storePath(Kind, Id)};
  const std::string Name = Origin.Path.substr(FolderName.size() + 1);
  if (::fstatat(Folder.number(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) ==
          0 &&
      S_ISREG(Status.st_mode) &&
      static_cast<uint64_t>(Status.st_size) == Bytes.size())
    return Origin;

  const std::string Temporary = temporaryName();
  // One of that name can only have been left behind by a process that died.
  ::unlinkat(Folder.number(), Temporary.c_str(), 0);
  File To = Folder.openInside(Temporary, O_WRONLY | O_CREAT | O_EXCL, 0600);
  const std::string Path = PlanFolder + '/' + Origin.Path;
  if (!To.valid())
    return systemError(Path, "cannot be created");
  if (!To.write(Bytes) || ::renameat(Folder.number(), Temporary.c_str(),
                                     Folder.number(), Name.c_str()) != 0) {
    Diagnostic Error = systemError(Path, "cannot be written");
    ::unlinkat(Folder.number(), Temporary.c_str(), 0);
    return Error;
  }
  return Origin;
}
