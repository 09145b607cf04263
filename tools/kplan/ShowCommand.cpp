//===- ShowCommand.cpp - kplan show ---------------------------------------===//

#include "Commands.h"
#include "EitherPlan.h"
#include "Json.h"
#include "ShowProgram.h"
#include "Table.h"

#include "image/Program.h"
#include "plan/AttributeRules.h"
#include "plan/Canonical.h"
#include "plan/FileIO.h"
#include "plan/Names.h"
#include "plan/PlanWriter.h"
#include "plan/Summary.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
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

static std::string oneDecimal(double Number) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f", Number);
  return Text;
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

static std::string describeArchs(const std::vector<CompiledImage> &Compiled) {
  std::vector<std::string> Archs;
  Archs.reserve(Compiled.size());
  for (const CompiledImage &C : Compiled)
    Archs.push_back(C.Arch);
  return join(Archs, ",");
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

/// What a plan has of one library.
struct LibraryRow {
  size_t Images = 0;
  uint64_t Bytes = 0;
  size_t Kernels = 0;
  size_t WithAttributes = 0;
  size_t Stalls = 0;
  double StallMs = 0;
};

static std::string libraryOf(const Image &I) {
  if (const auto *File = std::get_if<FileOrigin>(&I.Origin))
    return File->File.substr(File->File.rfind('/') + 1);
  return "(made while running)";
}

/// By library: only where images tell of libraries.
static void printLibraries(const Plan &P, const ShowOptions &Options) {
  if (P.Images.empty())
    return;
  std::map<std::string, LibraryRow> Libraries;
  std::map<std::string, std::string> ByImage, ByKernel;
  for (const Image &I : P.Images) {
    LibraryRow &Row = Libraries[ByImage[I.Id] = libraryOf(I)];
    ++Row.Images;
    if (const auto *File = std::get_if<FileOrigin>(&I.Origin))
      Row.Bytes += File->Size;
  }
  const std::string Program = "(the program)";
  for (const Kernel &K : P.Kernels) {
    auto Known = ByImage.find(K.Key.Image);
    const std::string &Name = Known == ByImage.end() ? Program : Known->second;
    ByKernel.emplace(K.Key.Symbol, Name);
    LibraryRow &Row = Libraries[Name];
    ++Row.Kernels;
    Row.WithAttributes += !K.Attributes.empty() || K.Cache;
  }
  for (const Stall &S : P.Stalls) {
    auto Known = ByKernel.find(S.KernelSymbol);
    LibraryRow &Row =
        Libraries[Known == ByKernel.end() ? "(not known)" : Known->second];
    ++Row.Stalls;
    Row.StallMs += S.HostMs;
  }
  Rows R;
  for (const auto &[Name, Row] : Libraries)
    R.push_back({shorten(Name, Options.maxWidth()), std::to_string(Row.Images),
                 std::to_string(Row.Bytes), std::to_string(Row.Kernels),
                 std::to_string(Row.WithAttributes), std::to_string(Row.Stalls),
                 oneDecimal(Row.StallMs)});
  printSection("Libraries", Libraries.size(),
               {"LIBRARY", "IMAGES", "BYTES", "KERNELS", "WITH ATTRIBUTES",
                "STALLS", "HOST MS"},
               std::move(R));
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
  printLibraries(P, Options);

  Rows R;
  for (const Kernel &K : P.Kernels)
    addKernel(R, K, Options);
  printSection("Kernels", P.Kernels.size(),
               {"KERNEL", "ATTRIBUTE", "VALUE", "SITES"}, std::move(R));

  R.clear();
  for (const Image &I : P.Images)
    R.push_back({I.Id, std::string(nameOf(I.Kind)),
                 std::string(nameOf(I.LoadedBy)), std::to_string(I.Copies),
                 describe(I.Origin), describeArchs(I.Compiled)});
  printSection("Images", P.Images.size(),
               {"ID", "KIND", "LOADER", "COPIES", "ORIGIN", "COMPILED FOR"},
               std::move(R));

  R.clear();
  for (const Global &G : P.Globals)
    R.push_back({Short(G.Symbol), G.File, Place(G.At)});
  printSection("Globals", P.Globals.size(), {"SYMBOL", "FILE", "AT"},
               std::move(R));

  R.clear();
  for (const Module &M : P.Modules)
    R.push_back({M.Name, join(M.Inputs), describeArchs(M.Compiled)});
  printSection("Modules", P.Modules.size(), {"NAME", "INPUTS", "COMPILED FOR"},
               std::move(R));

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
    R.push_back({S.Api, oneDecimal(S.HostMs), std::to_string(S.Thread),
                 Short(S.KernelSymbol)});
  }
  printSection("Stalls", P.Stalls.size(),
               {"API", "HOST MS", "THREAD", "KERNEL"}, std::move(R));
}

static Status runShow(const ShowOptions &Options) {
  if (image::looksLikeProgram(Options.Path))
    return showProgram(
        {Options.Path, Options.Json, Options.Symbols, Options.maxWidth()});
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
  CLI::App *Command = App.add_subcommand(
      "show", "Print what a plan, or a program's device code, holds");
  Command
      ->add_option("file", Options->Path,
                   "Plan to print, YAML or compiled; or a program, library or "
                   "device code")
      ->required()
      ->type_name("FILE");
  Command->add_flag("--json", Options->Json, "Print everything as JSON");
  Command->add_flag("--symbols", Options->Symbols,
                    "Print kernels by symbol, not by name");
  Command->add_flag("--full", Options->Full,
                    "Do not shorten names and source text");
  Command->footer("Examples:\n  kplan show --symbols plan.yaml\n"
                  "  kplan show compiled/plan.kplan\n"
                  "  kplan show ./app");
  Command->callback([Options, &Exit] { Exit = runShow(*Options); });
}

} // namespace kplan::tool
