//===- PlanKernels.cpp - Reading kernels and their sites ------------------===//

#include "plan/PlanFields.h"

#include <algorithm>
#include <map>

namespace kplan::fields {

void read(YamlReader &R, YamlNode N, Site &Out) {
  static constexpr YamlField<Site> Fields[] = {
      {"kind", Presence::Required, into<&Site::Kind>},
      {"at", Presence::Required, into<&Site::At>},
      {"attribute", Presence::Optional, into<&Site::SetAttribute>},
      {"cache_config", Presence::Optional, into<&Site::SetCacheConfig>},
      {"value", Presence::Optional, into<&Site::SetValue>},
      {"when", Presence::Optional, into<&Site::When>},
      {"once", Presence::Optional, into<&Site::Once>},
      {"shared", Presence::Optional, into<&Site::Shared>},
      {"cooperative", Presence::Optional, into<&Site::Cooperative>},
      {"cluster", Presence::Optional, into<&Site::Cluster>}};
  if (!R.map<Site>(N, "a site", Fields, Out, &Out.Extra))
    return;
  bool Launch =
      Out.Kind == SiteKind::Launch || Out.Kind == SiteKind::DeviceLaunch;
  auto Refuse = [&](std::string_view Keys, std::string_view Kind) {
    R.error(N.mark(), "a site of kind " + std::string(nameOf(Out.Kind)) +
                          " has " + std::string(Keys) + ", which belongs to " +
                          std::string(Kind));
  };
  if (Out.Kind != SiteKind::Set &&
      (Out.SetAttribute || Out.SetCacheConfig || Out.SetValue))
    Refuse("attribute, cache_config or value", "kind set");
  if (!Launch &&
      (!Out.Shared.empty() || Out.Cooperative || !Out.Cluster.empty()))
    Refuse("shared, cooperative or cluster", "a launch");
  if (Out.Kind == SiteKind::Set &&
      Out.SetAttribute.has_value() == Out.SetCacheConfig.has_value())
    R.error(N.mark(), "a site of kind set needs 'attribute' or 'cache_config', "
                      "and not both");
  if (Out.SetValue && Out.SetCacheConfig)
    R.error(N.mark(), "'value' belongs to 'attribute', not to 'cache_config'");
  bool Dimensions = Out.Cluster.empty() ||
                    (Out.Cluster.size() == 3 &&
                     std::find(Out.Cluster.begin(), Out.Cluster.end(), 0) ==
                         Out.Cluster.end());
  if (!Dimensions)
    R.error(N.mark(), "'cluster' needs three dimensions, none of them 0");
}

static void readAttributes(YamlReader &R, YamlNode N, Kernel &Out) {
  R.entries(N, "a map of attributes", [&](YamlNode Key, YamlNode V) {
    const AttributeInfo *Info = findAttributeByPlanName(Key.text());
    if (Info && !Info->Settable)
      R.error(Key.mark(), "this attribute can be read, but not set");
    else if (auto A = R.enumerator<Attribute>(Key))
      read(R, V, Out.Attributes[*A]);
  });
}

static void readUses(YamlReader &R, YamlNode N, Kernel &Out) {
  read(R, N, Out.Uses);
  std::sort(Out.Uses.begin(), Out.Uses.end());
  Out.Uses.erase(std::unique(Out.Uses.begin(), Out.Uses.end()), Out.Uses.end());
}

static void read(YamlReader &R, YamlNode N, Kernel &Out) {
  static constexpr YamlField<Kernel> Fields[] = {
      {"symbol", Presence::Required,
       [](YamlReader &R, YamlNode N, Kernel &Out) {
         if (auto V = R.name(N))
           Out.Key.Symbol = std::move(*V);
       }},
      {"name", Presence::Optional, into<&Kernel::Name>},
      {"linkage", Presence::Optional,
       [](YamlReader &R, YamlNode N, Kernel &Out) {
         read(R, N, Out.Key.Link);
       }},
      {"file", Presence::Optional,
       [](YamlReader &R, YamlNode N, Kernel &Out) {
         if (auto V = R.name(N))
           Out.Key.File = std::move(*V);
       }},
      {"image", Presence::Optional,
       [](YamlReader &R, YamlNode N, Kernel &Out) {
         readImageId(R, N, Out.Key.Image);
       }},
      {"attributes", Presence::Optional, readAttributes},
      {"cache_config", Presence::Optional, into<&Kernel::Cache>},
      {"local_bytes", Presence::Optional, into<&Kernel::LocalBytes>},
      {"uses", Presence::Optional, readUses},
      {"sites", Presence::Optional, into<&Kernel::Sites>}};
  if (!R.map<Kernel>(N, "a kernel", Fields, Out, &Out.Extra))
    return;
  bool Internal = Out.Key.Link == Linkage::Internal;
  if (Internal && Out.Key.File.empty())
    R.error(N.mark(), "a kernel with internal linkage needs 'file'");
  if (!Internal && !Out.Key.File.empty())
    R.error(N.mark(), "'file' belongs to kernels with internal linkage",
            "write 'linkage: internal', or leave 'file' out");
  if (!Internal && Out.Key.Symbol.find('*') != std::string::npos)
    R.error(N.mark(), "a symbol with '*' needs internal linkage");
}

/// Reads the kernels and sees to it that each key is there once.
void readKernels(YamlReader &R, YamlNode N, Plan &Out) {
  std::map<KernelKey, YamlMark> Seen;
  Out.Kernels.reserve(N.size());
  R.sequence(N, [&](YamlNode Item) {
    Kernel K;
    read(R, Item, K);
    auto [First, New] = Seen.emplace(K.Key, Item.mark());
    if (!New && !K.Key.Symbol.empty())
      R.error(Item.mark(),
              "kernel " + quoteForMessage(K.Key.Symbol) +
                  " is there twice, with the same linkage, file and image",
              "the other one is at line " + std::to_string(First->second.Line));
    Out.Kernels.push_back(std::move(K));
  });
}

} // namespace kplan::fields
