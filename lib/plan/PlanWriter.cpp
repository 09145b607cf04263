//===- PlanWriter.cpp - Plans to text -------------------------------------===//
//
// What is empty or absent is not written. Each function writes the keys in the
// order of Plan.h, as the reader's tables have them.
//
//===----------------------------------------------------------------------===//

#include "plan/PlanWriter.h"

#include "plan/Canonical.h"
#include "plan/FileIO.h"
#include "plan/Names.h"
#include "plan/YamlWriter.h"

#include <utility>

namespace kplan {

using Style = YamlWriter::Style;

std::string formatPosition(const SourcePosition &P) {
  return P.File + ':' + std::to_string(P.Line) + ':' + std::to_string(P.Column);
}

// Keys with their values; nothing where there is none.

static void word(YamlWriter &W, std::string_view Key, std::string_view Text) {
  if (Text.empty())
    return;
  W.key(Key);
  W.word(Text);
}

static void quoted(YamlWriter &W, std::string_view Key, std::string_view Text) {
  if (Text.empty())
    return;
  W.key(Key);
  W.quoted(Text);
}

static void number(YamlWriter &W, std::string_view Key, uint64_t Number) {
  W.key(Key);
  W.unsignedInteger(Number);
}

static void boolean(YamlWriter &W, std::string_view Key,
                    std::optional<bool> Value) {
  if (!Value)
    return;
  W.key(Key);
  W.boolean(*Value);
}

static void position(YamlWriter &W, std::string_view Key,
                     const SourcePosition &P) {
  if (P != SourcePosition())
    quoted(W, Key, formatPosition(P));
}

template <typename E>
static void enumerator(YamlWriter &W, std::string_view Key,
                       const std::optional<E> &Value) {
  if (Value)
    word(W, Key, nameOf(*Value));
}

static void words(YamlWriter &W, std::string_view Key,
                  const std::vector<std::string> &Words) {
  if (Words.empty())
    return;
  W.key(Key);
  W.beginSequence(Style::Flow);
  for (const std::string &Word : Words)
    W.word(Word);
  W.endSequence();
}

template <typename E>
static void enumerators(YamlWriter &W, std::string_view Key,
                        const std::vector<E> &Values) {
  if (Values.empty())
    return;
  W.key(Key);
  W.beginSequence(Style::Flow);
  for (E Value : Values)
    W.word(nameOf(Value));
  W.endSequence();
}

static void extensions(YamlWriter &W, const Extensions &Extra) {
  for (const auto &[Key, FlowText] : Extra) {
    W.key(Key);
    W.raw(FlowText);
  }
}

/// A list under a key, each item written by `Each`.
template <typename T, typename F>
static void list(YamlWriter &W, std::string_view Key,
                 const std::vector<T> &List, F Each) {
  if (List.empty())
    return;
  W.key(Key);
  W.beginSequence();
  for (const T &Item : List)
    Each(W, Item);
  W.endSequence();
}

void writeValue(YamlWriter &W, const Value &V) {
  if (auto *Exact = std::get_if<int64_t>(&V))
    return W.integer(*Exact);
  if (std::holds_alternative<MaxValue>(V))
    return W.word("max");
  W.beginMap(Style::Flow);
  W.key("at_most");
  W.integer(std::get<AtMostValue>(V).Bound);
  W.endMap();
}

void writeSite(YamlWriter &W, const Site &S) {
  W.beginMap(Style::Flow);
  word(W, "kind", nameOf(S.Kind));
  position(W, "at", S.At);
  enumerator(W, "attribute", S.SetAttribute);
  enumerator(W, "cache_config", S.SetCacheConfig);
  if (S.SetValue) {
    W.key("value");
    writeValue(W, *S.SetValue);
  }
  quoted(W, "when", S.When);
  boolean(W, "once", S.Once);
  quoted(W, "shared", S.Shared);
  boolean(W, "cooperative", S.Cooperative);
  if (!S.Cluster.empty()) {
    W.key("cluster");
    W.beginSequence(Style::Flow);
    for (uint32_t Dimension : S.Cluster)
      W.unsignedInteger(Dimension);
    W.endSequence();
  }
  extensions(W, S.Extra);
  W.endMap();
}

static void writeKernel(YamlWriter &W, const Kernel &K) {
  W.beginMap();
  word(W, "symbol", K.Key.Symbol);
  word(W, "name", K.Name);
  word(W, "linkage", nameOf(K.Key.Link));
  word(W, "file", K.Key.File);
  word(W, "image", K.Key.Image);
  if (!K.Attributes.empty()) {
    W.key("attributes");
    W.beginMap();
    for (const auto &[Attribute, Value] : K.Attributes) {
      W.key(nameOf(Attribute));
      writeValue(W, Value);
    }
    W.endMap();
  }
  enumerator(W, "cache_config", K.Cache);
  if (K.LocalBytes)
    number(W, "local_bytes", *K.LocalBytes);
  enumerators(W, "uses", K.Uses);
  list(W, "sites", K.Sites, writeSite);
  extensions(W, K.Extra);
  W.endMap();
}

static void writeOrigin(YamlWriter &W, const Origin &O) {
  if (std::holds_alternative<std::monostate>(O))
    return;
  W.key("origin");
  W.beginMap(Style::Flow);
  if (auto *File = std::get_if<FileOrigin>(&O)) {
    word(W, "file", File->File);
    word(W, "build_id", File->BuildId);
    W.key("offset");
    W.hexInteger(File->Offset);
    number(W, "size", File->Size);
  } else {
    word(W, "store", std::get<StoreOrigin>(O).Path);
  }
  W.endMap();
}

static void writeCompiled(YamlWriter &W, const CompiledImage &C) {
  W.beginMap(Style::Flow);
  word(W, "arch", C.Arch);
  word(W, "file", C.File);
  word(W, "sha256", C.Sha256);
  word(W, "tool", C.Tool);
  words(W, "options", C.Options);
  words(W, "sources", C.Sources);
  extensions(W, C.Extra);
  W.endMap();
}

static void writeImage(YamlWriter &W, const Image &I) {
  W.beginMap();
  word(W, "id", I.Id);
  word(W, "kind", nameOf(I.Kind));
  word(W, "loader", nameOf(I.LoadedBy));
  W.key("options");
  W.beginMap(Style::Flow);
  for (const auto &[Name, Value] : I.Options) {
    W.key(Name);
    W.integer(Value);
  }
  W.endMap();
  number(W, "copies", I.Copies);
  writeOrigin(W, I.Origin);
  words(W, "globals", I.Globals);
  if (I.UseCompiled)
    boolean(W, "use_compiled", true);
  list(W, "compiled", I.Compiled, writeCompiled);
  extensions(W, I.Extra);
  W.endMap();
}

static void writeGlobal(YamlWriter &W, const Global &G) {
  W.beginMap(Style::Flow);
  word(W, "symbol", G.Symbol);
  word(W, "file", G.File);
  position(W, "at", G.At);
  extensions(W, G.Extra);
  W.endMap();
}

static void writeModule(YamlWriter &W, const Module &M) {
  W.beginMap(Style::Flow);
  word(W, "name", M.Name);
  W.key("inputs");
  W.beginSequence();
  for (const std::string &Input : M.Inputs)
    W.word(Input);
  W.endSequence();
  if (!M.Options.empty()) {
    W.key("options");
    W.beginMap();
    for (const auto &[Name, Value] : M.Options) {
      W.key(Name);
      if (auto *Flag = std::get_if<bool>(&Value))
        W.boolean(*Flag);
      else if (auto *Number = std::get_if<int64_t>(&Value))
        W.integer(*Number);
      else
        W.word(std::get<std::string>(Value));
    }
    W.endMap();
  }
  list(W, "compiled", M.Compiled, writeCompiled);
  extensions(W, M.Extra);
  W.endMap();
}

static void writeUnresolved(YamlWriter &W, const UnresolvedSite &U) {
  W.beginMap(Style::Flow);
  word(W, "kind", nameOf(U.Kind));
  position(W, "at", U.At);
  W.key("why");
  W.word(U.Why);
  quoted(W, "text", U.Text);
  extensions(W, U.Extra);
  W.endMap();
}

static void writeConflict(YamlWriter &W, const Conflict &C) {
  W.beginMap(Style::Flow);
  word(W, "symbol", C.Symbol);
  word(W, "file", C.File);
  if (C.CacheConfigs.empty()) {
    word(W, "attribute", nameOf(C.Attribute));
    W.key("values");
    W.beginSequence();
    for (const Value &V : C.Values)
      writeValue(W, V);
    W.endSequence();
  } else {
    enumerators(W, "cache_configs", C.CacheConfigs);
  }
  extensions(W, C.Extra);
  W.endMap();
}

static void writeTemplate(YamlWriter &W, const TemplateSite &T) {
  W.beginMap(Style::Flow);
  word(W, "kind", nameOf(T.Kind));
  position(W, "at", T.At);
  quoted(W, "kernel", T.KernelText);
  enumerator(W, "attribute", T.SetAttribute);
  enumerator(W, "cache_config", T.SetCacheConfig);
  quoted(W, "value", T.ValueText);
  extensions(W, T.Extra);
  W.endMap();
}

static void writeStall(YamlWriter &W, const Stall &S) {
  W.beginMap(Style::Flow);
  word(W, "api", S.Api);
  word(W, "kernel", S.KernelSymbol);
  W.key("host_ms");
  W.real(S.HostMs);
  number(W, "thread", S.Thread);
  extensions(W, S.Extra);
  W.endMap();
}

static void writeProducer(YamlWriter &W, const Producer &P) {
  W.beginMap(Style::Flow);
  word(W, "tool", P.Tool);
  word(W, "version", P.Version);
  word(W, "clang", P.Clang);
  word(W, "cuda", P.Cuda);
  words(W, "arch", P.Arch);
  word(W, "gpu", P.Gpu);
  if (P.Sms)
    number(W, "sms", *P.Sms);
  word(W, "driver", P.Driver);
  word(W, "loading", P.Loading);
  extensions(W, P.Extra);
  W.endMap();
}

std::string writePlan(Plan P) {
  canonicalise(P);
  YamlWriter W;
  W.beginMap();
  number(W, "kplan", SchemaVersion);
  if (P.Minor)
    number(W, "minor", P.Minor);
  list(W, "producers", P.Producers, writeProducer);
  list(W, "kernels", P.Kernels, writeKernel);
  list(W, "images", P.Images, writeImage);
  list(W, "globals", P.Globals, writeGlobal);
  list(W, "modules", P.Modules, writeModule);
  if (!P.Limits.empty()) {
    W.key("limits");
    W.beginMap(Style::Flow);
    for (const auto &[Name, Value] : P.Limits)
      number(W, Name, Value);
    W.endMap();
  }
  list(W, "unresolved", P.Unresolved, writeUnresolved);
  list(W, "conflicts", P.Conflicts, writeConflict);
  list(W, "templates", P.Templates, writeTemplate);
  list(W, "stalls", P.Stalls, writeStall);
  extensions(W, P.Extra);
  W.endMap();
  return W.take();
}

std::optional<Diagnostic> writePlanFile(const Plan &P,
                                        const std::string &Path) {
  return writeFileAtomically(Path, writePlan(P));
}

} // namespace kplan
