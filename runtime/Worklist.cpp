//===- Worklist.cpp - What a plan asks of this program --------------------===//

#include "Worklist.h"

#include "plan/AttributeRules.h"
#include "plan/Names.h"
#include "plan/SymbolPattern.h"

#include <algorithm>
#include <unordered_map>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// One name in an image, and where its host side is.
struct NamedSymbol {
  const void *Host = nullptr;
  std::string_view Symbol;
};

/// An image that planned kernels are looked for in. Names belong to the input.
struct Candidate {
  ImageWork Empty;        ///< The work on it, with nothing to do yet.
  std::string_view Image; ///< Content id of a loaded one; empty: not known.
  std::vector<NamedSymbol> Kernels;
  std::vector<NamedSymbol> Variables; ///< Loaded code does not list them.

  bool isLoaded() const { return !Empty.Unit; }
};

std::vector<NamedSymbol> named(const std::vector<RegisteredSymbol> &Symbols) {
  std::vector<NamedSymbol> Named;
  Named.reserve(Symbols.size());
  for (const RegisteredSymbol &S : Symbols)
    Named.push_back({S.Host, S.Symbol});
  return Named;
}

std::vector<Candidate>
candidates(const std::vector<RegisteredImage> &Registered,
           const std::vector<LoadedImage> &Loaded) {
  std::vector<Candidate> All;
  for (const RegisteredImage &I : Registered) {
    Candidate &C = All.emplace_back();
    C.Empty.Id = {CodeId::Kind::Registered, I.Serial};
    C.Empty.Unit = I.Unit;
    C.Kernels = named(I.Kernels);
    C.Variables = named(I.Variables);
  }
  for (const LoadedImage &I : Loaded) {
    Candidate &C = All.emplace_back();
    C.Empty.Id = {CodeId::Kind::Loaded, I.Serial};
    C.Empty.Code = I.Code;
    C.Image = I.Image;
    for (const std::string &K : I.Kernels)
      C.Kernels.push_back({nullptr, K});
  }
  return All;
}

/// Where a symbol is: indices into the candidates.
struct Place {
  size_t Image;
  size_t Symbol;
};

/// Symbols by name, with patterns matched against all of them.
class Index {
public:
  Index(const std::vector<Candidate> &Images,
        std::vector<NamedSymbol> Candidate::*Which) {
    for (size_t I = 0; I < Images.size(); ++I) {
      const auto &Symbols = Images[I].*Which;
      for (size_t S = 0; S < Symbols.size(); ++S)
        Places[Symbols[S].Symbol].push_back({I, S});
    }
  }

  std::vector<Place> find(const std::string &Symbol) const {
    std::vector<Place> Found;
    if (!isPattern(Symbol)) {
      if (auto It = Places.find(Symbol); It != Places.end())
        Found = It->second;
      return Found;
    }
    for (const auto &[Name, Where] : Places)
      if (matchesPattern(Symbol, Name))
        Found.insert(Found.end(), Where.begin(), Where.end());
    return Found;
  }

private:
  std::unordered_map<std::string_view, std::vector<Place>> Places;
};

std::string kernelText(const Kernel &K) {
  std::string Text = "kernel " + K.Key.Symbol;
  if (!K.Name.empty() && K.Name != K.Key.Symbol)
    Text += " (" + K.Name + ")";
  return Text;
}

std::string whyMissing(const Kernel &K) {
  return kernelText(K) +
         ": not registered by this program, and in nothing that is loaded: in "
         "a shared library that does not link kplan::runtime and is not in use "
         "yet, or not built in";
}

/// What the entries that match one kernel say about one thing.
template <typename T> class Agreement {
public:
  void says(const T &Wish) {
    if (std::find(Wishes.begin(), Wishes.end(), Wish) == Wishes.end())
      Wishes.push_back(Wish);
  }
  void isSilent() { Silent = true; }

  const std::vector<T> &wishes() const { return Wishes; }
  bool agreed() const { return Wishes.size() == 1 && !Silent; }
  bool silenceDisagrees() const { return Silent; }

private:
  std::vector<T> Wishes;
  bool Silent = false;
};

