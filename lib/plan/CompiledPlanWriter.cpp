//===- CompiledPlanWriter.cpp - Plans to compiled plans -------------------===//

#include "plan/Canonical.h"
#include "plan/CompiledPlan.h"
#include "plan/CompiledPlan_generated.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace kplan {

// Enumerators stand in files by their numbers.
static_assert(static_cast<int>(Use::Cdp) == 3);
static_assert(static_cast<int>(CacheConfig::PreferEqual) == 3);
static_assert(static_cast<int>(ImageKind::Ptx) == 2);
static_assert(static_cast<int>(Loader::Module) == 1);

namespace fb = compiled;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
template <typename T> using List = Offset<flatbuffers::Vector<Offset<T>>>;

// What is executed.

static void dropConflicts(Plan &P) {
  std::set<std::tuple<std::string, std::string, std::optional<Attribute>>> Out;
  for (const Conflict &C : P.Conflicts)
    Out.emplace(C.Symbol, C.File,
                C.CacheConfigs.empty() ? std::optional(C.Attribute)
                                       : std::nullopt);
  if (Out.empty())
    return;
  for (Kernel &K : P.Kernels) {
    std::erase_if(K.Attributes, [&](const auto &Entry) {
      return Out.contains({K.Key.Symbol, K.Key.File, Entry.first});
    });
    if (Out.contains({K.Key.Symbol, K.Key.File, std::nullopt}))
      K.Cache.reset();
  }
}

static void dropExtras(std::vector<CompiledImage> &Compiled) {
  for (CompiledImage &C : Compiled)
    C.Extra.clear();
}

Plan executedPart(Plan P) {
  dropConflicts(P);
  for (Producer &Made : P.Producers)
    Made.Extra.clear();
  for (Kernel &K : P.Kernels) {
    K.Sites.clear();
    K.Extra.clear();
  }
  for (Image &I : P.Images) {
    dropExtras(I.Compiled);
    // What a trace says of images that their bytes are not all of: loaded from
    // them they would be something else.
    if (I.Extra.contains("x-unwritten_options") ||
        I.Extra.contains("x-wrapper"))
      I.Origin = {};
    I.Extra.clear();
  }
  for (Global &G : P.Globals) {
    G.At = {};
    G.Extra.clear();
  }
  for (Module &M : P.Modules) {
    M.Options.clear();
    dropExtras(M.Compiled);
    M.Extra.clear();
  }
  P.Unresolved.clear();
  P.Conflicts.clear();
  P.Templates.clear();
  P.Stalls.clear();
  P.Extra.clear();
  canonicalise(P);
  P.Minor = 0; // the compiled plan has versions of its own
  std::sort(P.Images.begin(), P.Images.end(),
            [](const Image &A, const Image &B) {
              return std::tie(A.Id, A.LoadedBy, A.Options) <
                     std::tie(B.Id, B.LoadedBy, B.Options);
            });
  return P;
}

// Writing it.

/// An upper bound of what the builder makes of a plan; it must not be asked
/// for more than the format can address.
static size_t sizeBound(const Plan &P) {
  constexpr size_t Fixed = 160; // a table with its fields, paddings and vtable
  size_t Size = Fixed;
  auto Add = [&](const std::string &Text) { Size += Text.size() + 16; };
  auto AddAll = [&](const std::vector<std::string> &Texts) {
    for (const std::string &Text : Texts)
      Size += Text.size() + 32;
  };
  auto AddCubins = [&](const std::vector<CompiledImage> &Compiled) {
    for (const CompiledImage &C : Compiled) {
      Size += Fixed + C.Arch.size() + C.File.size() + C.Sha256.size() +
              C.Tool.size();
      AddAll(C.Options);
      AddAll(C.Sources);
    }
  };
  for (const Producer &Made : P.Producers) {
    Size += Fixed + Made.Tool.size() + Made.Version.size() + Made.Clang.size() +
            Made.Cuda.size() + Made.Gpu.size() + Made.Driver.size() +
            Made.Loading.size();
    AddAll(Made.Arch);
  }
  for (const Kernel &K : P.Kernels)
    Size += Fixed + K.Key.Symbol.size() + K.Key.File.size() + K.Name.size() +
            K.Attributes.size() * sizeof(fb::AttributeValue);
  for (const Image &I : P.Images) {
    Size += Fixed;
    for (const auto &[Name, Value] : I.Options)
      Size += Fixed + Name.size();
    if (auto *File = std::get_if<FileOrigin>(&I.Origin))
      Size += Fixed + File->File.size() + File->BuildId.size();
    if (auto *Store = std::get_if<StoreOrigin>(&I.Origin))
      Add(Store->Path);
    AddAll(I.Globals);
    AddCubins(I.Compiled);
  }
  for (const Global &G : P.Globals)
    Size += Fixed + G.Symbol.size() + G.File.size();
  for (const Module &M : P.Modules) {
    Size += Fixed + M.Name.size();
    AddAll(M.Inputs);
    AddCubins(M.Compiled);
  }
  return Size + P.Limits.size() * Fixed;
}

