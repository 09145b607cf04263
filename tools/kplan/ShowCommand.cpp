//===- ShowCommand.cpp - kplan show ---------------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "Json.h"
#include "Table.h"

#include "plan/AttributeRules.h"
#include "plan/Canonical.h"
#include "plan/FileIO.h"
#include "plan/Names.h"
#include "plan/PlanWriter.h"
#include "plan/Summary.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kplan::tool {

namespace {

struct ShowOptions {
  std::string Path;
  bool Json = false;
  bool Symbols = false;
  bool Full = false;
  /// Of names and source text; 0: no limit.
  size_t maxWidth() const { return Full ? 0 : 60; }
};

using Rows = std::vector<std::vector<std::string>>;

} // namespace

/// "Title (3)" and a table; nothing where there are no rows.
static void printSection(const char *Title, size_t Count,
                         std::vector<std::string> Header, Rows Body) {
  if (Body.empty())
    return;
  Table T(std::move(Header));
  for (auto &Row : Body)
    T.addRow(std::move(Row));
  std::printf("\n%s (%zu)\n%s", Title, Count, T.text().c_str());
}

static std::string join(const std::vector<std::string> &Words,
                        const char *Separator = " ") {
  std::string Out;
  for (const std::string &Word : Words)
    if (!Word.empty())
      Out += (Out.empty() ? "" : Separator) + Word;
  return Out;
}

static std::string prefixed(const char *Prefix, const std::string &Text) {
  return Text.empty() ? Text : Prefix + Text;
}

static std::string describe(const Producer &P) {
  return join({P.Tool, P.Version, prefixed("clang ", P.Clang),
               prefixed("CUDA ", P.Cuda), join(P.Arch, ","), P.Gpu,
               P.Sms ? std::to_string(*P.Sms) + " SMs" : "",
               prefixed("driver ", P.Driver), prefixed("loading ", P.Loading)});
}

/// "2 set, 1 launch".
static std::string describeSites(const Kernel &K) {
  std::string Out;
  for (const auto &[Kind, Name] : EnumeratorNames<SiteKind>) {
    std::set<SourcePosition> Places;
    for (const Site &S : K.Sites)
      if (S.Kind == Kind)
        Places.insert(S.At);
    if (!Places.empty())
      Out += (Out.empty() ? "" : ", ") + std::to_string(Places.size()) + ' ' +
             std::string(Name);
  }
  return Out;
}

static std::string kernelName(const Kernel &K, const ShowOptions &Options) {
  bool Symbol = Options.Symbols || K.Name.empty();
  std::string Name =
      shorten(Symbol ? K.Key.Symbol : K.Name, Options.maxWidth());
  return K.Key.Link == Linkage::Internal ? Name + " in " + K.Key.File : Name;
}

static void addKernel(Rows &Out, const Kernel &K, const ShowOptions &Options) {
  Rows Set;
  for (const auto &[Of, V] : K.Attributes)
    Set.push_back({std::string(nameOf(Of)), describeValue(V)});
  if (K.Cache)
    Set.push_back({"cache_config", std::string(nameOf(*K.Cache))});
  if (Set.empty())
    Set.push_back({"-", "-"});
  for (size_t I = 0; I < Set.size(); ++I)
    Out.push_back({I ? "" : kernelName(K, Options), Set[I][0], Set[I][1],
                   I ? "" : describeSites(K)});
}

static std::string describe(const Origin &O) {
  if (auto *File = std::get_if<FileOrigin>(&O))
    return File->File + " at " + std::to_string(File->Offset) + ", " +
           std::to_string(File->Size) + " bytes";
  if (auto *Store = std::get_if<StoreOrigin>(&O))
    return Store->Path;
  return "-";
}

static std::string describeSetting(const std::optional<Attribute> &Of,
                                   const std::optional<CacheConfig> &Cache) {
  return std::string(Of      ? nameOf(*Of)
                     : Cache ? nameOf(*Cache)
                             : std::string_view("-"));
}

static std::string describeValues(const Conflict &C) {
  std::vector<std::string> Words;
  Words.reserve(C.Values.size() + C.CacheConfigs.size());
  for (const Value &V : C.Values)
    Words.push_back(describeValue(V));
  for (CacheConfig Cache : C.CacheConfigs)
    Words.emplace_back(nameOf(Cache));
  return join(Words, ", ");
}