template <typename T, typename F>
std::string disagreement(const std::string &Symbol, std::string_view What,
                         const Agreement<T> &A, F Describe) {
  std::string Line = std::string(What) + " of " + Symbol +
                     " is not set: entries of the plan for this symbol "
                     "disagree (";
  const char *Separator = "";
  for (const T &Wish : A.wishes()) {
    Line += Separator + Describe(Wish);
    Separator = ", ";
  }
  if (A.silenceDisagrees())
    Line += ", not set";
  return Line + ")";
}

/// Fills a kernel's wishes from the entries that match it.
void addWishes(KernelWork &Work, const std::vector<const Kernel *> &Entries,
               std::vector<std::string> &Warnings) {
  std::map<Attribute, Agreement<Value>> Attributes;
  Agreement<CacheConfig> Cache;
  for (const Kernel *K : Entries) {
    for (const auto &[A, V] : K->Attributes)
      Attributes[A].says(V);
    if (K->Cache)
      Cache.says(*K->Cache);
  }
  for (const Kernel *K : Entries) {
    if (K->Key.Link != Linkage::Internal)
      continue;
    for (auto &[A, Agreed] : Attributes)
      if (!K->Attributes.count(A))
        Agreed.isSilent();
    if (!K->Cache && !Cache.wishes().empty())
      Cache.isSilent();
  }

  for (const auto &[A, Agreed] : Attributes) {
    if (Agreed.agreed())
      Work.Attributes.emplace(A, Agreed.wishes().front());
    else
      Warnings.push_back(
          disagreement(Work.Symbol, nameOf(A), Agreed, describeValue));
  }
  if (Cache.agreed())
    Work.Cache = Cache.wishes().front();
  else if (!Cache.wishes().empty())
    Warnings.push_back(
        disagreement(Work.Symbol, "cache_config", Cache,
                     [](CacheConfig C) { return std::string(nameOf(C)); }));
}

/// Without a plan: all that the program registered, or else all that is loaded.
std::vector<ImageWork> workOnAll(const std::vector<Candidate> &Images) {
  std::vector<ImageWork> All;
  const bool AnyRegistered = std::ranges::any_of(
      Images, [](const Candidate &C) { return !C.isLoaded(); });
  for (const Candidate &C : Images) {
    if (AnyRegistered && C.isLoaded())
      continue;
    ImageWork Work = C.Empty;
    for (const NamedSymbol &K : C.Kernels)
      Work.Kernels.push_back({K.Host, std::string(K.Symbol), {}, {}});
    if (!C.Variables.empty())
      Work.Variables.push_back(
          {C.Variables.front().Host, std::string(C.Variables.front().Symbol)});
    All.push_back(std::move(Work));
  }
  return All;
}

/// The work of a plan, collected by place, then put in the candidates' order.
class Matcher {
public:
  Matcher(const std::vector<Candidate> &Images, bool Complete, Worklist &Out)
      : Images(Images), Complete(Complete), Out(Out), Entries(Images.size()),
        Wanted(Images.size()), WantedByName(Images.size()) {}

  void addKernels(const std::vector<Kernel> &Kernels) {
    Index Symbols(Images, &Candidate::Kernels);
    for (const Kernel &K : Kernels) {
      std::vector<Place> Places = Symbols.find(K.Key.Symbol);
      std::erase_if(Places, [&](Place P) {
        const Candidate &C = Images[P.Image];
        return C.isLoaded() && !K.Key.Image.empty() && C.Image != K.Key.Image;
      });
      // What an image brings is there once the image is.
      if (Places.empty() && Complete && K.Key.Image.empty())
        Out.Missing.push_back(whyMissing(K));
      else if (Places.empty())
        ++Out.Waiting;
      for (Place P : Places)
        Entries[P.Image][P.Symbol].push_back(&K);
    }
  }

