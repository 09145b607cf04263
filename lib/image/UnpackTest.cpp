//===- UnpackTest.cpp -----------------------------------------------------===//

#include "image/Unpack.h"

#include <cstring>
#include <gtest/gtest.h>
#include <lz4.h>
#include <string>
#include <zstd.h>

using namespace kplan;
using namespace kplan::image;

namespace {

std::string ptx() {
  std::string Text = ".version 8.0\n.target sm_75\n";
  for (int I = 0; I < 20; ++I)
    Text += ".visible .entry kernel" + std::to_string(I) + "()\n{\n\tret;\n}\n";
  return Text;
}

std::string zstd(const std::string &Text) {
  std::string Out(ZSTD_compressBound(Text.size()), '\0');
  Out.resize(
      ZSTD_compress(Out.data(), Out.size(), Text.data(), Text.size(), 1));
  return Out;
}

std::string lz4(const std::string &Text) {
  std::string Out(
      static_cast<size_t>(LZ4_compressBound(static_cast<int>(Text.size()))),
      '\0');
  Out.resize(static_cast<size_t>(LZ4_compress_default(
      Text.data(), Out.data(), static_cast<int>(Text.size()),
      static_cast<int>(Out.size()))));
  return Out;
}

/// A fatbin with one entry of PTX, padded to eight bytes as nvcc pads it.
std::string fatbin(const std::string &Packed, uint64_t Flags,
                   uint64_t UnpackedSize) {
  std::string Padded = Packed;
  Padded.resize((Packed.size() + 7) / 8 * 8);
  std::string F(16 + 64, '\0');
  auto Put = [&](size_t At, uint64_t Value, size_t Bytes) {
    std::memcpy(F.data() + At, &Value, Bytes);
  };
  Put(0, FatbinMagic, 4);
  Put(4, 1, 2);
  Put(6, 16, 2);
  Put(8, 64 + Padded.size(), 8);
  Put(16, 1, 2);             // PTX
  Put(20, 64, 4);            // header
  Put(24, Padded.size(), 8); // payload
  Put(32, Packed.size(), 4); // packed
  Put(44, 75, 4);            // arch
  Put(56, Flags, 8);
  Put(72, UnpackedSize, 8);
  return F + Padded;
}

size_t kernelsOf(const std::string &Fatbin) {
  auto Identity = identify(ByteView(Fatbin));
  EXPECT_TRUE(Identity);
  auto Code = readUnpackedCode(*Identity, 90);
  return Code ? Code->Kernels.size() : 0;
}

constexpr uint64_t Lz4Flag = 0x2000, ZstdFlag = 0x8000;

TEST(Unpack, ReadsZstd) {
  EXPECT_EQ(kernelsOf(fatbin(zstd(ptx()), ZstdFlag, ptx().size())), 20u);
}

TEST(Unpack, ReadsLz4) {
  EXPECT_EQ(kernelsOf(fatbin(lz4(ptx()), Lz4Flag, ptx().size())), 20u);
}

TEST(Unpack, ReadsWhatIsNotCompressed) {
  EXPECT_EQ(kernelsOf(fatbin(ptx(), 0, 0)), 20u);
}

TEST(Unpack, BelievesNoSize) {
  for (uint64_t Size : {uint64_t(0), ptx().size() - 1, ptx().size() + 1,
                        uint64_t(1) << 40, ~uint64_t(0)}) {
    EXPECT_EQ(kernelsOf(fatbin(zstd(ptx()), ZstdFlag, Size)), 0u) << Size;
    EXPECT_EQ(kernelsOf(fatbin(lz4(ptx()), Lz4Flag, Size)), 0u) << Size;
  }
}

TEST(Unpack, TakesAnyBytes) {
  const std::string Valid[] = {zstd(ptx()), lz4(ptx())};
  const uint64_t Flags[] = {ZstdFlag, Lz4Flag};
  unsigned Seed = 3;
  for (int Round = 0; Round < 4000; ++Round) {
    std::string Bytes = Valid[Round % 2];
    for (int I = 0; I < 3; ++I) {
      Seed = Seed * 1103515245 + 12345;
      Bytes[(Seed >> 8) % Bytes.size()] = static_cast<char>(Seed >> 24);
    }
    kernelsOf(fatbin(Bytes, Flags[Round % 2], ptx().size()));
  }
}

} // namespace
