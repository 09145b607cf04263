//===- File.h - Files by bare system calls --------------------------------===//
//
// Part of kplan. Images are read and written inside other people's processes,
// in the middle of their driver calls: nothing here is a cancellation point,
// goes through functions that another library may have interposed, or follows
// a symbolic link unless it says so.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_FILE_H
#define KPLAN_IMAGE_FILE_H

#include "image/ByteView.h"
#include "plan/Diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace kplan::image {

/// Bytes of its own; a NUL stands behind them, which PTX needs.
class ImageBytes {
public:
  explicit ImageBytes(size_t Size)
      : Data(std::make_unique<uint8_t[]>(Size + 1)), Size(Size) {}

  uint8_t *data() { return Data.get(); }
  const uint8_t *data() const { return Data.get(); }
  ByteView view() const { return ByteView(Data.get(), Size); }

private:
  std::unique_ptr<uint8_t[]> Data;
  size_t Size;
};

/// An open file or folder, closed at the end. Where a function fails, errno
/// says why.
class File {
public:
  File() = default;
  ~File() { close(); }
  File(File &&Other) noexcept : Number(std::exchange(Other.Number, -1)) {}
  File &operator=(File &&Other) noexcept {
    std::swap(Number, Other.Number);
    return *this;
  }

  /// As open(2), with O_CLOEXEC.
  static File open(const std::string &Path, int Flags, mode_t Mode = 0);
  /// As openat(2), with O_CLOEXEC and O_NOFOLLOW.
  File openInside(const std::string &Name, int Flags, mode_t Mode = 0) const;

  bool valid() const { return Number >= 0; }
  int number() const { return Number; }
  bool status(struct stat &To) const;
  bool write(ByteView Bytes) const;
  /// True only if \p Size bytes are there.
  bool read(void *To, size_t Size, uint64_t Offset) const;
  void close();

private:
  int Number = -1;
};

/// A file that cannot be used, or a folder: which one, and why.
Diagnostic fileError(const std::string &Path, std::string Why,
                     std::string Hint = {});
/// The same with what errno says.
Diagnostic systemError(const std::string &Path, const char *What);

/// An error unless the file or folder belongs to the user or root, and nobody
/// else may write it.
std::optional<Diagnostic> checkOwner(const std::string &Path,
                                     const struct stat &Status);

} // namespace kplan::image

#endif // KPLAN_IMAGE_FILE_H
