//===- HostileInputTest.cpp -----------------------------------------------===//
//
// Whatever the input, the reader answers, with memory and work bounded by the
// input's size. Both are measured by what is allocated, which is the same on
// every machine: yaml-cpp allocates for each token and each character that it
// looks ahead.
//
//===----------------------------------------------------------------------===//

#include "plan/CompiledPlan.h"
#include "plan/CompiledPlan_generated.h"
#include "plan/PlanGenerator.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <random>

using namespace kplan;

// This program's own operator new counts; tests run on one thread.
static size_t LiveBytes, PeakBytes, Allocations;

static void *counted(size_t Size) {
  void *Memory = std::malloc(Size ? Size : 1);
  if (!Memory)
    std::abort();
  LiveBytes += malloc_usable_size(Memory);
  PeakBytes = std::max(PeakBytes, LiveBytes);
  ++Allocations;
  return Memory;
}

static void release(void *Memory) {
  if (Memory)
    LiveBytes -= malloc_usable_size(Memory);
  std::free(Memory);
}

void *operator new(size_t Size) { return counted(Size); }
void *operator new[](size_t Size) { return counted(Size); }
void operator delete(void *Memory) noexcept { release(Memory); }
void operator delete[](void *Memory) noexcept { release(Memory); }
void operator delete(void *Memory, size_t) noexcept { release(Memory); }
void operator delete[](void *Memory, size_t) noexcept { release(Memory); }

namespace {
struct Cost {
  size_t Bytes;
  size_t Allocations;
  std::string FirstError;
};
} // namespace

static Cost costOf(const std::string &Text) {
  size_t Before = LiveBytes;
  PeakBytes = LiveBytes;
  Allocations = 0;
  auto P = readPlan(Text, "h.yaml");
  Cost C{PeakBytes - Before, Allocations, {}};
  if (!P)
    C.FirstError = format(P.errors()[0]);
  return C;
}

static std::string repeat(std::string_view Piece, size_t Times) {
  std::string Out;
  Out.reserve(Piece.size() * Times);
  while (Times--)
    Out += Piece;
  return Out;
}

namespace {
struct Hostile {
  const char *Name;
  std::string (*Make)(size_t Size);
  const char *Error; ///< How the first error begins; null: no error.
};
} // namespace

static constexpr Hostile Inputs[] = {
    {"OpenLists", [](size_t N) { return repeat("[", N); },
     "h.yaml:1:65: error: nested more than 128 levels deep"},
    {"OpenMaps", [](size_t N) { return repeat("{", N); }, "h.yaml:1:"},
    {"OpenListsAsValue",
     [](size_t N) { return "kplan: 1\nx-a: " + repeat("[", N); },
     "h.yaml:2:70: error: nested more than 128 levels deep"},
    {"NestedBlockLists", [](size_t N) { return repeat("- ", N / 2); },
     "h.yaml:1:257: error: nested more than 128 levels deep"},
    {"NestedKeys", [](size_t N) { return repeat("? ", N / 2); },
     "h.yaml:1:257: error: nested more than 128 levels deep"},
    {"NestedCompactMaps", [](size_t N) { return repeat("[a: ", N / 4); },
     "h.yaml:1:"},
    {"Colons", [](size_t N) { return repeat(": ", N / 2); }, "h.yaml:1:"},
    {"AliasBomb",
     [](size_t N) {
       std::string Out = "kplan: 1\nx-a: &a [x]\n";
       while (Out.size() < N)
         Out += "x-b: &b [*a, *a, *a, *a]\n";
       return Out;
     },
     "h.yaml:2:6: error: anchors are not allowed"},
    {"LongPlainScalar",
     [](size_t N) { return "kplan: 1\nx-a: " + std::string(N, 'x'); },
     "h.yaml:2:1: error: a scalar, comment or flow collection"},
    {"LongQuotedScalar",
     [](size_t N) { return "kplan: 1\nx-a: \"" + std::string(N, 'x'); },
     "h.yaml:2:1: error: a scalar, comment or flow collection"},
    {"LongComment", [](size_t N) { return "#" + std::string(N, 'x'); },
     "h.yaml:1:1: error: a scalar, comment or flow collection"},
    {"BlankLines", [](size_t N) { return std::string(N, '\n'); },
     "h.yaml:1:1: error: a scalar, comment or flow collection"},
    {"HugeFlowMapAtTheRoot",
     [](size_t N) {
       std::string Out = "{kplan: 1";
       for (size_t I = 0; Out.size() < N; ++I)
         Out += ", x-" + std::to_string(I) + ": 1";
       return Out + "}";
     },
     "h.yaml:1:1: error: a scalar, comment or flow collection"},
    {"HugeFlowMapAsValue",
     [](size_t N) {
       std::string Out = "kplan: 1\nlimits: {";
       for (size_t I = 0; Out.size() < N; ++I)
         Out += 'l' + std::to_string(I) + ": 1, ";
       return Out + "}";
     },
     "h.yaml:2:10: error: 'l0': there is no such limit"},
    {"ManyUnknownKeys",
     [](size_t N) {
       std::string Out = "kplan: 1\n";
       for (size_t I = 0; Out.size() < N; ++I)
         Out += "key" + std::to_string(I) + ": 1\n";
       return Out;
     },
     "h.yaml:2:1: error: unknown key 'key0' in a plan"},
    {"ManyDuplicateKeys",
     [](size_t N) { return "kplan: 1\n" + repeat("x-a: 1\n", N / 7); },
     "h.yaml:3:1: error: duplicate key 'x-a'"},
    {"ManyExtensions",
     [](size_t N) {
       std::string Out = "kplan: 1\n";
       for (size_t I = 0; Out.size() < N; ++I)
         Out += "x-" + std::to_string(I) + ": 1\n";
       return Out;
     },
     nullptr},
    {"ManyDocuments", [](size_t N) { return repeat("---\n", N / 4); },
     "h.yaml:2:1: error: text after the end of the document"},
    {"ManyKernelsOfOneKey",
     [](size_t N) {
       return "kplan: 1\nkernels:\n" + repeat("- symbol: k\n", N / 12);
     },
     "h.yaml:4:3: error: 'kernels': kernel 'k' is there twice"},
    {"UnclosedQuote", [](size_t N) { return repeat("a: \"b\n", N / 6); },
     "h.yaml:"},
    {"Tags", [](size_t N) { return repeat("!a ", N / 3); }, "h.yaml:1:"},
    {"Zeros", [](size_t N) { return std::string(N, '\0'); },
     "h.yaml:1:1: error: not a text file in UTF-8: byte 0x00"},
};

