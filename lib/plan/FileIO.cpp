//===- FileIO.cpp - Whole files in, whole files out -----------------------===//

#include "plan/FileIO.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace kplan {

static Diagnostic systemError(const std::string &Path, const char *What,
                              int Error) {
  // strerror() may share its buffer between threads; this one does not.
  Diagnostic D = makeError(std::string(What) + ": " +
                           std::generic_category().message(Error));
  D.File = Path;
  return D;
}

namespace {

class FileDescriptor {
public:
  explicit FileDescriptor(int Number) : Number(Number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;
  int get() const { return Number; }
  bool valid() const { return Number >= 0; }
  /// False with errno: what was written may be lost.
  bool close() {
    int Closing = std::exchange(Number, -1);
    return Closing < 0 || ::close(Closing) == 0;
  }

private:
  int Number;
};

/// Removes a file unless it is kept.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string Path) : Path(std::move(Path)) {}
  ~TemporaryFile() {
    if (!Kept)
      ::unlink(Path.c_str());
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  void keep() { Kept = true; }

private:
  std::string Path;
  bool Kept = false;
};

} // namespace

static int openRetrying(const char *Path, int Flags, mode_t Mode = 0) {
  int Number;
  do
    Number = ::open(Path, Flags | O_CLOEXEC, Mode);
  while (Number < 0 && errno == EINTR);
  return Number;
}

static bool writeAll(int Number, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(Number, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return false;
    Text.remove_prefix(static_cast<size_t>(Written));
  }
  return true;
}

Result<std::string> readFile(const std::string &Path, size_t MaxBytes) {
  FileDescriptor File(openRetrying(Path.c_str(), O_RDONLY));
  if (!File.valid())
    return systemError(Path, "cannot open", errno);
  struct stat Status;
  if (::fstat(File.get(), &Status) != 0)
    return systemError(Path, "cannot read", errno);
  std::string Text;
  if (S_ISREG(Status.st_mode) &&
      static_cast<size_t>(Status.st_size) <= MaxBytes)
    Text.reserve(static_cast<size_t>(Status.st_size) + 1);
  constexpr size_t PieceBytes = size_t(1) << 16;
  for (;;) {
    size_t Size = Text.size();
    Text.resize(Size + PieceBytes);
    ssize_t Read = ::read(File.get(), Text.data() + Size, PieceBytes);
    int Error = errno;
    Text.resize(Size + (Read > 0 ? static_cast<size_t>(Read) : 0));
    if (Read == 0)
      return Text;
    if (Read < 0 && Error != EINTR)
      return systemError(Path, "cannot read", Error);
    if (Text.size() > MaxBytes) {
      Diagnostic D = makeError("the file is larger than " +
                               std::to_string(MaxBytes) + " bytes");
      D.File = Path;
      return D;
    }
  }
}

/// Where links lead to; the path itself where there is nothing yet.
static std::string resolveLinks(const std::string &Path) {
  std::unique_ptr<char, decltype(&std::free)> Real(
      ::realpath(Path.c_str(), nullptr), &std::free);
  return Real ? std::string(Real.get()) : Path;
}

/// The permissions of a new file; umask() cannot be asked without being set,
/// so the system is left to apply it to the file itself.
static int createTemporary(std::string &Path) {
  static constexpr char Letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string Prefix = Path + ".tmp.";
  uint64_t Seed = static_cast<uint64_t>(::getpid());
  struct timespec Now;
  ::clock_gettime(CLOCK_REALTIME, &Now);
  Seed = Seed * 1000003 + static_cast<uint64_t>(Now.tv_nsec);
  for (unsigned Attempt = 0; Attempt < 100; ++Attempt) {
    uint64_t Bits = (Seed += 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9;
    Path = Prefix;
    for (unsigned I = 0; I < 8; ++I, Bits /= 36)
      Path += Letters[Bits % 36];
    int Number = openRetrying(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (Number >= 0 || errno != EEXIST)
      return Number;
  }
  return -1;
}

static void flushFolder(const std::string &Path) {
  size_t Slash = Path.rfind('/');
  std::string Folder = Slash == std::string::npos ? "."
                       : Slash == 0               ? "/"
                                                  : Path.substr(0, Slash);
  FileDescriptor D(openRetrying(Folder.c_str(), O_RDONLY | O_DIRECTORY));
  // Some file systems cannot; the file itself is complete either way.
  if (D.valid())
    (void)::fsync(D.get());
}

static std::optional<Diagnostic> writeDirectly(const std::string &Path,
                                               std::string_view Text) {
  FileDescriptor File(openRetrying(Path.c_str(), O_WRONLY));
  if (!File.valid())
    return systemError(Path, "cannot open for writing", errno);
  if (!writeAll(File.get(), Text) || !File.close())
    return systemError(Path, "cannot write", errno);
  return std::nullopt;
}

std::optional<Diagnostic> writeFileAtomically(const std::string &Path,
                                              std::string_view Text) {
  std::string Target = resolveLinks(Path);
  struct stat Existing;
  bool Exists = ::stat(Target.c_str(), &Existing) == 0;
  if (Exists && S_ISDIR(Existing.st_mode))
    return systemError(Path, "cannot write", EISDIR);
  if (Exists && !S_ISREG(Existing.st_mode))
    return writeDirectly(Target, Text);
  // Renaming would overwrite what its owner protected.
  if (Exists && ::access(Target.c_str(), W_OK) != 0)
    return systemError(Path, "cannot write", errno);

  std::string Name = Target;
  FileDescriptor File(createTemporary(Name));
  if (!File.valid())
    return systemError(Path, "cannot create a temporary file beside it", errno);
  TemporaryFile Temporary(Name);
  if (Exists && ::fchmod(File.get(), Existing.st_mode & 07777) != 0)
    return systemError(Path, "cannot keep its permissions", errno);
  if (!writeAll(File.get(), Text) || ::fsync(File.get()) != 0 || !File.close())
    return systemError(Path, "cannot write", errno);
  if (::rename(Name.c_str(), Target.c_str()) != 0)
    return systemError(Path, "cannot replace", errno);
  Temporary.keep();
  flushFolder(Target);
  return std::nullopt;
}

} // namespace kplan
