//===- DeviceCodeTest.cpp - Against device code that nvcc makes -----------===//
//
// Nothing of NVIDIA's is committed: nvcc makes the images while the test runs.
//
//===----------------------------------------------------------------------===//

#include "image/Cubin.h"
#include "image/ElfReader.h"
#include "image/Embedded.h"
#include "image/Fatbin.h"
#include "image/Image.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <unistd.h>

using namespace kplan;
using namespace kplan::image;

namespace {

constexpr char Source[] = R"(
#include <cstdio>
__device__ int Counter = 7;
__constant__ float Factor;
__global__ void quiet(int *p) { *p = Counter; }
__global__ void loud(int n) { if (n > 3) printf("%d\n", n); }
__global__ void heap(void **p, int n) { *p = malloc(n); }
__global__ void stack(int *p, int i) {
  volatile char a[8000]; a[i] = 1; *p = a[i * i];
}
__global__ void shared(int *p) {
  __shared__ int s[1000]; s[threadIdx.x] = *p; __syncthreads();
  *p = s[999 - threadIdx.x];
}
)";

class DeviceCode : public testing::Test {
protected:
  static void SetUpTestSuite() {
    const std::string Nvcc = KPLAN_NVCC;
    if (Nvcc.empty())
      return;
    Folder = testing::TempDir() + "kplan-image-" + std::to_string(getpid());
    std::filesystem::create_directories(Folder);
    std::ofstream(Folder + "/a.cu") << Source;
    const std::string Begin =
        Nvcc + " -arch=sm_90 " + Folder + "/a.cu -o " + Folder + "/";
    Made =
        std::system((Begin + "a.cubin -cubin").c_str()) == 0 &&
        std::system((Begin + "plain.o -c --compress-mode=none").c_str()) == 0 &&
        std::system((Begin + "packed.o -c --compress-mode=size").c_str()) == 0;
    ASSERT_TRUE(Made);
  }
  static void TearDownTestSuite() {
    if (!Folder.empty())
      std::filesystem::remove_all(Folder);
  }
  void SetUp() override {
    if (!Made)
      GTEST_SKIP() << "no nvcc";
  }