class HostileInput : public testing::TestWithParam<Hostile> {};

TEST_P(HostileInput, IsAnsweredWithinBounds) {
  const Hostile &H = GetParam();
  constexpr size_t Size = size_t(3) << 19; // more than a unit
  Cost C = costOf(H.Make(Size));
  if (H.Error) {
    EXPECT_TRUE(C.FirstError.starts_with(H.Error)) << C.FirstError;
  } else {
    EXPECT_EQ(C.FirstError, "");
  }
  // The worst are one-byte tokens, of which yaml-cpp may hold a unit's worth.
  EXPECT_LT(C.Bytes, 256 * YamlLimits().MaxUnitBytes + 64 * Size);
  EXPECT_LT(C.Allocations, 16 * Size);
}

/// Twice the input is at most about twice the work: nothing is quadratic.
TEST_P(HostileInput, CostsGrowLinearly) {
  const Hostile &H = GetParam();
  constexpr size_t Size = size_t(1) << 18; // both sizes are below the limits
  Cost Once = costOf(H.Make(Size)), Twice = costOf(H.Make(2 * Size));
  EXPECT_LT(Twice.Allocations, 3 * Once.Allocations + 10000);
  EXPECT_LT(Twice.Bytes, 3 * Once.Bytes + 100000);
}

INSTANTIATE_TEST_SUITE_P(Plan, HostileInput, testing::ValuesIn(Inputs),
                         [](const auto &Info) { return Info.param.Name; });

/// A large honest plan: memory stays a small multiple of the text.
TEST(LargePlan, NeedsLittleMoreThanItsText) {
  std::string Text = writePlan(test::generateLargePlan(500));
  Cost C = costOf(Text);
  EXPECT_EQ(C.FirstError, "");
  EXPECT_LT(C.Bytes, 6 * Text.size());
}

// Compiled plans: a small file in which many places point at one table, string
// or list must not be read as the large plan that it then stands for.

namespace fb = kplan::compiled;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

static Cost costOfCompiled(const std::string &Bytes) {
  size_t Before = LiveBytes;
  PeakBytes = LiveBytes;
  Allocations = 0;
  auto P = readCompiledPlan(Bytes, "h.kplan");
  Cost C{PeakBytes - Before, Allocations, {}};
  if (!P)
    C.FirstError = P.errors()[0].Message;
  return C;
}

template <typename F> static std::string buildCompiled(F Fill) {
  FlatBufferBuilder B;
  B.Finish(Fill(B), fb::PlanIdentifier());
  return {reinterpret_cast<const char *>(B.GetBufferPointer()), B.GetSize()};
}

