//===- Plan.h - The plan: what must be in place ---------------------------===//
//
// Part of kplan. The data model of the YAML plan, schema version 1. Plain
// structs; readers, writers, merge and prime are functions over them. Field
// order is the order in the file. docs/plan-format.md describes each key.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_PLAN_H
#define KPLAN_PLAN_PLAN_H

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kplan {

/// Kernel attributes of the driver API; one table, Attributes.def.
enum class Attribute : uint8_t {
#define KPLAN_ATTRIBUTE(Enumerator, Number, PlanName, RuntimeName, Settable)   \
  Enumerator = (Number),
#include "plan/Attributes.def"
};

/// `max`: what the device allows this kernel, computed when priming.
struct MaxValue {
  auto operator<=>(const MaxValue &) const = default;
};
/// `{at_most: N}`: known only by an upper bound.
struct AtMostValue {
  int64_t Bound = 0;
  auto operator<=>(const AtMostValue &) const = default;
};
/// What an attribute is set to.
using Value = std::variant<int64_t, MaxValue, AtMostValue>;

enum class Linkage { External, Internal };
enum class CacheConfig { PreferNone, PreferShared, PreferL1, PreferEqual };
/// What a kernel's first launch starts beside its own code.
enum class Use { Printf, Assert, Malloc, Cdp };

/// "src/gemm.cu:88:5". Paths are relative to the plan's root.
struct SourcePosition {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  auto operator<=>(const SourcePosition &) const = default;
};

/// A key beginning with `x-`, kept as it was read: the node's YAML text on one
/// line (flow style), written back verbatim.
using Extensions = std::map<std::string, std::string>;

enum class SiteKind { Set, Launch, Query, DeviceLaunch };

/// A place in source that sets an attribute, launches, or asks about a kernel.
struct Site {
  SiteKind Kind = SiteKind::Launch;
  SourcePosition At;
  // A set:
  std::optional<Attribute> SetAttribute;
  std::optional<CacheConfig> SetCacheConfig; ///< a cudaFuncSetCacheConfig
  std::optional<Value> SetValue;
  std::string When;         ///< Source text of the guard; empty: none.
  std::optional<bool> Once; ///< Guarded to run once.
  // A launch:
  std::string Shared; ///< Source text of the dynamic shared memory argument.
  std::optional<bool> Cooperative;
  std::vector<uint32_t> Cluster; ///< Empty, or three dimensions.
  Extensions Extra;
  auto operator<=>(const Site &) const = default;
};

/// Only the whole key is unique among a plan's kernels.
struct KernelKey {
  std::string Symbol; ///< As nvcc writes it; `*` only with internal linkage.
  Linkage Link = Linkage::External;
  std::string File;  ///< The TU that an internal kernel belongs to.
  std::string Image; ///< Content id, where known.
  auto operator<=>(const KernelKey &) const = default;
};

struct Kernel {
  KernelKey Key;
  std::string Name; ///< Demangled, for people.
  std::map<Attribute, Value> Attributes;
  std::optional<CacheConfig> Cache;
  std::optional<uint64_t> LocalBytes; ///< Per thread.
  std::vector<Use> Uses;              ///< Sorted, unique.
  std::vector<Site> Sites;
  Extensions Extra;
  auto operator<=>(const Kernel &) const = default;
};

enum class ImageKind { Cubin, Fatbin, Ptx };
enum class Loader { Library, Module };

/// Where an image's bytes can be had again: a range of a file that is there
/// anyway, or an entry of the plan's store.
struct FileOrigin {
  std::string File;
  std::string BuildId;
  uint64_t Offset = 0;
  uint64_t Size = 0;
  auto operator<=>(const FileOrigin &) const = default;
};
struct StoreOrigin {
  std::string Path; ///< Below the plan's folder; never leaves it.
  auto operator<=>(const StoreOrigin &) const = default;
};
using Origin = std::variant<std::monostate, FileOrigin, StoreOrigin>;

/// A cubin in the plan's store, made ahead of time for one architecture.
struct CompiledImage {
  std::string Arch;
  std::string File; ///< Below the plan's folder; never leaves it.
  std::string Sha256;
  std::string Tool;                 ///< With its version.
  std::vector<std::string> Options; ///< As the tool was given them.
  std::vector<std::string> Sources; ///< Content ids of what it was made from.
  Extensions Extra;
  auto operator<=>(const CompiledImage &) const = default;
};

struct Image {
  std::string Id; ///< "xxh3:" and 32 hex digits.
  ImageKind Kind = ImageKind::Cubin;
  Loader LoadedBy = Loader::Library;
  std::map<std::string, int64_t> Options; ///< Semantic load options.
  uint32_t Copies = 1;
  kplan::Origin Origin;
  std::vector<std::string> Globals;
  /// The program, too, is given the compiled cubin when it loads this PTX:
  /// another ptxas than the driver's, so results may differ in the last bit.
  bool UseCompiled = false;
  std::vector<CompiledImage> Compiled;
  Extensions Extra;
  auto operator<=>(const Image &) const = default;
};

/// A device variable that source touches by name.
struct Global {
  std::string Symbol;
  std::string File;
  SourcePosition At;
  Extensions Extra;
  auto operator<=>(const Global &) const = default;
};

/// Inputs to be linked ahead of time into one cubin.
struct Module {
  std::string Name;
  std::vector<std::string> Inputs;
  std::map<std::string, std::variant<bool, int64_t, std::string>> Options;
  std::vector<CompiledImage> Compiled;
  Extensions Extra;
  auto operator<=>(const Module &) const = default;
};

/// A site whose kernel or value could not be found out.
struct UnresolvedSite {
  SiteKind Kind = SiteKind::Set;
  SourcePosition At;
  std::string Why;
  std::string Text;
  Extensions Extra;
  auto operator<=>(const UnresolvedSite &) const = default;
};

/// One attribute, several values: listed, and set on no kernel with this symbol
/// and file, whatever its image.
struct Conflict {
  std::string Symbol;
  std::string File; ///< The TU of an internal kernel; empty: external.
  /// Never MaxDynamicSharedSizeBytes in a plan: its largest value is taken.
  kplan::Attribute Attribute = Attribute::MaxDynamicSharedSizeBytes;
  std::vector<Value> Values;
  /// Not empty: the cache config is in conflict, not `Attribute`.
  std::vector<CacheConfig> CacheConfigs;
  Extensions Extra;
  auto operator<=>(const Conflict &) const = default;
};

/// A site in a template that no TU instantiates.
struct TemplateSite {
  SiteKind Kind = SiteKind::Set;
  SourcePosition At;
  std::string KernelText;
  std::optional<Attribute> SetAttribute;
  std::optional<CacheConfig> SetCacheConfig;
  std::string ValueText;
  Extensions Extra;
  auto operator<=>(const TemplateSite &) const = default;
};

/// A first use that waited, as traced.
struct Stall {
  std::string Api;
  std::string KernelSymbol;
  double HostMs = 0;
  uint32_t Thread = 0;
  Extensions Extra;
  auto operator<=>(const Stall &) const = default;
};

/// What made (a part of) the plan. A scan has clang, cuda and arch; a trace
/// has gpu, sms, driver and loading.
struct Producer {
  std::string Tool;
  std::string Version;
  std::string Clang;
  std::string Cuda;
  std::vector<std::string> Arch;
  std::string Gpu;
  std::optional<uint32_t> Sms;
  std::string Driver;
  std::string Loading;
  Extensions Extra;
  auto operator<=>(const Producer &) const = default;
};

/// Traced cuCtxSetLimit values by the driver's enumerator, lower case,
/// CU_LIMIT_ dropped.
using Limits = std::map<std::string, uint64_t>;

inline constexpr unsigned SchemaVersion = 1;
inline constexpr unsigned SchemaMinor = 1;

struct Plan {
  unsigned Minor = 0; ///< A canonical plan has the smallest that it needs.
  std::vector<Producer> Producers;
  std::vector<Kernel> Kernels;
  std::vector<Image> Images;
  std::vector<Global> Globals;
  std::vector<Module> Modules;
  kplan::Limits Limits;
  std::vector<UnresolvedSite> Unresolved;
  std::vector<Conflict> Conflicts;
  std::vector<TemplateSite> Templates;
  std::vector<Stall> Stalls;
  Extensions Extra;
  bool operator==(const Plan &) const = default;
};

} // namespace kplan

#endif // KPLAN_PLAN_PLAN_H
