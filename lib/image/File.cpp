//===- File.cpp - Files by bare system calls ------------------------------===//

#include "image/File.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

using namespace kplan;
using namespace kplan::image;

static int openRetrying(int Folder, const char *Path, int Flags, mode_t Mode) {
  long Number;
  do
    Number = syscall(SYS_openat, Folder, Path, Flags | O_CLOEXEC, Mode);
  while (Number < 0 && errno == EINTR);
  return static_cast<int>(Number);
}

File File::open(const std::string &Path, int Flags, mode_t Mode) {
  File F;
  F.Number = openRetrying(AT_FDCWD, Path.c_str(), Flags, Mode);
  return F;
}

File File::openInside(const std::string &Name, int Flags, mode_t Mode) const {
  File F;
  F.Number = openRetrying(Number, Name.c_str(), Flags | O_NOFOLLOW, Mode);
  return F;
}

bool File::status(struct stat &To) const { return ::fstat(Number, &To) == 0; }

bool File::write(ByteView Bytes) const {
  for (size_t Done = 0; Done < Bytes.size();) {
    long Written =
        syscall(SYS_write, Number, Bytes.data() + Done, Bytes.size() - Done);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return false;
    Done += static_cast<size_t>(Written);
  }
  return true;
}

bool File::read(void *To, size_t Size, uint64_t Offset) const {
  for (size_t Done = 0; Done < Size;) {
    long Got = syscall(SYS_pread64, Number, static_cast<char *>(To) + Done,
                       Size - Done, static_cast<off_t>(Offset + Done));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got == 0)
      errno = ENODATA;
    if (Got <= 0)
      return false;
    Done += static_cast<size_t>(Got);
  }
  return true;
}

void File::close() {
  if (Number >= 0)
    syscall(SYS_close, std::exchange(Number, -1));
}

Diagnostic kplan::image::fileError(const std::string &Path, std::string Why,
                                   std::string Hint) {
  Diagnostic D = makeError(std::move(Why), std::move(Hint));
  D.File = Path;
  return D;
}

Diagnostic kplan::image::systemError(const std::string &Path,
                                     const char *What) {
  return fileError(Path, std::string(What) + ": " +
                             std::generic_category().message(errno));
}

std::optional<Diagnostic> kplan::image::checkOwner(const std::string &Path,
                                                   const struct stat &Status) {
  if (Status.st_uid != ::geteuid() && Status.st_uid != 0)
    return fileError(
        Path, "belongs to another user (" + std::to_string(Status.st_uid) + ")",
        "use a copy of your own");
  if (Status.st_mode & (S_IWGRP | S_IWOTH))
    return fileError(Path, "may be written by others", "chmod go-w " + Path);
  return std::nullopt;
}
