//===- Api.cpp - What CUDA's functions do, for the scanner ----------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Api.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kplan::scan {
namespace {

using enum ApiAction;

constexpr auto Table = std::to_array<ApiFunction>({
#define KPLAN_API_SET(N, K, A, V)                                              \
  {.Name = #N, .Action = Set, .Kernel = K, .Attribute = A, .Value = V},
#define KPLAN_API_SET_CACHE(N, K, V)                                           \
  {.Name = #N, .Action = SetCache, .Kernel = K, .Value = V},
#define KPLAN_API_LAUNCH(N, K, S, C)                                           \
  {.Name = #N, .Action = Launch, .Kernel = K, .Shared = S, .Cooperative = C},
#define KPLAN_API_LAUNCH_CONFIG(N, K, C)                                       \
  {.Name = #N, .Action = LaunchConfig, .Kernel = K, .Config = C},
#define KPLAN_API_LAUNCH_NODE(N, C)                                            \
  {.Name = #N, .Action = LaunchNode, .Config = C},
#define KPLAN_API_QUERY(N, K) {.Name = #N, .Action = Query, .Kernel = K},
#define KPLAN_API_HANDLE(N, O, K)                                              \
  {.Name = #N, .Action = Handle, .Kernel = K, .Out = O},
#define KPLAN_API_NAMED(N, O, T)                                               \
  {.Name = #N, .Action = Named, .Out = O, .Text = T},
#define KPLAN_API_GLOBAL(N, S) {.Name = #N, .Action = Global, .Symbol = S},
#define KPLAN_API_NAMED_GLOBAL(N, T)                                           \
  {.Name = #N, .Action = NamedGlobal, .Text = T},
#define KPLAN_API_LIMIT(N, O, A)                                               \
  {.Name = #N, .Action = Limit, .Attribute = A, .Out = O},
#define KPLAN_API_LOADER(N, T, O)                                              \
  {.Name = #N, .Action = Loader, .Out = O, .Text = T},
#include "scan/Api.def"
});

std::string_view withoutSuffix(std::string_view Name) {
  for (std::string_view Suffix : {"_ptsz", "_ptds", "_v2"})
    if (Name.ends_with(Suffix))
      Name.remove_suffix(Suffix.size());
  return Name;
}

bool makesSite(ApiAction A) { return A <= Query; }

const ApiFunction *find(std::string_view Name, auto Accept) {
  auto It = std::find_if(Table.begin(), Table.end(), [&](const auto &F) {
    return F.Name == Name && Accept(F);
  });
  return It == Table.end() ? nullptr : &*It;
}

} // namespace

const ApiFunction *findApi(std::string_view Name) {
  Name = withoutSuffix(Name);
  if (!Name.starts_with("cu") && !Name.starts_with("dl"))
    return nullptr;
  if (const ApiFunction *F =
          find(Name, [](const auto &F) { return makesSite(F.Action); }))
    return F;
  return find(Name, [](const auto &) { return true; });
}

const ApiFunction *findApiResult(std::string_view Name) {
  Name = withoutSuffix(Name);
  return find(Name, [](const auto &F) {
    return !makesSite(F.Action) && F.Action != NamedGlobal;
  });
}

const ApiFunction *findApiInName(std::string_view Name) {
  auto IsWord = [](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) != 0;
  };
  const ApiFunction *Best = nullptr;
  for (const ApiFunction &F : Table) {
    if (!makesSite(F.Action) || (Best && Best->Name.size() >= F.Name.size()))
      continue;
    const size_t At = Name.find(F.Name);
    if (At == std::string_view::npos)
      continue;
    const size_t End = At + F.Name.size();
    if ((At == 0 || !IsWord(Name[At - 1])) &&
        (End == Name.size() || !IsWord(Name[End])))
      Best = &F;
  }
  return Best;
}

} // namespace kplan::scan