TEST(HostileCompiledPlan, ManyKernelsWithOneString) {
  std::string Bytes = buildCompiled([](FlatBufferBuilder &B) {
    auto Long = B.CreateString(std::string(1 << 20, 'x'));
    std::vector<Offset<fb::Kernel>> Kernels;
    for (unsigned I = 0; I < 10000; ++I)
      Kernels.push_back(fb::CreateKernel(
          B, B.CreateString(std::to_string(100000 + I)), false, 0, nullptr,
          /*name=*/Long));
    return fb::CreatePlan(B, CompiledVersion, 0, 0, 0, B.CreateVector(Kernels));
  });
  Cost C = costOfCompiled(Bytes);
  EXPECT_EQ(C.FirstError, "not a sound compiled plan: holds more text than "
                          "fits into its size");
  EXPECT_LT(C.Bytes, 20 * Bytes.size());
}

TEST(HostileCompiledPlan, OneTableManyTimes) {
  std::string Bytes = buildCompiled([](FlatBufferBuilder &B) {
    auto Made = fb::CreateProducer(B, B.CreateString("t"));
    return fb::CreatePlan(B, CompiledVersion, 0, 0,
                          B.CreateVector(std::vector(1 << 20, Made)));
  });
  Cost C = costOfCompiled(Bytes);
  EXPECT_EQ(C.FirstError, "not a sound compiled plan: it is damaged");
  EXPECT_LT(C.Bytes, Bytes.size());
}

TEST(HostileCompiledPlan, ManyImagesWithOneList) {
  std::string Bytes = buildCompiled([](FlatBufferBuilder &B) {
    auto Word = fb::CreateText(B, B.CreateString("g"));
    auto Globals = B.CreateVector(std::vector(1 << 16, Word));
    std::vector<Offset<fb::Image>> Images;
    for (uint64_t I = 0; I < 1 << 14; ++I) {
      fb::ContentId Id(0, I);
      Images.push_back(
          fb::CreateImage(B, &Id, 0, 0, 0, 1, 0, 0, /*globals=*/Globals));
    }
    return fb::CreatePlan(B, CompiledVersion, 0, 0, 0, 0,
                          B.CreateVector(Images));
  });
  Cost C = costOfCompiled(Bytes);
  EXPECT_EQ(C.FirstError, "not a sound compiled plan: it is damaged");
  EXPECT_LT(C.Bytes, Bytes.size());
}

TEST(LargeCompiledPlan, NeedsLittleMoreThanItsBytes) {
  auto Bytes = compilePlan(test::generateLargePlan(2000));
  ASSERT_TRUE(Bytes);
  Cost C = costOfCompiled(*Bytes);
  EXPECT_EQ(C.FirstError, "");
  EXPECT_LT(C.Bytes, 2 * Bytes->size());
  EXPECT_LT(C.Allocations, 4 * 2000u);
}

static std::string mutate(std::string Text, std::mt19937 &Random) {
  static constexpr std::string_view Spice = "[]{}:,-?&*!|>'\"%@`#~\n \t0x.\\";
  for (unsigned Edits = 1 + Random() % 4; Edits-- && !Text.empty();) {
    size_t At = Random() % Text.size();
    size_t Length = std::min<size_t>(1 + Random() % 20, Text.size() - At);
    switch (Random() % 5) {
    case 0:
      Text[At] = static_cast<char>(Random());
      break;
    case 1:
      Text.erase(At, Length);
      break;
    case 2:
      Text.insert(At, Text.substr(Random() % Text.size(), Length));
      break;
    case 3:
      Text.insert(At, 1, Spice[Random() % Spice.size()]);
      break;
    default:
      Text.resize(At); // truncated
    }
  }
  return Text;
}

/// Damaged plans are refused, or are plans that round-trip; nothing else.
TEST(DamagedPlan, IsRefusedOrRoundTrips) {
  // The same damage everywhere and always.
  std::mt19937 Random(1); // NOLINT(bugprone-random-generator-seed)
  size_t Accepted = 0, Refused = 0;
  for (uint32_t Seed = 0; Seed < 100; ++Seed) {
    const std::string Sound = writePlan(test::generatePlan(Seed));
    for (unsigned Round = 0; Round < 40; ++Round) {
      std::string Text = mutate(Sound, Random);
      auto P = readPlan(Text, "d.yaml");
      if (!P) {
        ++Refused;
        ASSERT_FALSE(P.errors().empty());
        ASSERT_LE(P.errors().size(), YamlLimits().MaxErrors);
        for (const Diagnostic &D : P.errors()) {
          ASSERT_EQ(D.File, "d.yaml");
          ASSERT_FALSE(D.Message.empty());
        }
        continue;
      }
      ++Accepted;
      std::string Once = writePlan(*P);
      auto Again = readPlan(Once, "d.yaml");
      ASSERT_TRUE(Again) << Text << "\n---\n"
                         << Once << format(Again.errors()[0]);
      ASSERT_EQ(writePlan(*Again), Once) << Text;
    }
  }
  // Both happen, or this test shows nothing.
  EXPECT_GT(Accepted, 100u);
  EXPECT_GT(Refused, 1000u);
}
