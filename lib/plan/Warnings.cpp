//===- Warnings.cpp - What is suspicious about a plan ---------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/Warnings.h"

#include "plan/AttributeRules.h"
#include "plan/Attributes.h"
#include "plan/Names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <tuple>
#include <utility>

namespace kplan {

namespace {

enum class Warning {
#define KPLAN_WARNING(Id, Name, OnByDefault, Summary) Id,
#include "plan/Warnings.def"
};

/// What a block gets without asking.
constexpr int64_t DefaultShared = 48 << 10;

/// The most dynamic shared memory of a block, by architecture: the table
/// "Technical Specifications per Compute Capability" of NVIDIA's guide.
struct SharedLimit {
  std::string_view Arch;
  int64_t Bytes;
};
constexpr auto SharedLimits = std::to_array<SharedLimit>({
    {"70", 96 << 10},
    {"72", 96 << 10},
    {"75", 64 << 10},
    {"80", 163 << 10},
    {"86", 99 << 10},
    {"87", 163 << 10},
    {"89", 99 << 10},
    {"90", 227 << 10},
    {"100", 227 << 10},
    {"103", 227 << 10},
    {"110", 227 << 10},
    {"120", 99 << 10},
    {"121", 99 << 10},
});

std::optional<int64_t> sharedLimit(std::string_view Arch) {
  const size_t Digit = Arch.find_first_of("0123456789");
  if (Digit == std::string_view::npos)
    return std::nullopt;
  Arch.remove_prefix(Digit);
  Arch = Arch.substr(0, Arch.find_first_not_of("0123456789"));
  for (const SharedLimit &L : SharedLimits)
    if (L.Arch == Arch)
      return L.Bytes;
  return std::nullopt;
}

/// What the roomiest of the architectures allows; nothing where one of them is
/// not known.
std::optional<int64_t> largestSharedLimit(const Plan &P) {
  std::optional<int64_t> Largest;
  for (const Producer &Made : P.Producers)
    for (const std::string &Arch : Made.Arch) {
      const auto Limit = sharedLimit(Arch);
      if (!Limit)
        return std::nullopt;
      Largest = std::max(Largest.value_or(0), *Limit);
    }
  return Largest;
}

Diagnostic warning(Warning W, const SourcePosition &At, std::string Message,
                   std::string Hint) {
  Diagnostic D;
  D.Level = Severity::Warning;
  D.File = At.File;
  D.Line = At.Line;
  D.Column = At.Column;
  D.Message = std::move(Message);
  D.Option = allWarnings()[static_cast<size_t>(W)].Name;
  D.Hint = std::move(Hint);
  return D;
}

std::string text(const SourcePosition &At) {
  return At.File + ':' + std::to_string(At.Line) + ':' +
         std::to_string(At.Column);
}

std::string bytes(int64_t N) { return std::to_string(N) + " bytes"; }

bool isSharedSet(const Site &S) {
  return S.Kind == SiteKind::Set &&
         S.SetAttribute == Attribute::MaxDynamicSharedSizeBytes && S.SetValue;
}

/// A plain number as source writes it: "65536", "65536u".
std::optional<int64_t> literal(std::string_view Text) {
  int64_t N = 0;
  auto [End, Code] = std::from_chars(Text.data(), Text.data() + Text.size(), N);
  const auto Rest = Text.substr(End - Text.data());
  if (Code != std::errc() ||
      Rest.find_first_not_of("uUlLzZ") != std::string_view::npos)
    return std::nullopt;
  return N;
}

class Finder {
public:
  explicit Finder(const Plan &P) : P(P), Limit(largestSharedLimit(P)) {}
  std::vector<Diagnostic> run();

private:
  const Plan &P;
  std::optional<int64_t> Limit;
  std::vector<Diagnostic> Found;

