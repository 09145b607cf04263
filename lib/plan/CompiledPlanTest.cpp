//===- CompiledPlanTest.cpp -----------------------------------------------===//

#include "plan/CompiledPlan.h"

#include "plan/CompiledPlan_generated.h"
#include "plan/PlanGenerator.h"
#include "plan/PlanReader.h"
#include "plan/PlanWriter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace kplan;
namespace fb = kplan::compiled;
using flatbuffers::FlatBufferBuilder;

static std::string compile(const Plan &P) {
  auto Bytes = compilePlan(P, "xxh3:source");
  EXPECT_TRUE(Bytes) << format(Bytes.errors()[0]);
  return Bytes ? *Bytes : "";
}

static std::string whyNot(std::string_view Bytes) {
  auto P = readCompiledPlan(Bytes, "p.kplan");
  return P ? "it was read" : format(P.errors()[0]);
}

static std::string finish(FlatBufferBuilder &B,
                          flatbuffers::Offset<fb::Plan> Root) {
  fb::FinishPlanBuffer(B, Root);
  return {reinterpret_cast<const char *>(B.GetBufferPointer()), B.GetSize()};
}

/// A file with one kernel, made by a careless hand.
template <typename F> static std::string withKernel(F Fill) {
  FlatBufferBuilder B;
  auto Symbol = B.CreateString("k");
  auto Kernels = B.CreateVector(std::vector{Fill(B, Symbol)});
  fb::PlanBuilder P(B);
  P.add_version(CompiledVersion);
  P.add_kernels(Kernels);
  return finish(B, P.Finish());
}

static Plan parse(const std::string &Text) {
  auto P = readPlan(Text, "p.yaml");
  EXPECT_TRUE(P) << format(P.errors()[0]);
  return P ? *P : Plan();
}

TEST(CompiledPlan, ReadsBackAsWhatIsExecuted) {
  for (uint32_t Seed = 0; Seed < 300; ++Seed) {
    Plan P = test::generatePlan(Seed);
    auto Read = readCompiledPlan(compile(P), "p.kplan");
    ASSERT_TRUE(Read) << format(Read.errors()[0]);
    ASSERT_EQ(Read->Plan, executedPart(P)) << writePlan(P);
    ASSERT_EQ(Read->Source, "xxh3:source");
  }
}

TEST(CompiledPlan, HasTheSameBytesWhateverTheOrder) {
  std::mt19937 Random(1); // NOLINT(bugprone-random-generator-seed)
  for (uint32_t Seed = 0; Seed < 50; ++Seed) {
    Plan P = test::generatePlan(Seed);
    std::string Bytes = compile(P);
    std::shuffle(P.Kernels.begin(), P.Kernels.end(), Random);
    std::shuffle(P.Images.begin(), P.Images.end(), Random);
    std::shuffle(P.Globals.begin(), P.Globals.end(), Random);
    ASSERT_EQ(compile(P), Bytes);
  }
}

TEST(CompiledPlan, CompilesWhatIsExecutedToTheSame) {
  Plan P = test::generatePlan(7);
  EXPECT_EQ(compile(executedPart(P)), compile(P));
}