static void printTables(const Plan &P, const ShowOptions &Options) {
  auto Short = [&](const std::string &Text) {
    return shorten(Text, Options.maxWidth());
  };
  auto Place = [](const SourcePosition &At) {
    return At.File.empty() ? "-" : formatPosition(At);
  };
  std::printf("%s: %s\n", Options.Path.c_str(),
              formatSummary(summarise(P)).c_str());
  for (const Producer &Made : P.Producers)
    std::printf("  by %s\n", describe(Made).c_str());

  Rows R;
  for (const Kernel &K : P.Kernels)
    addKernel(R, K, Options);
  printSection("Kernels", P.Kernels.size(),
               {"KERNEL", "ATTRIBUTE", "VALUE", "SITES"}, std::move(R));

  R.clear();
  for (const Image &I : P.Images)
    R.push_back({I.Id, std::string(nameOf(I.Kind)),
                 std::string(nameOf(I.LoadedBy)), std::to_string(I.Copies),
                 describe(I.Origin)});
  printSection("Images", P.Images.size(),
               {"ID", "KIND", "LOADER", "COPIES", "ORIGIN"}, std::move(R));

  R.clear();
  for (const Global &G : P.Globals)
    R.push_back({Short(G.Symbol), G.File, Place(G.At)});
  printSection("Globals", P.Globals.size(), {"SYMBOL", "FILE", "AT"},
               std::move(R));

  R.clear();
  for (const Module &M : P.Modules)
    R.push_back({M.Name, join(M.Inputs)});
  printSection("Modules", P.Modules.size(), {"NAME", "INPUTS"}, std::move(R));

  R.clear();
  for (const auto &[Name, Size] : P.Limits)
    R.push_back({Name, std::to_string(Size)});
  printSection("Limits", P.Limits.size(), {"LIMIT", "VALUE"}, std::move(R));

  R.clear();
  for (const UnresolvedSite &U : P.Unresolved)
    R.push_back(
        {Place(U.At), std::string(nameOf(U.Kind)), U.Why, Short(U.Text)});
  printSection("Unresolved", P.Unresolved.size(), {"AT", "KIND", "WHY", "TEXT"},
               std::move(R));

  R.clear();
  for (const Conflict &C : P.Conflicts)
    R.push_back({Short(C.Symbol),
                 C.CacheConfigs.empty() ? std::string(nameOf(C.Attribute))
                                        : "cache_config",
                 describeValues(C), C.File});
  printSection("Conflicts: not set", P.Conflicts.size(),
               {"SYMBOL", "ATTRIBUTE", "VALUES", "FILE"}, std::move(R));

  R.clear();
  for (const TemplateSite &T : P.Templates)
    R.push_back({Place(T.At), std::string(nameOf(T.Kind)), Short(T.KernelText),
                 describeSetting(T.SetAttribute, T.SetCacheConfig),
                 Short(T.ValueText)});
  printSection("Templates that nothing instantiates", P.Templates.size(),
               {"AT", "KIND", "KERNEL", "ATTRIBUTE", "VALUE"}, std::move(R));

  R.clear();
  for (const Stall &S : P.Stalls) {
    char Milliseconds[32];
    std::snprintf(Milliseconds, sizeof Milliseconds, "%.1f", S.HostMs);
    R.push_back(
        {S.Api, Milliseconds, std::to_string(S.Thread), Short(S.KernelSymbol)});
  }
  printSection("Stalls", P.Stalls.size(),
               {"API", "HOST MS", "THREAD", "KERNEL"}, std::move(R));
}

static Status runShow(const ShowOptions &Options) {
  auto Bytes = readFile(Options.Path, LargestPlan);
  if (!Bytes) {
    printDiagnostics(Bytes.errors());
    return Status::Usage;
  }
  auto P = readEitherPlan(*Bytes, Options.Path);
  if (!P) {
    printDiagnostics(P.errors());
    return Status::Findings;
  }
  canonicalise(*P);
  if (!Options.Json) {
    printTables(*P, Options);
    return Status::Ok;
  }
  // The writer's text says of each scalar whether it is a string.
  std::string Written = writePlan(std::move(*P));
  auto Tree = parseYaml(Written, Options.Path);
  if (!Tree) {
    printDiagnostics(Tree.errors());
    return Status::Findings;
  }
  std::fputs(jsonText(Tree->root()).c_str(), stdout);
  return Status::Ok;
}

void addShowCommand(CLI::App &App, Status &Exit) {
  auto Options = std::make_shared<ShowOptions>();
  CLI::App *Command =
      App.add_subcommand("show", "Print what a plan holds, as tables or JSON");
  Command->add_option("plan", Options->Path, "Plan to print, YAML or compiled")
      ->required()
      ->type_name("PLAN");
  Command->add_flag("--json", Options->Json, "Print the whole plan as JSON");
  Command->add_flag("--symbols", Options->Symbols,
                    "Print kernels by symbol, not by name");
  Command->add_flag("--full", Options->Full,
                    "Do not shorten names and source text");
  Command->footer("Example:\n  kplan show --symbols plan.yaml");
  Command->callback([Options, &Exit] { Exit = runShow(*Options); });
}

} // namespace kplan::tool