  /// Variables that source names: in whatever image has them.
  void addGlobals(const std::vector<Global> &Globals) {
    Index Hosts(Images, &Candidate::Variables);
    for (const Global &G : Globals) {
      std::vector<Place> Places = Hosts.find(G.Symbol);
      if (Places.empty() && Complete)
        Out.Missing.push_back("global " + G.Symbol +
                              ": not registered by this program");
      for (Place P : Places)
        Wanted[P.Image].push_back(P.Symbol);
      // Loaded code can only be asked, which touches it: where kernels do
      // anyway.
      for (size_t I = 0; I < Images.size(); ++I)
        if (Images[I].isLoaded() && !Entries[I].empty())
          WantedByName[I].push_back({nullptr, G.Symbol, true});
    }
  }

  /// Variables that a trace saw being asked for in their image.
  void addGlobals(const std::vector<Image> &Planned) {
    for (const Image &P : Planned)
      for (size_t I = 0; I < Images.size(); ++I)
        if (Images[I].isLoaded() && Images[I].Image == P.Id)
          for (const std::string &Symbol : P.Globals)
            WantedByName[I].push_back({nullptr, Symbol, false});
  }

  void finish() {
    for (size_t I = 0; I < Images.size(); ++I) {
      const Candidate &C = Images[I];
      ImageWork Work = C.Empty;
      for (const auto &[Symbol, Matching] : Entries[I]) {
        const NamedSymbol &K = C.Kernels[Symbol];
        KernelWork &Kernel = Work.Kernels.emplace_back(
            KernelWork{K.Host, std::string(K.Symbol), {}, {}});
        addWishes(Kernel, Matching, Out.Warnings);
      }
      std::vector<size_t> &Variables = Wanted[I];
      std::sort(Variables.begin(), Variables.end());
      Variables.erase(std::unique(Variables.begin(), Variables.end()),
                      Variables.end());
      for (size_t V : Variables)
        Work.Variables.push_back(
            {C.Variables[V].Host, std::string(C.Variables[V].Symbol)});
      for (VariableWork &V : WantedByName[I])
        if (std::ranges::find(Work.Variables, V.Symbol,
                              &VariableWork::Symbol) == Work.Variables.end())
          Work.Variables.push_back(std::move(V));

      if (Work.Kernels.empty() && !C.isLoaded())
        Out.NotCovered += C.Kernels.size();
      if (!Work.Kernels.empty() || !Work.Variables.empty())
        Out.Images.push_back(std::move(Work));
    }
    // A symbol that several TUs register is warned about once.
    std::sort(Out.Warnings.begin(), Out.Warnings.end());
    Out.Warnings.erase(std::unique(Out.Warnings.begin(), Out.Warnings.end()),
                       Out.Warnings.end());
  }

private:
  const std::vector<Candidate> &Images;
  bool Complete;
  Worklist &Out;
  /// By image, by kernel: the entries that match. Ordered as in the image.
  std::vector<std::map<size_t, std::vector<const Kernel *>>> Entries;
  std::vector<std::vector<size_t>> Wanted; ///< By image: its variables.
  std::vector<std::vector<VariableWork>> WantedByName;
};

void addServices(const std::vector<Kernel> &Kernels, Worklist &Out) {
  uint64_t Launching = 0;
  for (const Kernel &K : Kernels)
    for (Use U : K.Uses)
      switch (U) {
      case Use::Printf:
      case Use::Assert: // Both write to the same buffer.
        Out.Printf = true;
        break;
      case Use::Malloc:
        Out.Malloc = true;
        break;
      case Use::Cdp:
        ++Launching;
        break;
      }
  if (Launching)
    Out.Warnings.push_back(
        std::to_string(Launching) +
        " kernels launch kernels from the device: what the first such launch "
        "starts is not started by priming");
}

} // namespace

Worklist
kplan::runtime::makeWorklist(const std::vector<RegisteredImage> &Registered,
                             const std::vector<LoadedImage> &Loaded,
                             const Plan *P, bool Complete) {
  Worklist Out;
  std::vector<Candidate> Images = candidates(Registered, Loaded);
  if (!P) {
    Out.Images = workOnAll(Images);
    Out.Printf = true;
    return Out;
  }
  Matcher M(Images, Complete, Out);
  M.addKernels(P->Kernels);
  M.addGlobals(P->Images); // Before those that may be missing.
  M.addGlobals(P->Globals);
  M.finish();
  addServices(P->Kernels, Out);
  return Out;
}