static std::optional<fb::ContentId> parseId(std::string_view Id) {
  constexpr std::string_view Prefix = "xxh3:";
  if (!Id.starts_with(Prefix) || Id.size() != Prefix.size() + 32)
    return std::nullopt;
  auto Half = [&](size_t At) -> std::optional<uint64_t> {
    const char *Begin = Id.data() + At, *End = Begin + 16;
    uint64_t Number = 0;
    auto Parsed = std::from_chars(Begin, End, Number, 16);
    if (Parsed.ec != std::errc() || Parsed.ptr != End)
      return std::nullopt;
    return Number;
  };
  auto High = Half(Prefix.size()), Low = Half(Prefix.size() + 16);
  if (!High || !Low)
    return std::nullopt;
  return fb::ContentId(*High, *Low);
}

namespace {

/// Each function makes the table of one struct; what is empty is left out.
class Writer {
public:
  Result<std::string> run(const Plan &P, std::string_view Source);

private:
  Offset<flatbuffers::String> text(std::string_view Text) {
    return Text.empty() ? Offset<flatbuffers::String>()
                        : B.CreateString(Text.data(), Text.size());
  }
  Offset<flatbuffers::String> required(std::string_view Text) {
    return B.CreateString(Text.data(), Text.size());
  }

  template <typename T, typename Range, typename F>
  List<T> list(const Range &Items, F Make) {
    if (Items.empty())
      return {};
    std::vector<Offset<T>> Offsets;
    Offsets.reserve(Items.size());
    for (const auto &Item : Items)
      Offsets.push_back(Make(Item));
    return B.CreateVector(Offsets);
  }

  List<fb::Text> texts(const std::vector<std::string> &Texts) {
    return list<fb::Text>(Texts, [&](const std::string &Text) {
      return fb::CreateText(B, required(Text));
    });
  }

  List<fb::Cubin> cubins(const std::vector<CompiledImage> &Compiled) {
    return list<fb::Cubin>(Compiled, [&](const CompiledImage &C) {
      return fb::CreateCubin(B, required(C.Arch), required(C.File),
                             required(C.Sha256), text(C.Tool), texts(C.Options),
                             texts(C.Sources));
    });
  }

  fb::ContentId id(const std::string &Id) {
    auto Parsed = parseId(Id);
    if (!Parsed && !Problem)
      Problem = makeError("'" + Id + "' is no content id");
    return Parsed.value_or(fb::ContentId());
  }

  Offset<fb::Producer> producer(const Producer &Made);
  Offset<fb::Kernel> kernel(const Kernel &K);
  Offset<fb::Image> image(const Image &I);