  void conflicts();
  void lowered(const Kernel &K);
  void aboveLimit(const Kernel &K);
  void launches(const Kernel &K);
  void guards(const Kernel &K);
  void unresolved();
};

void Finder::conflicts() {
  for (const Conflict &C : P.Conflicts) {
    std::string Values;
    for (const Value &V : C.Values)
      Values += (Values.empty() ? "" : ", ") + describeValue(V);
    for (CacheConfig Config : C.CacheConfigs)
      Values += (Values.empty() ? "" : ", ") + std::string(nameOf(Config));
    const bool IsCache = !C.CacheConfigs.empty();
    const std::string What =
        IsCache
            ? "cache_config"
            : std::string(
                  findAttribute(static_cast<unsigned>(C.Attribute))->PlanName);
    for (const Kernel &K : P.Kernels) {
      if (K.Key.Symbol != C.Symbol || K.Key.File != C.File)
        continue;
      for (const Site &S : K.Sites)
        if (IsCache ? S.SetCacheConfig.has_value()
                    : S.SetAttribute == C.Attribute)
          Found.push_back(warning(
              Warning::Conflict, S.At,
              What + " of " + K.Name + " is set to several values: " + Values,
              "none of them is planned: which one holds depends on the order "
              "of the calls"));
    }
  }
}

void Finder::lowered(const Kernel &K) {
  const Site *Most = nullptr;
  for (const Site &S : K.Sites)
    if (isSharedSet(S) && std::holds_alternative<int64_t>(*S.SetValue) &&
        (!Most ||
         std::get<int64_t>(*S.SetValue) > std::get<int64_t>(*Most->SetValue)))
      Most = &S;
  if (!Most)
    return;
  const int64_t Largest = std::get<int64_t>(*Most->SetValue);
  for (const Site &S : K.Sites) {
    if (!isSharedSet(S) || !std::holds_alternative<int64_t>(*S.SetValue))
      continue;
    const int64_t Mine = std::get<int64_t>(*S.SetValue);
    // One call with several values is made right before its launch, as a rule.
    if (Mine < Largest && S.At != Most->At)
      Found.push_back(warning(
          Warning::LoweredLimit, S.At,
          "this set allows " + K.Name + " " + bytes(Mine) +
              " of dynamic shared memory, the one at " + text(Most->At) + " " +
              bytes(Largest),
          "the last set holds: where this one runs between the other and its "
          "launch, the launch fails; set the largest everywhere, or once"));
  }
}

void Finder::aboveLimit(const Kernel &K) {
  if (!Limit)
    return;
  for (const Site &S : K.Sites)
    if (isSharedSet(S) && std::holds_alternative<int64_t>(*S.SetValue) &&
        std::get<int64_t>(*S.SetValue) > *Limit)
      Found.push_back(
          warning(Warning::AboveLimit, S.At,
                  "this set asks for " + bytes(std::get<int64_t>(*S.SetValue)) +
                      " for " + K.Name +
                      "; a block of the planned architectures has at most " +
                      bytes(*Limit),
                  "the set fails, and the launch that needs it; static shared "
                  "memory counts as well"));
}

void Finder::launches(const Kernel &K) {
  int64_t Allowed = DefaultShared;
  if (auto It = K.Attributes.find(Attribute::MaxDynamicSharedSizeBytes);
      It != K.Attributes.end()) {
    if (!std::holds_alternative<int64_t>(It->second))
      return;
    Allowed = std::max(Allowed, std::get<int64_t>(It->second));
  }
  for (const Site &S : K.Sites)
    if (const auto Asked = literal(S.Shared);
        S.Kind == SiteKind::Launch && Asked && *Asked > Allowed)
      Found.push_back(
          warning(Warning::LaunchAboveSet, S.At,
                  "this launch of " + K.Name + " uses " + bytes(*Asked) +
                      " of dynamic shared memory, and no set allows more "
                      "than " +
                      bytes(Allowed),
                  "allow it with cudaFuncAttributeMaxDynamicSharedMemorySize"));
}

void Finder::guards(const Kernel &K) {
  // A guard that looks at the device is no guard of the process.
  auto IsOfDevice = [](const std::string &When) {
    return When.find('[') != std::string::npos ||
           When.find("dev") != std::string::npos ||
           When.find("Dev") != std::string::npos;
  };
  for (const Site &S : K.Sites)
    if (S.Kind == SiteKind::Set && S.Once.value_or(false) &&
        !IsOfDevice(S.When))
      Found.push_back(warning(
          Warning::ProcessGuard, S.At,
          "an attribute of " + K.Name + " is set once a process",
          "attributes belong to a device: on a second one it is not set; keep "
          "a flag for each device"));
}

void Finder::unresolved() {
  for (const UnresolvedSite &U : P.Unresolved)
    Found.push_back(warning(Warning::Unresolved, U.At,
                            "this " + std::string(nameOf(U.Kind)) +
                                " is not in the plan: " + U.Why,
                            {}));
}

std::vector<Diagnostic> Finder::run() {
  conflicts();
  for (const Kernel &K : P.Kernels) {
    lowered(K);
    aboveLimit(K);
    launches(K);
    guards(K);
  }
  unresolved();
  auto Key = [](const Diagnostic &D) {
    return std::tie(D.File, D.Line, D.Column, D.Option, D.Message);
  };
  std::sort(Found.begin(), Found.end(),
            [&](const auto &A, const auto &B) { return Key(A) < Key(B); });
  return std::move(Found);
}

} // namespace

const std::vector<WarningInfo> &allWarnings() {
  static const std::vector<WarningInfo> All = {
#define KPLAN_WARNING(Id, Name, OnByDefault, Summary)                          \
  {Name, OnByDefault, Summary},
#include "plan/Warnings.def"
  };
  return All;
}

WarningChoice::WarningChoice() {
  for (const WarningInfo &W : allWarnings())
    if (!W.OnByDefault)
      Off.insert(W.Name);
}

std::optional<Diagnostic> WarningChoice::apply(std::string_view Flag) {
  const bool On = !Flag.starts_with("no-");
  const std::string_view Name = On ? Flag : Flag.substr(3);
  bool IsKnown = Name == "kplan";
  for (const WarningInfo &W : allWarnings()) {
    if (Name != "kplan" && Name != W.Name)
      continue;
    IsKnown = true;
    if (On)
      Off.erase(W.Name);
    else
      Off.insert(W.Name);
  }
  if (IsKnown)
    return std::nullopt;
  std::string Names = "kplan";
  for (const WarningInfo &W : allWarnings())
    Names += ", " + std::string(W.Name);
  return makeError("unknown warning '-W" + std::string(Flag) + "'",
                   "there are: " + Names + "; each also with no-");
}

bool WarningChoice::shows(const Diagnostic &D) const {
  return !Off.contains(D.Option);
}

std::vector<Diagnostic> findProblems(const Plan &P) { return Finder(P).run(); }

} // namespace kplan
