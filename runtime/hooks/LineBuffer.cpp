//===- LineBuffer.cpp - A log line without allocation ---------------------===//

#include "hooks/LineBuffer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kplan::runtime::hooks;

namespace {
constexpr std::string_view Cut = "...";
constexpr size_t LongestQuote = 200;
} // namespace

LineBuffer::LineBuffer() { *this << "kplan: "; }

LineBuffer &LineBuffer::operator<<(std::string_view More) {
  // Room is kept for the mark and for the end of the line.
  size_t Room = sizeof(Text) - Cut.size() - 1;
  if (Length > Room)
    return *this; // Cut already.
  size_t Taken = std::min(More.size(), Room - Length);
  std::memcpy(Text + Length, More.data(), Taken);
  Length += Taken;
  if (Taken < More.size()) {
    std::memcpy(Text + Length, Cut.data(), Cut.size());
    Length += Cut.size();
  }
  return *this;
}

LineBuffer &LineBuffer::operator<<(uint64_t Number) {
  char Digits[24];
  auto End = std::to_chars(Digits, Digits + sizeof(Digits), Number).ptr;
  return *this << std::string_view(Digits, static_cast<size_t>(End - Digits));
}

LineBuffer &LineBuffer::operator<<(int64_t Number) {
  if (Number >= 0)
    return *this << static_cast<uint64_t>(Number);
  return *this << "-" << (~static_cast<uint64_t>(Number) + 1);
}

LineBuffer &LineBuffer::operator<<(const void *Address) {
  char Digits[24] = {'0', 'x'};
  auto End = std::to_chars(Digits + 2, Digits + sizeof(Digits),
                           reinterpret_cast<uintptr_t>(Address), 16)
                 .ptr;
  return *this << std::string_view(Digits, static_cast<size_t>(End - Digits));
}

LineBuffer &LineBuffer::microseconds(uint64_t Nanoseconds) {
  uint64_t Rest = Nanoseconds % 1000;
  *this << Nanoseconds / 1000 << ".";
  if (Rest < 100)
    *this << "0";
  if (Rest < 10)
    *this << "0";
  return *this << Rest << " us";
}

LineBuffer &LineBuffer::quoted(const char *Quoted) {
  if (!Quoted)
    return *this << "null";
  *this << "\"";
  size_t Size = strnlen(Quoted, LongestQuote + 1);
  for (size_t I = 0; I < std::min(Size, LongestQuote); ++I) {
    unsigned char C = static_cast<unsigned char>(Quoted[I]);
    if (C == '"' || C == '\\') {
      char Escaped[] = {'\\', static_cast<char>(C)};
      *this << std::string_view(Escaped, 2);
    } else if (C < ' ' || C > '~') {
      constexpr char Hex[] = "0123456789abcdef";
      char Escaped[] = {'\\', 'x', Hex[C >> 4], Hex[C & 15]};
      *this << std::string_view(Escaped, 4);
    } else {
      *this << std::string_view(Quoted + I, 1);
    }
  }
  return *this << (Size > LongestQuote ? "\"..." : "\"");
}

void LineBuffer::write() {
  int SavedErrno = errno;
  Text[Length++] = '\n';
  for (size_t Done = 0; Done < Length;) {
    // Not write(): a thread must not be cancelled here.
    long Written =
        syscall(SYS_write, STDERR_FILENO, Text + Done, Length - Done);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      break; // Nobody listens.
    Done += static_cast<size_t>(Written);
  }
  Length = 0;
  errno = SavedErrno;
}
