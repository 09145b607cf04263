//===- Worklist.cpp - What a plan asks of this program --------------------===//

#include "Worklist.h"

#include "SymbolPattern.h"
#include "plan/AttributeRules.h"
#include "plan/Names.h"

#include <algorithm>
#include <unordered_map>

using namespace kplan;
using namespace kplan::runtime;

namespace {

/// Where a symbol is registered: indices into the snapshot.
struct Place {
  size_t Image;
  size_t Symbol;
};

/// Registered symbols by name, with patterns matched against all of them.
class Index {
public:
  Index(const std::vector<RegisteredImage> &Images,
        std::vector<RegisteredSymbol> RegisteredImage::*Which) {
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
  std::unordered_map<std::string, std::vector<Place>> Places;
};

std::string kernelText(const Kernel &K) {
  std::string Text = "kernel " + K.Key.Symbol;
  if (!K.Name.empty() && K.Name != K.Key.Symbol)
    Text += " (" + K.Name + ")";
  return Text;
}

std::string whyMissing(const Kernel &K) {
  std::string Why = kernelText(K) + ": not registered by this program";
  if (!K.Key.Image.empty())
    return Why + "; it is in an image that is loaded through the driver API (" +
           K.Key.Image + "): use kplan run";
  return Why + ": loaded through the driver API (use kplan run), in a shared "
               "library that does not link kplan::runtime, or not built in";
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

/// Without a plan: everything.
std::vector<ImageWork>
workOnAll(const std::vector<RegisteredImage> &Registered) {
  std::vector<ImageWork> Images;
  for (const RegisteredImage &I : Registered) {
    ImageWork Work{I.Unit, I.Serial, {}, {}};
    for (const RegisteredSymbol &K : I.Kernels)
      Work.Kernels.push_back({K.Host, K.Symbol, {}, {}});
    if (!I.Variables.empty())
      Work.Variables.push_back(
          {I.Variables.front().Host, I.Variables.front().Symbol});
    Images.push_back(std::move(Work));
  }
  return Images;
}

/// The work of a plan, collected by place, then put in registration order.
class Matcher {
public:
  Matcher(const std::vector<RegisteredImage> &Registered, Worklist &Out)
      : Registered(Registered), Out(Out), Entries(Registered.size()),
        Wanted(Registered.size()) {}

  void addKernels(const std::vector<Kernel> &Kernels) {
    Index Stubs(Registered, &RegisteredImage::Kernels);
    for (const Kernel &K : Kernels) {
      std::vector<Place> Places = Stubs.find(K.Key.Symbol);
      if (Places.empty())
        Out.Missing.push_back(whyMissing(K));
      for (Place P : Places)
        Entries[P.Image][P.Symbol].push_back(&K);
    }
  }

  void addGlobals(const std::vector<Global> &Globals) {
    Index Hosts(Registered, &RegisteredImage::Variables);
    for (const Global &G : Globals) {
      std::vector<Place> Places = Hosts.find(G.Symbol);
      if (Places.empty())
        Out.Missing.push_back("global " + G.Symbol +
                              ": not registered by this program");
      for (Place P : Places)
        Wanted[P.Image].push_back(P.Symbol);
    }
  }

  void finish() {
    for (size_t I = 0; I < Registered.size(); ++I) {
      const RegisteredImage &Image = Registered[I];
      ImageWork Work{Image.Unit, Image.Serial, {}, {}};
      for (const auto &[Symbol, Matching] : Entries[I]) {
        const RegisteredSymbol &K = Image.Kernels[Symbol];
        KernelWork &Kernel =
            Work.Kernels.emplace_back(KernelWork{K.Host, K.Symbol, {}, {}});
        addWishes(Kernel, Matching, Out.Warnings);
      }
      std::vector<size_t> &Variables = Wanted[I];
      std::sort(Variables.begin(), Variables.end());
      Variables.erase(std::unique(Variables.begin(), Variables.end()),
                      Variables.end());
      for (size_t V : Variables)
        Work.Variables.push_back(
            {Image.Variables[V].Host, Image.Variables[V].Symbol});

      if (Work.Kernels.empty())
        Out.NotCovered += Image.Kernels.size();
      if (!Work.Kernels.empty() || !Work.Variables.empty())
        Out.Images.push_back(std::move(Work));
    }
    // A symbol that several TUs register is warned about once.
    std::sort(Out.Warnings.begin(), Out.Warnings.end());
    Out.Warnings.erase(std::unique(Out.Warnings.begin(), Out.Warnings.end()),
                       Out.Warnings.end());
  }

private:
  const std::vector<RegisteredImage> &Registered;
  Worklist &Out;
  /// By image, by kernel: the entries that match. Ordered as registered.
  std::vector<std::map<size_t, std::vector<const Kernel *>>> Entries;
  std::vector<std::vector<size_t>> Wanted; ///< By image: variables.
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
                             const Plan *P) {
  Worklist Out;
  if (!P) {
    Out.Images = workOnAll(Registered);
    Out.Printf = true;
    return Out;
  }
  Matcher M(Registered, Out);
  M.addKernels(P->Kernels);
  M.addGlobals(P->Globals);
  M.finish();
  addServices(P->Kernels, Out);
  if (!P->Images.empty())
    Out.Warnings.push_back(std::to_string(P->Images.size()) +
                           " images of the plan are loaded through the driver "
                           "API and are not primed in link mode: use kplan "
                           "run");
  return Out;
}
