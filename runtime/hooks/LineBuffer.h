//===- LineBuffer.h - A log line without allocation -----------------------===//
//
// Part of kplan. For places that must not allocate: inside dlsym, before an
// allocator has started, in a hook. Written whole by one write(2) to standard
// error; what does not fit is cut off, marked by "...".
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_RUNTIME_HOOKS_LINEBUFFER_H
#define KPLAN_RUNTIME_HOOKS_LINEBUFFER_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kplan::runtime::hooks {

class LineBuffer {
public:
  /// Begins with "kplan: ".
  LineBuffer();

  LineBuffer &operator<<(std::string_view Text);
  LineBuffer &operator<<(const char *Text) {
    return *this << std::string_view(Text ? Text : "(null)");
  }
  LineBuffer &operator<<(uint64_t Number);
  LineBuffer &operator<<(int64_t Number);
  LineBuffer &operator<<(int Number) { return *this << int64_t(Number); }
  LineBuffer &operator<<(unsigned Number) { return *this << uint64_t(Number); }
  /// Hexadecimal.
  LineBuffer &operator<<(const void *Address);
  /// Nanoseconds, as microseconds with three places.
  LineBuffer &microseconds(uint64_t Nanoseconds);
  /// In double quotes; other than printable ASCII escaped, long text cut.
  LineBuffer &quoted(const char *Text);

  std::string_view text() const { return {Text, Length}; }
  /// Ends the line and writes it. errno is kept.
  void write();

private:
  char Text[1024];
  size_t Length = 0;
};

} // namespace kplan::runtime::hooks

#endif // KPLAN_RUNTIME_HOOKS_LINEBUFFER_H