TEST(CompiledPlan, SetsNothingThatIsInConflict) {
  Plan P = executedPart(parse(R"(kplan: 1
kernels:
- symbol: k
  attributes: {preferred_shared_memory_carveout: 50, max_dynamic_shared_size_bytes: 1}
  cache_config: prefer_l1
- symbol: other
  attributes: {preferred_shared_memory_carveout: 50}
- symbol: s
  linkage: internal
  file: a.cu
  cache_config: prefer_l1
- symbol: s
  linkage: internal
  file: b.cu
  cache_config: prefer_l1
conflicts:
- {symbol: k, attribute: preferred_shared_memory_carveout, values: [50, 100]}
- {symbol: s, file: a.cu, cache_configs: [prefer_l1, prefer_shared]}
)"));
  EXPECT_EQ(writePlan(P), R"(kplan: 1
kernels:
- symbol: k
  linkage: external
  attributes:
    max_dynamic_shared_size_bytes: 1
  cache_config: prefer_l1
- symbol: other
  linkage: external
  attributes:
    preferred_shared_memory_carveout: 50
- symbol: s
  linkage: internal
  file: a.cu
- symbol: s
  linkage: internal
  file: b.cu
  cache_config: prefer_l1
)");
}

TEST(CompiledPlan, HasNoBytesForImagesThatAreMoreThanTheirBytes) {
  for (const char *Extra : {"x-wrapper: 2", "x-unwritten_options: [option_99]"})
    EXPECT_EQ(
        writePlan(executedPart(
            parse(std::string("kplan: 1\nimages:\n- id: "
                              "xxh3:9fb74d52d9deb7440a1b2c3d4e5f6071\n  kind: "
                              "fatbin\n  loader: library\n  origin: {store: "
                              "images/a.fatbin}\n  globals: [g]\n  ") +
                  Extra + "\n"))),
        "kplan: 1\nimages:\n- id: "
        "xxh3:9fb74d52d9deb7440a1b2c3d4e5f6071\n  kind: fatbin\n  loader: "
        "library\n  options: {}\n  copies: 1\n  globals: [g]\n");
}

TEST(CompiledPlan, IsNoYaml) {
  EXPECT_FALSE(isCompiledPlan("kplan: 1\n"));
  EXPECT_FALSE(isCompiledPlan(""));
  EXPECT_TRUE(isCompiledPlan(compile({})));
  EXPECT_EQ(whyNot("kplan: 1\n"), "p.kplan: error: not a compiled plan\n"
                                  "p.kplan: note: kplan compile makes one\n");
}

TEST(CompiledPlan, RefusesWhatCannotBeWritten) {
  Plan P;
  P.Kernels.resize(1); // without a symbol
  auto Bytes = compilePlan(P);
  ASSERT_FALSE(Bytes);
  EXPECT_EQ(Bytes.errors()[0].Message,
            "not a sound compiled plan: a name is empty");
  P.Kernels[0].Key = {"k", Linkage::External, "", "xxh3:12"};
  EXPECT_EQ(compilePlan(P).errors()[0].Message, "'xxh3:12' is no content id");
}

TEST(CompiledPlan, RefusesOtherVersionsByName) {
  auto OfVersion = [](uint16_t Version, uint16_t Minor) {
    FlatBufferBuilder B;
    // What a later version holds need not be readable at all.
    fb::HeaderBuilder H(B);
    H.add_version(Version);
    H.add_minor(Minor);
    B.Finish(H.Finish(), fb::PlanIdentifier());
    return std::string(reinterpret_cast<const char *>(B.GetBufferPointer()),
                       B.GetSize());
  };
  EXPECT_EQ(whyNot(OfVersion(2, 0)),
            "p.kplan: error: this compiled plan has version 2.0; this kplan "
            "reads up to 1.0\n"
            "p.kplan: note: use a newer kplan, or make it again with kplan "
            "compile\n");
  EXPECT_NE(whyNot(OfVersion(1, 9)).find("version 1.9; this kplan"),
            std::string::npos);
  EXPECT_EQ(whyNot(OfVersion(1, 0)), "it was read");
}

TEST(CompiledPlan, RefusesWhatTheSchemaCannotSay) {
  auto Sound = "p.kplan: error: not a sound compiled plan: ";
  auto Message = [&](const std::string &Bytes) {
    std::string Text = whyNot(Bytes);
    EXPECT_TRUE(Text.starts_with(Sound)) << Text;
    Text = Text.substr(0, Text.find('\n'));
    return Text.substr(std::min(Text.size(), std::string(Sound).size()));
  };
  EXPECT_EQ(Message(withKernel([](FlatBufferBuilder &B, auto Symbol) {
              fb::KernelBuilder K(B);
              K.add_symbol(Symbol);
              K.add_cache_config(4);
              return K.Finish();
            })),
            "an enumerator is not known");
  EXPECT_EQ(Message(withKernel([](FlatBufferBuilder &B, auto Symbol) {
              auto Uses = B.CreateVector(std::vector<uint8_t>{1, 1});
              fb::KernelBuilder K(B);
              K.add_symbol(Symbol);
              K.add_uses(Uses);
              return K.Finish();
            })),
            "the uses of a kernel are not sorted");
  EXPECT_EQ(Message(withKernel([](FlatBufferBuilder &B, auto Symbol) {
              // NUM_REGS, which can only be read
              auto A = B.CreateVectorOfStructs(std::vector{
                  fb::AttributeValue(1, 4, fb::ValueKind::Integer)});
              fb::KernelBuilder K(B);
              K.add_symbol(Symbol);
              K.add_attributes(A);
              return K.Finish();
            })),
            "an attribute is not known");
  EXPECT_EQ(Message(withKernel([](FlatBufferBuilder &B, auto Symbol) {
              fb::KernelBuilder K(B);
              K.add_symbol(Symbol);
              K.add_internal(true);
              return K.Finish();
            })),
            "'file' belongs to kernels with internal linkage");
  EXPECT_EQ(Message(withKernel([](FlatBufferBuilder &B, auto) {
              auto Symbol = B.CreateString(std::string("k\0l", 3));
              return fb::CreateKernel(B, Symbol);
            })),
            "a text holds a NUL");

  auto WithImage = [](const char *Store, uint32_t Copies, bool Twice = false) {
    FlatBufferBuilder B;
    fb::ContentId Id(1, 2);
    auto Path = B.CreateString(Store);
    auto Image = fb::CreateImage(B, &Id, 0, 0, 0, Copies, 0, Path);
    auto Images = B.CreateVector(std::vector(Twice ? 2 : 1, Image));
    fb::PlanBuilder P(B);
    P.add_version(CompiledVersion);
    P.add_images(Images);
    return finish(B, P.Finish());
  };
  EXPECT_EQ(whyNot(WithImage("images/a.cubin", 1)), "it was read");
  EXPECT_EQ(Message(WithImage("../a.cubin", 1)),
            "a path leaves the plan's folder");
  EXPECT_EQ(Message(WithImage("/a.cubin", 1)),
            "a path leaves the plan's folder");
  EXPECT_EQ(Message(WithImage("a.cubin", 0)), "an image has no copies");
  EXPECT_EQ(Message(WithImage("a.cubin", 1, true)),
            "the images are not sorted, or one is there twice");
}

/// A plan with everything in it.
static std::string fullPlan() {
  return compile(parse(R"(kplan: 1
producers: [{tool: kplan-trace, version: 0.1.0, arch: [sm_90], gpu: H200, sms: 132, driver: 580, loading: lazy}]
kernels:
- symbol: k
  image: xxh3:0123456789abcdef0123456789abcdef
  name: k()
  attributes: {max_dynamic_shared_size_bytes: max, preferred_shared_memory_carveout: 50}
  cache_config: prefer_l1
  local_bytes: 8
  uses: [printf, cdp]
- symbol: s*
  linkage: internal
  file: a.cu
images:
- id: xxh3:0123456789abcdef0123456789abcdef
  kind: ptx
  loader: module
  options: {max_registers: 64}
  origin: {file: a.so, build_id: b, offset: 1, size: 2}
  globals: [g]
  use_compiled: true
  compiled: [{arch: sm_90, file: a.cubin, sha256: "00000000000000000000000000000000000000000000000000000000deadbeef", tool: t, options: [-O3], sources: [xxh3:0123456789abcdef0123456789abcdef]}]
- id: xxh3:0123456789abcdef0123456789abcdee
  kind: cubin
  loader: library
  origin: {store: b.cubin}
globals: [{symbol: v, file: a.cu}]
modules: [{name: m, inputs: [a.ptx]}]
limits: {stack_size: 1}
)"));
}

TEST(DamagedCompiledPlan, TruncatedAnywhereIsRefused) {
  std::string Sound = fullPlan();
  for (size_t Size = 0; Size < Sound.size(); ++Size) {
    // A copy of that size, so that a sanitizer sees a byte too many.
    std::string Bytes = Sound.substr(0, Size);
    Bytes.shrink_to_fit();
    // The last byte may be padding behind everything.
    auto P = readCompiledPlan(Bytes, "p.kplan");
    ASSERT_TRUE(!P || Sound.size() - Size < 8) << Size;
  }
}

TEST(DamagedCompiledPlan, WithAnyBitFlippedIsRefusedOrRead) {
  std::string Sound = fullPlan();
  size_t Accepted = 0, Refused = 0;
  for (size_t Bit = 0; Bit < 8 * Sound.size(); ++Bit) {
    std::string Bytes = Sound;
    Bytes[Bit / 8] ^= static_cast<char>(1 << Bit % 8);
    auto P = readCompiledPlan(Bytes, "p.kplan");
    if (!P) {
      ++Refused;
      continue;
    }
    ++Accepted;
    // What was read is a plan like any other.
    ASSERT_TRUE(compilePlan(P->Plan));
  }
  EXPECT_GT(Accepted, 100u);
  EXPECT_GT(Refused, 1000u);
}

TEST(DamagedCompiledPlan, ReadsFromWhereverItStands) {
  std::string Sound = fullPlan();
  for (size_t Offset = 1; Offset < 8; ++Offset) {
    std::string Shifted = std::string(Offset, 'x') + Sound;
    EXPECT_EQ(whyNot(std::string_view(Shifted).substr(Offset)), "it was read");
  }
}