  FlatBufferBuilder B{size_t(1) << 16};
  std::optional<Diagnostic> Problem;
};

Offset<fb::Producer> Writer::producer(const Producer &Made) {
  return fb::CreateProducer(B, required(Made.Tool), text(Made.Version),
                            text(Made.Clang), text(Made.Cuda), texts(Made.Arch),
                            text(Made.Gpu), Made.Sms, text(Made.Driver),
                            text(Made.Loading));
}

fb::AttributeValue attributeValue(Attribute A, const Value &V) {
  auto Number = static_cast<uint8_t>(A);
  if (auto *Exact = std::get_if<int64_t>(&V))
    return {*Exact, Number, fb::ValueKind::Integer};
  if (auto *Most = std::get_if<AtMostValue>(&V))
    return {Most->Bound, Number, fb::ValueKind::AtMost};
  return {0, Number, fb::ValueKind::Max};
}

Offset<fb::Kernel> Writer::kernel(const Kernel &K) {
  auto Symbol = required(K.Key.Symbol);
  auto File = text(K.Key.File);
  auto Name = text(K.Name);
  Offset<flatbuffers::Vector<const fb::AttributeValue *>> Attributes;
  if (!K.Attributes.empty()) {
    std::vector<fb::AttributeValue> Values;
    Values.reserve(K.Attributes.size());
    for (const auto &[A, V] : K.Attributes)
      Values.push_back(attributeValue(A, V));
    Attributes = B.CreateVectorOfStructs(Values);
  }
  Offset<flatbuffers::Vector<uint8_t>> Uses;
  if (!K.Uses.empty()) {
    std::vector<uint8_t> Numbers;
    Numbers.reserve(K.Uses.size());
    for (Use U : K.Uses)
      Numbers.push_back(static_cast<uint8_t>(U));
    Uses = B.CreateVector(Numbers);
  }
  std::optional<fb::ContentId> Image;
  if (!K.Key.Image.empty())
    Image = id(K.Key.Image);

  fb::KernelBuilder Out(B);
  Out.add_symbol(Symbol);
  Out.add_internal(K.Key.Link == Linkage::Internal);
  Out.add_file(File);
  if (Image)
    Out.add_image(&*Image);
  Out.add_name(Name);
  Out.add_attributes(Attributes);
  if (K.Cache)
    Out.add_cache_config(static_cast<uint8_t>(*K.Cache));
  if (K.LocalBytes)
    Out.add_local_bytes(*K.LocalBytes);
  Out.add_uses(Uses);
  return Out.Finish();
}

Offset<fb::Image> Writer::image(const Image &I) {
  fb::ContentId Id = id(I.Id);
  auto Options = list<fb::Option>(I.Options, [&](const auto &Option) {
    return fb::CreateOption(B, required(Option.first), Option.second);
  });
  Offset<fb::FileOrigin> FromFile;
  Offset<flatbuffers::String> FromStore;
  if (auto *File = std::get_if<FileOrigin>(&I.Origin))
    FromFile = fb::CreateFileOrigin(
        B, required(File->File), text(File->BuildId), File->Offset, File->Size);
  else if (auto *Store = std::get_if<StoreOrigin>(&I.Origin))
    FromStore = required(Store->Path);
  auto Globals = texts(I.Globals);
  auto Cubins = cubins(I.Compiled);
  return fb::CreateImage(B, &Id, static_cast<uint8_t>(I.Kind),
                         static_cast<uint8_t>(I.LoadedBy), Options, I.Copies,
                         FromFile, FromStore, Globals, I.UseCompiled, Cubins);
}

Result<std::string> Writer::run(const Plan &P, std::string_view Source) {
  auto SourceText = text(Source);
  auto Producers = list<fb::Producer>(
      P.Producers, [&](const Producer &Made) { return producer(Made); });
  auto Kernels =
      list<fb::Kernel>(P.Kernels, [&](const Kernel &K) { return kernel(K); });
  auto Images =
      list<fb::Image>(P.Images, [&](const Image &I) { return image(I); });
  auto Globals = list<fb::Global>(P.Globals, [&](const Global &G) {
    return fb::CreateGlobal(B, required(G.Symbol), text(G.File));
  });
  auto Modules = list<fb::Module>(P.Modules, [&](const Module &M) {
    return fb::CreateModule(B, required(M.Name), texts(M.Inputs),
                            cubins(M.Compiled));
  });
  auto Limits = list<fb::Limit>(P.Limits, [&](const auto &Limit) {
    return fb::CreateLimit(B, required(Limit.first), Limit.second);
  });
  if (Problem)
    return *Problem;
  fb::FinishPlanBuffer(B, fb::CreatePlan(B, CompiledVersion, 0, SourceText,
                                         Producers, Kernels, Images, Globals,
                                         Modules, Limits));
  return std::string(reinterpret_cast<const char *>(B.GetBufferPointer()),
                     B.GetSize());
}

} // namespace

Result<std::string> compilePlan(const Plan &P, std::string_view Source) {
  constexpr size_t LargestFile = size_t(1) << 30; // of FlatBuffers' 2 GiB
  Plan Executed = executedPart(P);
  if (sizeBound(Executed) > LargestFile)
    return makeError("the plan is too large to be compiled");
  auto Bytes = Writer().run(Executed, Source);
  if (!Bytes)
    return Bytes;
  // What is written can be read; whoever filled the structs may have erred.
  if (auto Read = readCompiledPlan(*Bytes, "compiled plan"); !Read)
    return Read.errors();
  return Bytes;
}

} // namespace kplan
