//===- ImageMatch.cpp - The image that a program hands to the driver ------===//

#include "ImageMatch.h"

#include "image/Fatbin.h"

#include <cstring>

using namespace kplan;
using namespace kplan::runtime;
using image::ByteView;

namespace {

/// Headers of fatbins and cubins; whoever reads the magic number reads these.
constexpr size_t MagicSize = 4;
constexpr size_t FatbinHeader = 16;
constexpr size_t CubinHeader = 64;

/// Byte by byte: text may end before the size of a magic number.
bool hasMagic(const void *Image, uint32_t Magic) {
  const auto *Bytes = static_cast<const uint8_t *>(Image);
  for (size_t I = 0; I < MagicSize; ++I)
    if (Bytes[I] != (Magic >> 8 * I & 0xFF))
      return false;
  return true;
}

} // namespace

GivenImage GivenImage::pointer(const void *Image) {
  GivenImage Given;
  Given.Begin = Image;
  if (!Image)
    return Given;
  if (!hasMagic(Image, image::WrapperMagic))
    return Given;
  auto Wrapper = image::readWrapper(ByteView(Image, 24));
  // A list of fatbins that were linked says that there is more to the image.
  Given.Begin = Wrapper && !(Wrapper->Prelinked && *Wrapper->Prelinked)
                    ? Wrapper->Fatbin
                    : nullptr;
  return Given;
}

GivenImage GivenImage::bytes(ByteView Bytes) {
  GivenImage Given;
  Given.Begin = Bytes.data();
  Given.Size = Bytes.size();
  return Given;
}

/// The bytes of `Known` are compared from the front. Where the headers are
/// equal, they state the same size, and all of it can be read.
bool GivenImage::beginsWith(ByteView Known) const {
  auto Magic = Known.read<uint32_t>(0);
  if (!Magic || Size < Known.size() || !hasMagic(Begin, *Magic))
    return false;
  size_t Header = *Magic == image::FatbinMagic ? FatbinHeader : CubinHeader;
  return Known.size() >= Header &&
         std::memcmp(Begin, Known.data(), Header) == 0 &&
         std::memcmp(Begin, Known.data(), Known.size()) == 0;
}

bool GivenImage::is(ImageKind Kind, ByteView Known) const {
  if (!Begin || Known.empty())
    return false;
  if (Kind != ImageKind::Ptx)
    return beginsWith(Known);
  // Text ends at its NUL, or at the end of a file; strncmp reads no further.
  const char *Text = static_cast<const char *>(Begin);
  if (Size == SIZE_MAX)
    return std::strncmp(Text, reinterpret_cast<const char *>(Known.data()),
                        Known.size()) == 0 &&
           Text[Known.size()] == 0;
  return Size >= Known.size() &&
         std::memcmp(Text, Known.data(), Known.size()) == 0 &&
         (Size == Known.size() || Text[Known.size()] == 0);
}