  static std::string bytes(const std::string &Name) {
    std::ifstream In(Folder + "/" + Name, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  static KernelCode kernel(const Code &C, std::string_view Part) {
    auto It = std::find_if(C.Kernels.begin(), C.Kernels.end(),
                           [&](const KernelCode &K) {
                             return K.Symbol.find(Part) != std::string::npos;
                           });
    EXPECT_NE(It, C.Kernels.end()) << Part;
    return It == C.Kernels.end() ? KernelCode() : *It;
  }

  static inline std::string Folder;
  static inline bool Made = false;
};

TEST_F(DeviceCode, CubinIsIdentifiedWithItsFileSize) {
  const std::string Cubin = bytes("a.cubin");
  const auto I = identify(ByteView(Cubin));
  ASSERT_TRUE(I);
  EXPECT_EQ(I->Kind, ImageKind::Cubin);
  EXPECT_EQ(I->Bytes.size(), Cubin.size());
}

TEST_F(DeviceCode, CubinListsKernelsAndArch) {
  const std::string Cubin = bytes("a.cubin");
  const auto C = readCubin(ByteView(Cubin));
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Arch, 90u);
  EXPECT_EQ(C->Kernels.size(), 5u);
}

TEST_F(DeviceCode, LocalBytesAreTheStackFrame) {
  const std::string Cubin = bytes("a.cubin");
  const auto C = readCubin(ByteView(Cubin));
  ASSERT_TRUE(C);
  EXPECT_GE(kernel(*C, "5stack").LocalBytes, 8000u);
  EXPECT_LT(kernel(*C, "5stack").LocalBytes, 9000u);
  EXPECT_LT(kernel(*C, "5quiet").LocalBytes, 64u);
}

TEST_F(DeviceCode, StaticSharedMemoryIsTheKernelsOwn) {
  const std::string Cubin = bytes("a.cubin");
  const auto C = readCubin(ByteView(Cubin));
  ASSERT_TRUE(C);
  EXPECT_EQ(kernel(*C, "6shared").StaticSharedBytes, 4000u);
  EXPECT_EQ(kernel(*C, "5quiet").StaticSharedBytes, 0u);
}

TEST_F(DeviceCode, UsesAreToldKernelByKernel) {
  const std::string Cubin = bytes("a.cubin");
  const auto C = readCubin(ByteView(Cubin));
  ASSERT_TRUE(C);
  EXPECT_EQ(kernel(*C, "4loud").Uses, std::vector<Use>{Use::Printf});
  EXPECT_EQ(kernel(*C, "4heap").Uses, std::vector<Use>{Use::Malloc});
  EXPECT_TRUE(kernel(*C, "5quiet").Uses.empty());
}

TEST_F(DeviceCode, GlobalsHaveSizeAndInitialValue) {
  const std::string Cubin = bytes("a.cubin");
  const auto C = readCubin(ByteView(Cubin));
  ASSERT_TRUE(C);
  auto Counter =
      std::find_if(C->Globals.begin(), C->Globals.end(),
                   [](const GlobalCode &G) { return G.Symbol == "Counter"; });
  ASSERT_NE(Counter, C->Globals.end());
  EXPECT_EQ(Counter->Size, 4u);
  ASSERT_TRUE(Counter->DataOffset);
  EXPECT_EQ(ByteView(Cubin).read<int>(*Counter->DataOffset), 7);
}

TEST_F(DeviceCode, ObjectHoldsOneFatbinForTheGpu) {
  const std::string Object = bytes("plain.o");
  const auto F = embeddedFatbins(ByteView(Object));
  ASSERT_TRUE(F);
  ASSERT_EQ(F->size(), 1u);
  EXPECT_FALSE(F->front().relocatable());
  const auto Entries = fatbinEntries(F->front().Bytes);
  ASSERT_TRUE(Entries);
  const FatbinEntry *E = selectEntry(*Entries, 90);
  ASSERT_TRUE(E);
  EXPECT_EQ(E->archName(), "sm_90");
  EXPECT_EQ(E->Compression, FatbinCompression::None);
}

TEST_F(DeviceCode, UncompressedFatbinIsReadAsItsCubin) {
  const std::string Object = bytes("plain.o");
  const auto F = embeddedFatbins(ByteView(Object));
  ASSERT_TRUE(F && F->size() == 1);
  const auto I = identify(F->front().Bytes);
  ASSERT_TRUE(I);
  const auto C = readCode(*I, 90);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Kernels.size(), 5u);
}

TEST_F(DeviceCode, CompressedEntryIsSaidToBeSo) {
  const std::string Object = bytes("packed.o");
  const auto F = embeddedFatbins(ByteView(Object));
  ASSERT_TRUE(F && F->size() == 1);
  const auto I = identify(F->front().Bytes);
  ASSERT_TRUE(I);
  const auto C = readCode(*I, 90);
  ASSERT_FALSE(C);
  EXPECT_NE(C.errors().front().Message.find("compressed"), std::string::npos);
}

TEST_F(DeviceCode, NoEntryForAnOlderGpu) {
  const std::string Object = bytes("plain.o");
  const auto F = embeddedFatbins(ByteView(Object));
  ASSERT_TRUE(F && F->size() == 1);
  const auto Entries = fatbinEntries(F->front().Bytes);
  ASSERT_TRUE(Entries);
  EXPECT_EQ(selectEntry(*Entries, 80), nullptr);
}

TEST_F(DeviceCode, DamagedCubinsAreReadWithoutHarm) {
  const std::string Cubin = bytes("a.cubin");
  std::mt19937 Random(1);
  for (int Round = 0; Round < 3000; ++Round) {
    // A copy of exactly that size: ASan sees a read behind it.
    std::vector<char> Bytes(Cubin.begin(), Cubin.end());
    for (int I = 0; I < 8; ++I)
      Bytes[Random() % Bytes.size()] = static_cast<char>(Random());
    if (Round % 3 == 0)
      Bytes.resize(Random() % Bytes.size());
    Bytes.shrink_to_fit();
    if (auto I = identify(ByteView(Bytes.data(), Bytes.size())))
      (void)readCode(*I, 90);
  }
}

} // namespace
