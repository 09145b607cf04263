//===- PlanReader.cpp - Text to plans -------------------------------------===//
//
// Each struct of Plan.h has a table of its keys; the tables are the schema.
//
//===----------------------------------------------------------------------===//

#include "plan/PlanReader.h"

#include "plan/FileIO.h"
#include "plan/PlanFields.h"

#include <algorithm>
#include <charconv>

namespace kplan {

std::optional<SourcePosition> parsePosition(std::string_view Text) {
  auto TakeNumber = [&](unsigned &Out) {
    size_t Colon = Text.rfind(':');
    if (Colon == std::string_view::npos || Colon + 1 == Text.size() ||
        Text[Colon + 1] == '0')
      return false;
    const char *End = Text.data() + Text.size();
    auto Parsed = std::from_chars(Text.data() + Colon + 1, End, Out);
    Text = Text.substr(0, Colon);
    return Parsed.ec == std::errc() && Parsed.ptr == End;
  };
  SourcePosition P;
  if (!TakeNumber(P.Column) || !TakeNumber(P.Line) || Text.empty())
    return std::nullopt;
  P.File = Text;
  return P;
}

bool staysInside(std::string_view Path) {
  for (;;) {
    size_t Slash = Path.find('/');
    std::string_view Part = Path.substr(0, Slash);
    if (Part.empty() || Part == "." || Part == "..")
      return false;
    if (Slash == std::string_view::npos)
      return true;
    Path.remove_prefix(Slash + 1);
  }
}

namespace fields {

void read(YamlReader &R, YamlNode N, Global &Out) {
  static constexpr YamlField<Global> Fields[] = {
      {"symbol", Presence::Required, nameInto<&Global::Symbol>},
      {"file", Presence::Optional, into<&Global::File>},
      {"at", Presence::Optional, into<&Global::At>}};
  R.map<Global>(N, "a global", Fields, Out, &Out.Extra);
}

static void readModuleOptions(YamlReader &R, YamlNode N, Module &Out) {
  R.entries(N, "a map of link options", [&](YamlNode Key, YamlNode V) {
    auto Name = R.name(Key);
    if (!Name)
      return;
    auto &Option = Out.Options[*Name];
    std::string_view Text = V.text();
    if (V.isPlain() && (Text == "true" || Text == "false"))
      Option = Text == "true";
    else if (V.isPlain() &&
             Text.find_first_not_of("-0123456789") == std::string_view::npos)
      read(R, V, Option.emplace<int64_t>());
    else
      read(R, V, Option.emplace<std::string>());
  });
}

void read(YamlReader &R, YamlNode N, Module &Out) {
  static constexpr YamlField<Module> Fields[] = {
      {"name", Presence::Required, nameInto<&Module::Name>},
      {"inputs", Presence::Required, namesInto<&Module::Inputs>},
      {"options", Presence::Optional, readModuleOptions},
      {"compiled", Presence::Optional, into<&Module::Compiled>}};
  R.map<Module>(N, "a module", Fields, Out, &Out.Extra);
}

void read(YamlReader &R, YamlNode N, UnresolvedSite &Out) {
  static constexpr YamlField<UnresolvedSite> Fields[] = {
      {"kind", Presence::Required, into<&UnresolvedSite::Kind>},
      {"at", Presence::Required, into<&UnresolvedSite::At>},
      {"why", Presence::Required, into<&UnresolvedSite::Why>},
      {"text", Presence::Optional, into<&UnresolvedSite::Text>}};
  R.map<UnresolvedSite>(N, "an unresolved site", Fields, Out, &Out.Extra);
}

void read(YamlReader &R, YamlNode N, Conflict &Out) {
  struct Parsed {
    Conflict C;
    bool HasAttribute = false;
  };
  static constexpr YamlField<Parsed> Fields[] = {
      {"symbol", Presence::Required,
       [](YamlReader &R, YamlNode N, Parsed &P) {
         if (auto V = R.name(N))
           P.C.Symbol = std::move(*V);
       }},
      {"file", Presence::Optional,
       [](YamlReader &R, YamlNode N, Parsed &P) { read(R, N, P.C.File); }},
      {"attribute", Presence::Optional,
       [](YamlReader &R, YamlNode N, Parsed &P) {
         read(R, N, P.C.Attribute);
         P.HasAttribute = true;
       }},
      {"values", Presence::Optional,
       [](YamlReader &R, YamlNode N, Parsed &P) { read(R, N, P.C.Values); }},
      {"cache_configs", Presence::Optional,
       [](YamlReader &R, YamlNode N, Parsed &P) {
         read(R, N, P.C.CacheConfigs);
       }}};
  Parsed P;
  if (!R.map<Parsed>(N, "a conflict", Fields, P, &P.C.Extra))
    return;
  bool OfAttribute = P.HasAttribute && !P.C.Values.empty();
  bool OfCache = !P.C.CacheConfigs.empty();
  bool Both = OfCache && (P.HasAttribute || !P.C.Values.empty());
  if (OfAttribute == OfCache || Both)
    R.error(N.mark(), "a conflict needs either 'attribute' and 'values', or "
                      "'cache_configs'");
  if (P.HasAttribute && P.C.Attribute == Attribute::MaxDynamicSharedSizeBytes)
    R.error(N.mark(), "max_dynamic_shared_size_bytes is never in conflict: the "
                      "largest value is taken");
  Out = std::move(P.C);
}

void read(YamlReader &R, YamlNode N, TemplateSite &Out) {
  static constexpr YamlField<TemplateSite> Fields[] = {
      {"kind", Presence::Required, into<&TemplateSite::Kind>},
      {"at", Presence::Required, into<&TemplateSite::At>},
      {"kernel", Presence::Optional, into<&TemplateSite::KernelText>},
      {"attribute", Presence::Optional, into<&TemplateSite::SetAttribute>},
      {"cache_config", Presence::Optional, into<&TemplateSite::SetCacheConfig>},
      {"value", Presence::Optional, into<&TemplateSite::ValueText>}};
  R.map<TemplateSite>(N, "a template's site", Fields, Out, &Out.Extra);
}

void read(YamlReader &R, YamlNode N, Stall &Out) {
  static constexpr YamlField<Stall> Fields[] = {
      {"api", Presence::Required, nameInto<&Stall::Api>},
      {"kernel", Presence::Optional, into<&Stall::KernelSymbol>},
      {"host_ms", Presence::Required, into<&Stall::HostMs>},
      {"thread", Presence::Optional, into<&Stall::Thread>}};
  R.map<Stall>(N, "a stall", Fields, Out, &Out.Extra);
}

void read(YamlReader &R, YamlNode N, Producer &Out) {
  static constexpr YamlField<Producer> Fields[] = {
      {"tool", Presence::Required, nameInto<&Producer::Tool>},
      {"version", Presence::Optional, into<&Producer::Version>},
      {"clang", Presence::Optional, into<&Producer::Clang>},
      {"cuda", Presence::Optional, into<&Producer::Cuda>},
      {"arch", Presence::Optional, namesInto<&Producer::Arch>},
      {"gpu", Presence::Optional, into<&Producer::Gpu>},
      {"sms", Presence::Optional, into<&Producer::Sms>},
      {"driver", Presence::Optional, into<&Producer::Driver>},
      {"loading", Presence::Optional, into<&Producer::Loading>}};
  R.map<Producer>(N, "a producer", Fields, Out, &Out.Extra);
}

static void readLimits(YamlReader &R, YamlNode N, Plan &Out) {
  std::vector<std::string_view> Known(LimitNames.begin(), LimitNames.end());
  R.entries(N, "a map of limits", [&](YamlNode Key, YamlNode V) {
    if (std::find(Known.begin(), Known.end(), Key.text()) != Known.end())
      read(R, V, Out.Limits[std::string(Key.text())]);
    else
      R.error(Key.mark(),
              "there is no such limit; there are " + joinAlternatives(Known));
  });
}

static constexpr YamlField<Plan> PlanFields[] = {
    {"kplan", Presence::Required, [](YamlReader &, YamlNode, Plan &) {}},
    {"minor", Presence::Optional, into<&Plan::Minor>},
    {"producers", Presence::Optional, into<&Plan::Producers>},
    {"kernels", Presence::Optional, readKernels},
    {"images", Presence::Optional, readImages},
    {"globals", Presence::Optional, into<&Plan::Globals>},
    {"modules", Presence::Optional, into<&Plan::Modules>},
    {"limits", Presence::Optional, readLimits},
    {"unresolved", Presence::Optional, into<&Plan::Unresolved>},
    {"conflicts", Presence::Optional, into<&Plan::Conflicts>},
    {"templates", Presence::Optional, into<&Plan::Templates>},
    {"stalls", Presence::Optional, into<&Plan::Stalls>}};

} // namespace fields

/// The version decides whether the rest can be understood at all.
static bool checkVersion(YamlReader &R, YamlNode Root) {
  if (!Root.isMap()) {
    R.error(Root.mark(), "not a plan: expected a map that begins with "
                         "'kplan: 1', found " +
                             R.describe(Root));
    return false;
  }
  std::optional<YamlNode> Version, Minor;
  for (YamlEntry Entry : Root.entries())
    if (Entry.Key.text() == "kplan")
      Version = Entry.Value;
    else if (Entry.Key.text() == "minor")
      Minor = Entry.Value;
  if (!Version) {
    R.error(Root.mark(), "not a plan: 'kplan: 1' is missing");
    return false;
  }
  auto Major = R.integer(*Version, 1);
  if (!Major)
    return false;
  auto Known = std::to_string(SchemaVersion);
  if (*Major != SchemaVersion) {
    R.error(Version->mark(),
            "this plan has schema version " + std::to_string(*Major) +
                "; this kplan reads version " + Known,
            "use a newer kplan");
    return false;
  }
  if (!Minor)
    return true;
  auto Addition = R.integer(*Minor, 0);
  if (Addition && *Addition > SchemaMinor)
    R.error(Minor->mark(),
            "this plan has schema version " + Known + '.' +
                std::to_string(*Addition) + "; this kplan reads up to " +
                Known + '.' + std::to_string(SchemaMinor),
            "use a newer kplan");
  return !R.failed();
}

Result<Plan> readPlan(std::string_view Text, std::string_view FileName,
                      const YamlLimits &Limits) {
  auto Tree = parseYaml(Text, FileName, Limits);
  if (!Tree)
    return Tree.errors();
  YamlReader R(FileName, Limits.MaxErrors);
  YamlNode Root = Tree->root();
  Plan Out;
  if (checkVersion(R, Root))
    R.map<Plan>(Root, "a plan", fields::PlanFields, Out, &Out.Extra);
  if (R.failed())
    return R.takeErrors();
  return Out;
}

Result<Plan> readPlanFile(const std::string &Path, const YamlLimits &Limits) {
  auto Text = readFile(Path, Limits.MaxBytes);
  if (!Text)
    return Text.errors();
  return readPlan(*Text, Path, Limits);
}

} // namespace kplan
