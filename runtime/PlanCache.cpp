//===- PlanCache.cpp - Compiled plans, kept by content --------------------===//

#include "PlanCache.h"

#include "Log.h"
#include "image/File.h"
#include "plan/CompiledPlan.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using image::File;

namespace {

constexpr off_t LargestFile = off_t(1) << 30;
constexpr int FolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

/// Another kplan may read a text otherwise, or write another form.
std::string nameOfEntry(const std::string &Id) {
  return Id.substr(Id.find(':') + 1) + "-" KPLAN_VERSION "-" +
         std::to_string(CompiledVersion) + '.' + std::to_string(CompiledMinor) +
         ".kplan";
}

Result<File> openFolder(const std::string &Folder) {
  File Opened = File::open(Folder, FolderFlags);
  struct stat Status;
  if (!Opened.valid() || !Opened.status(Status))
    return image::systemError(Folder, "cannot be opened");
  if (auto Error = image::checkOwner(Folder, Status))
    return *Error;
  return Opened;
}

Result<std::string> readEntry(const File &Folder, const std::string &Name,
                              const std::string &Path) {
  // Not blocking: a FIFO in its place must not hang the program.
  File Entry = Folder.openInside(Name, O_RDONLY | O_NONBLOCK);
  struct stat Status;
  if (!Entry.valid() || !Entry.status(Status))
    return image::systemError(Path, "cannot be opened");
  if (auto Error = image::checkOwner(Path, Status))
    return *Error;
  if (!S_ISREG(Status.st_mode) || Status.st_size > LargestFile)
    return image::fileError(Path, "is no compiled plan");
  std::string Bytes(static_cast<size_t>(Status.st_size), '\0');
  if (!Entry.read(Bytes.data(), Bytes.size(), 0))
    return image::systemError(Path, "cannot be read");
  return Bytes;
}

/// Flushed before it gets its name: after a crash it is whole, or not there.
bool writeEntry(const File &Folder, const std::string &Name,
                std::string_view Bytes) {
  static constinit std::atomic<unsigned> Counter = 0;
  const std::string Temporary = ".tmp." + std::to_string(::getpid()) + '.' +
                                std::to_string(Counter.fetch_add(1));
  // One of that name can only have been left behind by a process that died.
  ::unlinkat(Folder.number(), Temporary.c_str(), 0);
  File To = Folder.openInside(Temporary, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!To.valid())
    return false;
  if (To.write(image::ByteView(Bytes)) && ::fsync(To.number()) == 0 &&
      ::renameat(Folder.number(), Temporary.c_str(), Folder.number(),
                 Name.c_str()) == 0)
    return true;
  int Error = errno;
  ::unlinkat(Folder.number(), Temporary.c_str(), 0);
  errno = Error;
  return false;
}

void say(const char *What, const Diagnostic &Why) {
  logVerbose(std::string(What) + Why.File + ": " + Why.Message);
}

} // namespace

std::optional<Plan> PlanCache::find(const std::string &Id) const {
  if (!isOn())
    return std::nullopt;
  struct stat Status;
  const std::string Name = nameOfEntry(Id), Path = Folder + '/' + Name;
  if (::lstat(Path.c_str(), &Status) != 0)
    return std::nullopt;
  constexpr const char *Complaint = "the kept plan is not used: ";
  Result<File> Here = openFolder(Folder);
  if (!Here) {
    say(Complaint, Here.errors().front());
    return std::nullopt;
  }
  Result<std::string> Bytes = readEntry(*Here, Name, Path);
  if (!Bytes) {
    say(Complaint, Bytes.errors().front());
    return std::nullopt;
  }
  Result<CompiledPlan> Read = readCompiledPlan(*Bytes, Path);
  if (Read && Read->Source == Id) {
    logVerbose("the plan was compiled before: " + Path);
    return std::move(Read->Plan);
  }
  say(Complaint, Read ? image::fileError(Path, "is that of another plan")
                      : Read.errors().front());
  return std::nullopt;
}

void PlanCache::keep(const std::string &Id, std::string_view Compiled) const {
  if (!isOn())
    return;
  // Of the parents only the last: ~/.cache is not there for a new user.
  if (size_t Slash = Folder.rfind('/'); Slash && Slash != std::string::npos)
    (void)::mkdir(Folder.substr(0, Slash).c_str(), 0700);
  constexpr const char *Complaint = "the compiled plan is not kept: ";
  if (::mkdir(Folder.c_str(), 0700) != 0 && errno != EEXIST)
    return say(Complaint, image::systemError(Folder, "cannot be created"));
  Result<File> Here = openFolder(Folder);
  if (!Here)
    return say(Complaint, Here.errors().front());
  const std::string Name = nameOfEntry(Id), Path = Folder + '/' + Name;
  if (!writeEntry(*Here, Name, Compiled))
    return say(Complaint, image::systemError(Path, "cannot be written"));
  logVerbose("the compiled plan is kept: " + Path);
}
