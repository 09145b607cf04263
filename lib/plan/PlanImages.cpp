//===- PlanImages.cpp - Reading images ------------------------------------===//

#include "plan/PlanFields.h"

#include <limits>
#include <map>
#include <tuple>

namespace kplan::fields {

static void readOrigin(YamlReader &R, YamlNode N, Image &Out) {
  struct AnyOrigin {
    FileOrigin File;
    StoreOrigin Store;
  };
  static constexpr YamlField<AnyOrigin> Fields[] = {
      {"file", Presence::Optional,
       [](YamlReader &R, YamlNode N, AnyOrigin &O) {
         if (auto V = R.name(N))
           O.File.File = std::move(*V);
       }},
      {"build_id", Presence::Optional,
       [](YamlReader &R, YamlNode N, AnyOrigin &O) {
         read(R, N, O.File.BuildId);
       }},
      {"offset", Presence::Optional,
       [](YamlReader &R, YamlNode N, AnyOrigin &O) {
         if (auto V = R.offset(N))
           O.File.Offset = *V;
       }},
      {"size", Presence::Optional,
       [](YamlReader &R, YamlNode N, AnyOrigin &O) {
         read(R, N, O.File.Size);
       }},
      {"store", Presence::Optional,
       [](YamlReader &R, YamlNode N, AnyOrigin &O) {
         readInsidePath(R, N, O.Store.Path);
       }}};
  AnyOrigin O;
  if (!R.map<AnyOrigin>(N, "an origin", Fields, O, nullptr))
    return;
  bool FromStore = !O.Store.Path.empty();
  bool FromFile = !O.File.File.empty() && O.File.Size > 0;
  bool AnyOfFile = O.File != FileOrigin();
  if (FromStore && !AnyOfFile)
    Out.Origin = std::move(O.Store);
  else if (FromFile && !FromStore)
    Out.Origin = std::move(O.File);
  else
    R.error(N.mark(), "an origin needs either 'file', 'offset' and 'size', or "
                      "'store'");
}

static void readOptions(YamlReader &R, YamlNode N, Image &Out) {
  R.entries(N, "a map of load options", [&](YamlNode Key, YamlNode V) {
    if (auto Name = R.name(Key))
      read(R, V, Out.Options[*Name]);
  });
}

void read(YamlReader &R, YamlNode N, CompiledImage &Out) {
  static constexpr YamlField<CompiledImage> Fields[] = {
      {"arch", Presence::Required, nameInto<&CompiledImage::Arch>},
      {"file", Presence::Required,
       [](YamlReader &R, YamlNode N, CompiledImage &Out) {
         readInsidePath(R, N, Out.File);
       }},
      {"sha256", Presence::Required,
       [](YamlReader &R, YamlNode N, CompiledImage &Out) {
         auto V = R.string(N);
         if (V && isHex(*V, 64))
           Out.Sha256 = std::move(*V);
         else if (V)
           R.error(N.mark(),
                   "expected 64 hexadecimal digits, found " + R.describe(N));
       }},
      {"tool", Presence::Optional, into<&CompiledImage::Tool>},
      {"options", Presence::Optional, into<&CompiledImage::Options>},
      {"sources", Presence::Optional,
       [](YamlReader &R, YamlNode N, CompiledImage &Out) {
         R.sequence(N, [&](YamlNode Item) {
           readImageId(R, Item, Out.Sources.emplace_back());
         });
       }}};
  R.map<CompiledImage>(N, "a compiled image", Fields, Out, &Out.Extra);
}

static void read(YamlReader &R, YamlNode N, Image &Out) {
  static constexpr YamlField<Image> Fields[] = {
      {"id", Presence::Required,
       [](YamlReader &R, YamlNode N, Image &Out) {
         readImageId(R, N, Out.Id);
       }},
      {"kind", Presence::Required, into<&Image::Kind>},
      {"loader", Presence::Required, into<&Image::LoadedBy>},
      {"options", Presence::Optional, readOptions},
      {"copies", Presence::Optional,
       [](YamlReader &R, YamlNode N, Image &Out) {
         if (auto V = R.integer(N, 1, std::numeric_limits<uint32_t>::max()))
           Out.Copies = static_cast<uint32_t>(*V);
       }},
      {"origin", Presence::Optional, readOrigin},
      {"globals", Presence::Optional, namesInto<&Image::Globals>},
      {"use_compiled", Presence::Optional, into<&Image::UseCompiled>},
      {"compiled", Presence::Optional, into<&Image::Compiled>}};
  R.map<Image>(N, "an image", Fields, Out, &Out.Extra);
}

void readImages(YamlReader &R, YamlNode N, Plan &Out) {
  using Key = std::tuple<std::string, Loader, std::map<std::string, int64_t>>;
  std::map<Key, YamlMark> Seen;
  R.sequence(N, [&](YamlNode Item) {
    Image I;
    read(R, Item, I);
    auto [First, New] =
        Seen.emplace(Key(I.Id, I.LoadedBy, I.Options), Item.mark());
    if (!New && !I.Id.empty())
      R.error(Item.mark(),
              "image " + quoteForMessage(I.Id) +
                  " is there twice, with the same loader and options",
              "the other one is at line " + std::to_string(First->second.Line) +
                  "; 'copies' tells how many are alive at once");
    Out.Images.push_back(std::move(I));
  });
}

} // namespace kplan::fields
