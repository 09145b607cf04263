//===- ImageTest.cpp ------------------------------------------------------===//

#include "image/Image.h"

#include "image/Fatbin.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace kplan;
using namespace kplan::image;

namespace {

/// An ELF of a header and \p Padding bytes that its section table ends behind.
std::string minimalElf(size_t Padding = 0) {
  std::string E(64 + Padding + 64, '\0');
  std::memcpy(E.data(), "\177ELF\2\1\1", 7);
  auto Put = [&](size_t At, uint64_t Value, size_t Bytes) {
    std::memcpy(E.data() + At, &Value, Bytes);
  };
  Put(18, 190, 2);          // e_machine: CUDA
  Put(20, 1, 4);            // e_version
  Put(40, 64 + Padding, 8); // e_shoff
  Put(52, 64, 2);           // e_ehsize
  Put(58, 64, 2);           // e_shentsize
  Put(60, 1, 2);            // e_shnum
  return E;
}

std::string fatbin(std::string_view Body) {
  std::string F(16, '\0');
  const uint32_t Magic = FatbinMagic;
  const uint16_t Version = 1, Header = 16;
  const uint64_t Size = Body.size();
  std::memcpy(F.data(), &Magic, 4);
  std::memcpy(F.data() + 4, &Version, 2);
  std::memcpy(F.data() + 6, &Header, 2);
  std::memcpy(F.data() + 8, &Size, 8);
  return F.append(Body);
}

TEST(Image, CubinEndsWithItsLastTable) {
  const std::string Elf = minimalElf(100);
  const std::string Longer = Elf + "something behind it";
  const auto I = identify(ByteView(Longer));
  ASSERT_TRUE(I);
  EXPECT_EQ(I->Kind, ImageKind::Cubin);
  EXPECT_EQ(I->Bytes.size(), Elf.size());
}

TEST(Image, FatbinIsHeaderAndBody) {
  const std::string F = fatbin("") + "behind";
  const auto I = identify(ByteView(F));
  ASSERT_TRUE(I);
  EXPECT_EQ(I->Kind, ImageKind::Fatbin);
  EXPECT_EQ(I->Bytes.size(), 16u);
}

TEST(Image, PtxMayBeginWithWhiteSpaceAndComments) {
  const std::string Text("\n // made by hand\n.version 8.0\n.target sm_75\n");
  const std::string WithNul = Text + '\0' + "behind";
  const auto I = identify(ByteView(WithNul));
  ASSERT_TRUE(I);
  EXPECT_EQ(I->Kind, ImageKind::Ptx);
  EXPECT_EQ(I->Bytes.text(), Text);
}

TEST(Image, WrapperIsFollowedInTheOwnProcessOnly) {
  const std::string F = fatbin("");
  struct {
    uint32_t Magic = WrapperMagic, Version = 1;
    const void *Fatbin;
    const void *Prelinked = nullptr;
  } W;
  W.Fatbin = F.data();
  const auto I = identifyPointer(&W);
  ASSERT_TRUE(I);
  EXPECT_EQ(I->WrapperVersion, 1u);
  EXPECT_EQ(I->Bytes.data(), reinterpret_cast<const uint8_t *>(F.data()));
  EXPECT_FALSE(identify(ByteView(&W, sizeof W)));
}

TEST(Image, ContentIdIsTheHashOfTheBytes) {
  // XXH3-128 of nothing, as xxhsum -H2 prints it.
  EXPECT_EQ(contentId(ByteView()), "xxh3:99aa06d3014798d86001c324468d497f");
  EXPECT_NE(contentId(ByteView(std::string_view("a"))),
            contentId(ByteView(std::string_view("b"))));
}

TEST(Image, OtherBytesAreRefused) {
  for (std::string_view Bytes : {"", "x", "MZ", "\177ELF", "hello world"})
    EXPECT_FALSE(identify(ByteView(Bytes))) << Bytes;
}

TEST(Image, EveryTruncationOfACubinIsRefusedOrShort) {
  const std::string Elf = minimalElf(8);
  for (size_t N = 0; N < Elf.size(); ++N) {
    // A copy of exactly N bytes: a read behind it is one that ASan sees.
    const std::vector<char> Part(Elf.begin(), Elf.begin() + N);
    EXPECT_FALSE(identify(ByteView(Part.data(), N))) << N;
  }
}

TEST(Image, HostileSizesAreRefused) {
  std::string F = fatbin("body");
  for (uint64_t Size : {~0ULL, ~0ULL - 15, 5ULL, 1ULL << 40}) {
    std::memcpy(F.data() + 8, &Size, 8);
    EXPECT_FALSE(identify(ByteView(F))) << Size;
  }
}

} // namespace
