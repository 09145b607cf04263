//===- StoreTest.cpp ------------------------------------------------------===//

#include "image/Store.h"

#include "image/Image.h"
#include "image/Origin.h"

#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kplan;
using namespace kplan::image;
using testing::HasSubstr;

namespace {

/// Never written to: the loader maps it from this program's file.
alignas(16) const char InThisProgram[] =
    "bytes of this program that no other program has, 7f0e8a";

class StoreTest : public testing::Test {
protected:
  void SetUp() override {
    char Template[] = "/tmp/kplan-store-XXXXXX";
    Folder = mkdtemp(Template);
  }
  void TearDown() override {
    ASSERT_EQ(std::system(("rm -rf " + Folder).c_str()), 0);
  }

  mode_t modeOf(const std::string &Name) const {
    struct stat Status{};
    EXPECT_EQ(stat((Folder + "/" + Name).c_str(), &Status), 0) << Name;
    return Status.st_mode & 07777;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> Names;
    DIR *D = opendir((Folder + "/images").c_str());
    while (dirent *Entry = D ? readdir(D) : nullptr)
      if (Entry->d_name[0] != '.' || Entry->d_name[1] == 't')
        Names.emplace_back(Entry->d_name);
    if (D)
      closedir(D);
    return Names;
  }
  void put(const std::string &Name, std::string_view Text) const {
    File To = File::open(Folder + "/" + Name, O_WRONLY | O_CREAT, 0600);
    ASSERT_TRUE(To.write(ByteView(Text))) << Name;
  }
  std::string whyNot(const std::string &Path) const {
    auto Bytes = Store(Folder).read({Path}, Id);
    return Bytes ? "" : Bytes.errors()[0].Message;
  }

