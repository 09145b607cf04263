//===- Names.h - How enumerators are written in a plan --------------------===//
//
// Part of kplan. The one table of names for each enumeration of Plan.h.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_PLAN_NAMES_H
#define KPLAN_PLAN_NAMES_H

#include "plan/Attributes.h"
#include "plan/Plan.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace kplan {

/// Specialised for each enumeration: an array of (enumerator, name).
template <typename E> inline constexpr auto EnumeratorNames = nullptr;

template <>
inline constexpr auto EnumeratorNames<Linkage> =
    std::to_array<std::pair<Linkage, std::string_view>>(
        {{Linkage::External, "external"}, {Linkage::Internal, "internal"}});

/// CUfunc_cache, lower case, CU_FUNC_CACHE_ dropped.
template <>
inline constexpr auto EnumeratorNames<CacheConfig> =
    std::to_array<std::pair<CacheConfig, std::string_view>>(
        {{CacheConfig::PreferNone, "prefer_none"},
         {CacheConfig::PreferShared, "prefer_shared"},
         {CacheConfig::PreferL1, "prefer_l1"},
         {CacheConfig::PreferEqual, "prefer_equal"}});

template <>
inline constexpr auto EnumeratorNames<Use> =
    std::to_array<std::pair<Use, std::string_view>>({{Use::Printf, "printf"},
                                                     {Use::Assert, "assert"},
                                                     {Use::Malloc, "malloc"},
                                                     {Use::Cdp, "cdp"}});

template <>
inline constexpr auto EnumeratorNames<SiteKind> =
    std::to_array<std::pair<SiteKind, std::string_view>>(
        {{SiteKind::Set, "set"},
         {SiteKind::Launch, "launch"},
         {SiteKind::Query, "query"},
         {SiteKind::DeviceLaunch, "device_launch"}});

template <>
inline constexpr auto EnumeratorNames<ImageKind> =
    std::to_array<std::pair<ImageKind, std::string_view>>(
        {{ImageKind::Cubin, "cubin"},
         {ImageKind::Fatbin, "fatbin"},
         {ImageKind::Ptx, "ptx"}});

template <>
inline constexpr auto EnumeratorNames<Loader> =
    std::to_array<std::pair<Loader, std::string_view>>(
        {{Loader::Library, "library"}, {Loader::Module, "module"}});

/// CUlimit, lower case, CU_LIMIT_ dropped.
inline constexpr auto LimitNames = std::to_array<std::string_view>(
    {"stack_size", "printf_fifo_size", "malloc_heap_size",
     "dev_runtime_sync_depth", "dev_runtime_pending_launch_count",
     "max_l2_fetch_granularity", "persisting_l2_cache_size", "shmem_size",
     "cig_enabled", "cig_shmem_fallback_enabled"});

/// The name of an enumerator; empty for a value that is none.
template <typename E> constexpr std::string_view nameOf(E Value) {
  for (const auto &[Enumerator, Name] : EnumeratorNames<E>)
    if (Enumerator == Value)
      return Name;
  return {};
}

template <typename E>
constexpr std::optional<E> fromName(std::string_view Text) {
  for (const auto &[Enumerator, Name] : EnumeratorNames<E>)
    if (Name == Text)
      return Enumerator;
  return std::nullopt;
}

template <typename E> std::vector<std::string_view> allNames() {
  std::vector<std::string_view> Names;
  Names.reserve(EnumeratorNames<E>.size());
  for (const auto &Pair : EnumeratorNames<E>)
    Names.push_back(Pair.second);
  return Names;
}

// Attributes have their own table, Attributes.def; plans hold those that can be
// set.
template <> constexpr std::string_view nameOf(Attribute Value) {
  const AttributeInfo *Info = findAttribute(static_cast<unsigned>(Value));
  return Info ? Info->PlanName : std::string_view();
}

template <> constexpr std::optional<Attribute> fromName(std::string_view Text) {
  for (const AttributeInfo &Info : AttributeTable)
    if (Info.Settable && Info.PlanName == Text)
      return Info.Id;
  return std::nullopt;
}

template <> inline std::vector<std::string_view> allNames<Attribute>() {
  std::vector<std::string_view> Names;
  for (const AttributeInfo &Info : AttributeTable)
    if (Info.Settable)
      Names.push_back(Info.PlanName);
  return Names;
}

} // namespace kplan

#endif // KPLAN_PLAN_NAMES_H
