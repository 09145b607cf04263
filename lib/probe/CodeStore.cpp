//===- CodeStore.cpp - Compiled code, handed from process to process ------===//

#include "probe/CodeStore.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace kplan::probe {

static Diagnostic systemError(const char *What) {
  return makeError(std::string(What) + ": " + std::strerror(errno));
}

Result<int> makeCodeStore() {
  const int File = ::memfd_create("kplan-probe-code", 0);
  if (File < 0)
    return systemError("cannot make a file in memory");
  return File;
}

static bool writeAll(int File, const void *Data, size_t Size, off_t At) {
  const char *Bytes = static_cast<const char *>(Data);
  while (Size) {
    const ssize_t Count = ::pwrite(File, Bytes, Size, At);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Bytes += Count, At += Count, Size -= static_cast<size_t>(Count);
  }
  return true;
}

static bool readAll(int File, void *Data, size_t Size, off_t At) {
  char *Bytes = static_cast<char *>(Data);
  while (Size) {
    const ssize_t Count = ::pread(File, Bytes, Size, At);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Bytes += Count, At += Count, Size -= static_cast<size_t>(Count);
  }
  return true;
}

// The sizes of all, then their bytes.
using Sizes = std::array<uint64_t, TextCount>;

std::optional<Diagnostic> writeCode(int File, const CodeSet &Code) {
  Sizes Header;
  for (size_t I = 0; I < TextCount; ++I)
    Header[I] = Code[I].size();
  off_t At = sizeof Header;
  bool Written = writeAll(File, Header.data(), sizeof Header, 0);
  for (const std::string &Each : Code) {
    Written = Written && writeAll(File, Each.data(), Each.size(), At);
    At += static_cast<off_t>(Each.size());
  }
  if (!Written)
    return systemError("cannot keep the compiled code");
  return std::nullopt;
}

Result<CodeSet> readCode(int File) {
  constexpr uint64_t Most = uint64_t(64) << 20;
  Sizes Header;
  CodeSet Code;
  bool Read = readAll(File, Header.data(), sizeof Header, 0);
  off_t At = sizeof Header;
  for (size_t I = 0; Read && I < TextCount; ++I) {
    Read = Header[I] <= Most;
    if (!Read)
      break;
    Code[I].resize(Header[I]);
    Read = readAll(File, Code[I].data(), Header[I], At);
    At += static_cast<off_t>(Header[I]);
  }
  if (!Read)
    return makeError("the compiled code cannot be read",
                     "--worker is for kplan probe itself");
  return Code;
}

} // namespace kplan::probe
