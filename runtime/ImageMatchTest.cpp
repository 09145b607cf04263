//===- ImageMatchTest.cpp - The image that a program hands to the driver -===//

#include "ImageMatch.h"

#include "image/Fatbin.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::runtime;
using image::ByteView;

namespace {

/// A program's image at the very end of readable memory: reading on ends the
/// test.
class AtTheEdge {
public:
  explicit AtTheEdge(const std::string &Bytes) {
    Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    Room = (Bytes.size() / Page + 1) * Page;
    Memory = static_cast<char *>(mmap(nullptr, Room + Page, PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(Memory, Room, PROT_READ | PROT_WRITE);
    Begin = Memory + Room - Bytes.size();
    std::memcpy(Begin, Bytes.data(), Bytes.size());
  }
  ~AtTheEdge() { munmap(Memory, Room + Page); }
  AtTheEdge(const AtTheEdge &) = delete;
  AtTheEdge &operator=(const AtTheEdge &) = delete;
  const void *data() const { return Begin; }

private:
  size_t Page, Room;
  char *Memory, *Begin;
};

bool matches(ImageKind Kind, const std::string &Known, const void *Given) {
  return GivenImage::pointer(Given).is(Kind, ByteView(Known));
}

std::string cubin(char Last = 'x') {
  std::string Bytes = "\x7f"
                      "ELF" +
                      std::string(5000, 'c');
  Bytes.back() = Last;
  return Bytes;
}

std::string fatbin() {
  std::string Bytes(64, 'f');
  std::memcpy(Bytes.data(), &image::FatbinMagic, 4);
  return Bytes;
}

struct Wrapper {
  uint32_t Magic = image::WrapperMagic;
  uint32_t Version = 1;
  const void *Fatbin = nullptr;
  const void *const *Prelinked = nullptr;
};

TEST(ImageMatch, KnowsACubinByAllItsBytes) {
  EXPECT_TRUE(matches(ImageKind::Cubin, cubin(), cubin().c_str()));
  EXPECT_FALSE(matches(ImageKind::Cubin, cubin(), cubin('y').c_str()));
}

TEST(ImageMatch, ReadsNoFurtherThanTheFirstDifference) {
  std::string Known = cubin();
  AtTheEdge OtherHeader(Known.substr(0, 60) + "zzzz");
  EXPECT_FALSE(matches(ImageKind::Cubin, Known, OtherHeader.data()));
  AtTheEdge ElfMagic(Known.substr(0, 3) + "G" + std::string(60, 'c'));
  EXPECT_FALSE(matches(ImageKind::Cubin, Known, ElfMagic.data()));
  AtTheEdge Text(std::string(".v") + '\0');
  EXPECT_FALSE(matches(ImageKind::Cubin, Known, Text.data()));
  EXPECT_FALSE(matches(ImageKind::Fatbin, fatbin(), Text.data()));
}

TEST(ImageMatch, KnowsTextUpToItsNul) {
  const std::string Known = "// text\n.version 8.0";
  AtTheEdge Same(Known + '\0'), Shorter(Known.substr(0, 9) + '\0'),
      Longer(Known + " " + '\0'), Empty(std::string(1, '\0'));
  EXPECT_TRUE(matches(ImageKind::Ptx, Known, Same.data()));
  EXPECT_FALSE(matches(ImageKind::Ptx, Known, Shorter.data()));
  EXPECT_FALSE(matches(ImageKind::Ptx, Known, Longer.data()));
  EXPECT_FALSE(matches(ImageKind::Ptx, Known, Empty.data()));
}

TEST(ImageMatch, LooksIntoAWrapper) {
  std::string Known = fatbin();
  Wrapper W;
  W.Fatbin = Known.data();
  EXPECT_TRUE(matches(ImageKind::Fatbin, Known, &W));
  W.Fatbin = nullptr;
  EXPECT_FALSE(matches(ImageKind::Fatbin, Known, &W));
}

TEST(ImageMatch, AWrapperThatListsFatbinsIsMoreThanItsFatbin) {
  std::string Known = fatbin();
  const void *None[] = {nullptr}, *Some[] = {Known.data(), nullptr};
  Wrapper W;
  W.Version = 2;
  W.Fatbin = Known.data();
  W.Prelinked = Some;
  EXPECT_FALSE(matches(ImageKind::Fatbin, Known, &W));
  W.Prelinked = None;
  EXPECT_TRUE(matches(ImageKind::Fatbin, Known, &W));
  W.Version = 3; // Not known.
  EXPECT_FALSE(matches(ImageKind::Fatbin, Known, &W));
}

TEST(ImageMatch, AFileHasASize) {
  std::string Known = cubin(), Text = ".version 8.0";
  auto Is = [](const std::string &Given, ImageKind Kind,
               const std::string &Known) {
    return GivenImage::bytes(ByteView(Given)).is(Kind, ByteView(Known));
  };
  EXPECT_TRUE(Is(Known, ImageKind::Cubin, Known));
  EXPECT_FALSE(Is(Known.substr(0, 3), ImageKind::Cubin, Known));
  EXPECT_TRUE(Is(Text, ImageKind::Ptx, Text));
  EXPECT_TRUE(Is(Text + '\0', ImageKind::Ptx, Text));
  EXPECT_FALSE(Is(Text + "\n", ImageKind::Ptx, Text));
  EXPECT_FALSE(Is(Text.substr(1), ImageKind::Ptx, Text));
}

TEST(ImageMatch, NothingIsNothing) {
  EXPECT_FALSE(matches(ImageKind::Ptx, "x", nullptr));
  EXPECT_FALSE(matches(ImageKind::Ptx, "", ""));
}

} // namespace
