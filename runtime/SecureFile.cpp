//===- SecureFile.cpp - Read a file that only its user could have written -===//

#include "SecureFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// A plan of 100,000 kernels has 52 MB.
constexpr off_t LargestFile = off_t(1) << 30;

class Descriptor {
public:
  explicit Descriptor(int Number) : Number(Number) {}
  ~Descriptor() {
    if (Number >= 0)
      ::close(Number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return Number; }

private:
  int Number;
};

Diagnostic refuse(const std::string &Path, std::string Why,
                  std::string Hint = {}) {
  Diagnostic D = makeError(std::move(Why), std::move(Hint));
  D.File = Path;
  return D;
}

Diagnostic systemError(const std::string &Path, const char *What) {
  return refuse(Path, std::string(What) + ": " +
                          std::generic_category().message(errno));
}

} // namespace

Result<std::string> kplan::runtime::readSecureFile(const std::string &Path) {
  // Not blocking: a FIFO in its place must not hang the program.
  Descriptor File(
      ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (File.get() < 0) {
    if (errno == ELOOP)
      return refuse(Path, "is a symbolic link, which kplan does not follow",
                    "name the file itself");
    return systemError(Path, "cannot be opened");
  }
  // Of what was opened, not of what the path names now.
  struct stat Info;
  if (::fstat(File.get(), &Info) != 0)
    return systemError(Path, "cannot be examined");
  if (!S_ISREG(Info.st_mode))
    return refuse(Path, "is not a regular file");
  if (Info.st_uid != ::geteuid() && Info.st_uid != 0)
    return refuse(
        Path, "belongs to another user (" + std::to_string(Info.st_uid) + ")",
        "use a copy of your own");
  if (Info.st_mode & (S_IWGRP | S_IWOTH))
    return refuse(Path, "may be written by others", "chmod go-w " + Path);
  if (Info.st_size > LargestFile)
    return refuse(Path, "is too large for a plan");

  std::string Text;
  Text.reserve(static_cast<size_t>(Info.st_size));
  // On the heap: a thread of the program may have a small stack.
  std::vector<char> Buffer(1 << 16);
  for (;;) {
    ssize_t Got = ::read(File.get(), Buffer.data(), Buffer.size());
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return systemError(Path, "cannot be read");
    if (Got == 0)
      return Text;
    Text.append(Buffer.data(), static_cast<size_t>(Got));
    if (Text.size() > static_cast<size_t>(LargestFile))
      return refuse(Path, "is too large for a plan");
  }
}
