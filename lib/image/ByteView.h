//===- ByteView.h - Bytes from outside, read within bounds ----------------===//
//
// Part of kplan. Everything that reads an image goes through a ByteView: an
// offset or size that an image states is never used unchecked, and a read out
// of range is an empty optional. Reads need no alignment; images are little
// endian, as are the hosts that CUDA runs on.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_IMAGE_BYTEVIEW_H
#define KPLAN_IMAGE_BYTEVIEW_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace kplan::image {

class ByteView {
public:
  ByteView() = default;
  ByteView(const void *Data, size_t Size)
      : Begin(static_cast<const uint8_t *>(Data)), Length(Size) {}
  explicit ByteView(std::string_view Text)
      : ByteView(Text.data(), Text.size()) {}

  const uint8_t *data() const { return Begin; }
  size_t size() const { return Length; }
  bool empty() const { return Length == 0; }
  std::string_view text() const {
    return {reinterpret_cast<const char *>(Begin), Length};
  }

  template <typename T> std::optional<T> read(uint64_t Offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(Offset, sizeof(T)))
      return std::nullopt;
    T Value;
    std::memcpy(&Value, Begin + Offset, sizeof(T));
    return Value;
  }

  bool contains(uint64_t Offset, uint64_t Size) const {
    return Offset <= Length && Size <= Length - Offset;
  }

  std::optional<ByteView> slice(uint64_t Offset, uint64_t Size) const {
    if (!contains(Offset, Size))
      return std::nullopt;
    return ByteView(Begin + Offset, static_cast<size_t>(Size));
  }

  /// The text at \p Offset up to its NUL, which must lie inside.
  std::optional<std::string_view> string(uint64_t Offset) const {
    if (Offset >= Length)
      return std::nullopt;
    const void *End = std::memchr(Begin + Offset, 0, Length - Offset);
    if (!End)
      return std::nullopt;
    const char *Text = reinterpret_cast<const char *>(Begin + Offset);
    return std::string_view(Text, static_cast<const char *>(End) - Text);
  }

private:
  const uint8_t *Begin = nullptr;
  size_t Length = 0;
};

} // namespace kplan::image

#endif // KPLAN_IMAGE_BYTEVIEW_H