  std::string Folder;
  const std::string Text = "the bytes";
  const ByteView Bytes{Text};
  const std::string Id = contentId(Bytes);
  const std::string Path = storePath(ImageKind::Ptx, Id);
};

TEST_F(StoreTest, GivesBackWhatItKeeps) {
  auto Origin = Store(Folder).add(ImageKind::Ptx, Id, Bytes);
  ASSERT_TRUE(Origin) << Origin.errors()[0].Message;
  EXPECT_EQ(Origin->Path, "images/" + Id.substr(5) + ".ptx");
  auto Read = Store(Folder).read(*Origin, Id);
  ASSERT_TRUE(Read) << Read.errors()[0].Message;
  EXPECT_EQ(Read->view().text(), Text);
  EXPECT_EQ(Read->data()[Text.size()], 0) << "PTX must end with a NUL";
}

TEST_F(StoreTest, IsForTheUserAlone) {
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  EXPECT_EQ(modeOf("images"), 0700u);
  EXPECT_EQ(modeOf(Path), 0600u);
}

TEST_F(StoreTest, KeepsAnImageOnce) {
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  ASSERT_EQ(chmod((Folder + "/" + Path).c_str(), 0400), 0);
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  EXPECT_EQ(modeOf(Path), 0400u) << "it was written again";
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(StoreTest, ReplacesWhatIsNotWhole) {
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  ASSERT_EQ(truncate((Folder + "/" + Path).c_str(), 3), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("holds other bytes"));
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  EXPECT_EQ(whyNot(Path), "");
}

TEST_F(StoreTest, RefusesOtherBytes) {
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  put(Path, "THE BYTES");
  EXPECT_THAT(whyNot(Path), HasSubstr("holds other bytes"));
}

TEST_F(StoreTest, PathsStayInside) {
  put("outside", Text);
  ASSERT_EQ(mkdir((Folder + "/images").c_str(), 0700), 0);
  for (const char *Bad : {"../outside", "images/../outside", "/etc/passwd", "",
                          "images//x", "./outside", "images/", "images/./x"})
    EXPECT_THAT(whyNot(Bad), HasSubstr("no path inside the store")) << Bad;
}

TEST_F(StoreTest, FollowsNoLink) {
  put("outside", Text);
  ASSERT_EQ(mkdir((Folder + "/images").c_str(), 0700), 0);
  ASSERT_EQ(symlink("../outside", (Folder + "/" + Path).c_str()), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("symbolic link"));
  ASSERT_EQ(rename((Folder + "/images").c_str(), (Folder + "/real").c_str()),
            0);
  ASSERT_EQ(symlink("real", (Folder + "/images").c_str()), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("symbolic link"));
  EXPECT_FALSE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
}

TEST_F(StoreTest, RefusesWhatOthersMayWrite) {
  ASSERT_TRUE(Store(Folder).add(ImageKind::Ptx, Id, Bytes));
  ASSERT_EQ(chmod((Folder + "/" + Path).c_str(), 0620), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("written by others"));
  ASSERT_EQ(chmod((Folder + "/" + Path).c_str(), 0600), 0);
  ASSERT_EQ(chmod((Folder + "/images").c_str(), 0702), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("written by others"));
  auto Added = Store(Folder).add(ImageKind::Ptx, Id, Bytes);
  ASSERT_FALSE(Added);
  EXPECT_THAT(Added.errors()[0].Message, HasSubstr("written by others"));
}

TEST_F(StoreTest, DoesNotHangOnAFifo) {
  ASSERT_EQ(mkdir((Folder + "/images").c_str(), 0700), 0);
  ASSERT_EQ(mkfifo((Folder + "/" + Path).c_str(), 0600), 0);
  EXPECT_THAT(whyNot(Path), HasSubstr("not a regular file"));
}

TEST_F(StoreTest, TakesNoIdThatIsNone) {
  for (const char *Bad : {"", "xxh3:", "xxh3:../../../../../../etc/passwd_aaa",
                          "xxh3:99AA06D3014798D86001C324468D497F"})
    EXPECT_FALSE(Store(Folder).add(ImageKind::Ptx, Bad, Bytes)) << Bad;
  EXPECT_TRUE(files().empty());
}

TEST_F(StoreTest, IsSharedByProcesses) {
  constexpr int Processes = 4, Images = 50;
  for (int P = 0; P < Processes; ++P)
    if (fork() == 0) {
      bool Good = true;
      for (int I = 0; I < Images; ++I) {
        std::string Content(size_t(1) << 12, static_cast<char>('0' + I));
        ByteView View(Content);
        std::string ItsId = contentId(View);
        auto Origin = Store(Folder).add(ImageKind::Cubin, ItsId, View);
        // Never half written, whoever else is at it.
        Good &= Origin && Store(Folder).read(*Origin, ItsId);
      }
      _exit(Good ? 0 : 1);
    }
  for (int P = 0; P < Processes; ++P) {
    int State = -1;
    wait(&State);
    EXPECT_EQ(State, 0);
  }
  EXPECT_EQ(files().size(), size_t(Images));
}

TEST_F(StoreTest, FindsBytesOfThisProgram) {
  ByteView Mine(InThisProgram, sizeof InThisProgram);
  auto Range = findInMappedFiles(Mine);
  ASSERT_TRUE(Range);
  EXPECT_EQ(Range->Size, sizeof InThisProgram);
  EXPECT_EQ(Range->BuildId, readBuildId("/proc/self/exe"));

  Image Of;
  Of.Id = contentId(Mine);
  Of.Origin = *Range;
  auto Read = readOrigin(Of, Folder);
  ASSERT_TRUE(Read) << Read.errors()[0].Message;
  EXPECT_EQ(Read->view().text(), Mine.text());

  Of.Id = Id;
  Read = readOrigin(Of, Folder);
  ASSERT_FALSE(Read);
  EXPECT_THAT(Read.errors()[0].Message, HasSubstr("another image"));

  std::get<FileOrigin>(Of.Origin).Offset = ~0ULL - 5;
  EXPECT_FALSE(readOrigin(Of, Folder));
}

TEST_F(StoreTest, FindsNothingOnTheHeap) {
  std::string Copy(InThisProgram, sizeof InThisProgram);
  EXPECT_FALSE(findInMappedFiles(ByteView(Copy)));
}

TEST_F(StoreTest, FindsNothingInDataFiles) {
  // A cache of compiled code may be gone when the plan is used.
  put("data", Text);
  File From = File::open(Folder + "/data", O_RDONLY);
  void *Mapped =
      mmap(nullptr, Text.size(), PROT_READ, MAP_PRIVATE, From.number(), 0);
  ASSERT_NE(Mapped, MAP_FAILED);
  EXPECT_FALSE(findInMappedFiles(ByteView(Mapped, Text.size())));
  munmap(Mapped, Text.size());
}

TEST_F(StoreTest, ReadsNothingWithoutAnOrigin) {
  Image Of;
  Of.Id = Id;
  EXPECT_FALSE(readOrigin(Of, Folder));
}

} // namespace
