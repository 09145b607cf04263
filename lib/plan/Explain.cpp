//===- Explain.cpp - How a kernel came into a plan ------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/Explain.h"

#include "plan/AttributeRules.h"
#include "plan/Demangle.h"
#include "plan/Names.h"
#include "plan/PlanWriter.h"
#include "plan/ProgramIndex.h"
#include "plan/SiteFollower.h"
#include "plan/TermText.h"
#include "plan/Text.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace kplan {

using Kind = Term::Kind;

namespace {

/// What is beyond is counted only.
constexpr size_t MaxKernels = 20;
constexpr size_t MaxWays = 10;
constexpr size_t MaxNear = 5;

std::string number(size_t Count, std::string_view Noun) {
  return std::to_string(Count) + " " + std::string(Noun) +
         (Count == 1 ? "" : "s");
}

std::string nameOf(const ProgramIndex::KernelInfo &K) {
  return K.Name.empty() ? demangle(K.Key.Symbol) : K.Name;
}

/// "gemm" of "void ns::gemm<float, 4>(float*)": what people type.
std::string_view baseName(std::string_view Name) {
  Name = Name.substr(0, Name.find_first_of("<("));
  const size_t Start = Name.find_last_of(" :");
  return Start == std::string_view::npos ? Name : Name.substr(Start + 1);
}

/// A site, and the ways to it that lead to the kernel.
struct Lead {
  const FragmentSite *Site;
  std::vector<SiteInstance> Ways;
};

bool isOpen(const Term &T) {
  return T.K == Kind::Unknown ||
         (T.K == Kind::Any &&
          (T.Operands.empty() ||
           std::any_of(T.Operands.begin(), T.Operands.end(), isOpen)));
}

bool mayBe(const Term &T, size_t Kernel) {
  if (T.K == Kind::Any)
    return std::any_of(T.Operands.begin(), T.Operands.end(),
                       [&](const Term &O) { return mayBe(O, Kernel); });
  return T.K == Kind::Kernel && static_cast<size_t>(T.Number) == Kernel;
}

class Explainer {
public:
  Explainer(std::vector<Fragment> Fragments, const Plan &Found,
            const ResolveOptions &Options)
      : Program(std::move(Fragments), Options.MaxContexts), Found(Found),
        Options(Options) {
    for (const Kernel &K : Found.Kernels)
      Planned.emplace(K.Key, &K);
  }

  Explanation explain(const std::string &Wanted);

private:
  ProgramIndex Program;
  const Plan &Found;
  const ResolveOptions &Options;
  std::map<KernelKey, const Kernel *> Planned;
  size_t Open = 0; ///< Sites whose kernel is not known.
  std::string Out;

  void line(size_t Indent, const std::string &Text) {
    Out.append(Indent, ' ').append(Text).push_back('\n');
  }
  std::string describe(const Term &T, const FunctionId &Within) {
    return describeTerm(
        T, Within, [this](const Term &K) { return nameOf(Program.kernel(K)); });
  }

  std::vector<size_t> matches(const std::string &Wanted) const;
  void explainUnknown(const std::string &Wanted);
  std::vector<std::vector<Lead>>
  leads(const std::vector<const FragmentSite *> &Sites,
        const std::vector<size_t> &Kernels);
  void explainOne(size_t Number, const std::vector<Lead> &Live,
                  const std::vector<Lead> &Dead);
  void explainAttributes(const Kernel &K);
  void explainAbsence(const std::vector<Lead> &Dead);
  void explainSite(const Kernel *K, const Lead &L);
  void explainWay(const FragmentSite &S, const SiteInstance &I);
  void operands(const SiteInstance &I, const FunctionId &In);
  void operand(const char *What, const Term &T, const FunctionId &In);
};

std::vector<size_t> Explainer::matches(const std::string &Wanted) const {
  std::vector<size_t> Exact, Parts;
  for (size_t I = 0; I < Program.kernels().size(); ++I) {
    const auto &K = Program.kernels()[I];
    const std::string Name = nameOf(K);
    if (K.Key.Symbol == Wanted || Name == Wanted)
      Exact.push_back(I);
    else if (Name.find(Wanted) != std::string::npos ||
             demangle(K.Key.Symbol).find(Wanted) != std::string::npos)
      Parts.push_back(I);
  }
  std::vector<size_t> &Result = Exact.empty() ? Parts : Exact;
  // Their numbers depend on the order of the scan.
  std::sort(Result.begin(), Result.end(), [this](size_t A, size_t B) {
    return Program.kernels()[A].Key < Program.kernels()[B].Key;
  });
  return Result;
}

void Explainer::explainUnknown(const std::string &Wanted) {
  line(0, "no kernel of the scan is named " + quoteForMessage(Wanted));
  for (const TemplateSite &T : Found.Templates)
    if (T.KernelText.find(Wanted) != std::string::npos)
      line(2, "in a template that nothing instantiates, and that makes no "
              "kernel: " +
                  std::string(kplan::nameOf(T.Kind)) + " of '" + T.KernelText +
                  "' at " + formatPosition(T.At));
  std::vector<std::string> Names;
  for (const auto &K : Program.kernels())
    Names.push_back(nameOf(K));
  std::sort(Names.begin(), Names.end());
  std::set<std::string_view> Bases;
  for (const std::string &Name : Names)
    Bases.insert(baseName(Name));
  const std::string Near(
      nearest(baseName(demangle(Wanted)), {Bases.begin(), Bases.end()}));
  size_t Shown = 0;
  for (const std::string &Name : Names)
    if (!Near.empty() && baseName(Name) == Near && Shown++ < MaxNear)
      line(2, "there is: " + Name);
  if (!Shown)
    line(2, "there " + std::string(Names.size() == 1 ? "is " : "are ") +
                number(Names.size(), "kernel") +
                ", none with a name like that");
}

/// For each kernel the sites that can concern it.
std::vector<std::vector<Lead>>
Explainer::leads(const std::vector<const FragmentSite *> &Sites,
                 const std::vector<size_t> &Kernels) {
  std::vector<std::vector<Lead>> Result(Kernels.size());
  for (const FragmentSite *S : Sites) {
    std::vector<SiteInstance> Ways;
    followSite(*S, Program, Options,
               [&](const SiteInstance &I) { Ways.push_back(I); });
    for (size_t N = 0; N < Kernels.size(); ++N) {
      Lead L{S, {}};
      for (const SiteInstance &I : Ways)
        if (mayBe(I.Kernel, Kernels[N]))
          L.Ways.push_back(I);
      if (!L.Ways.empty())
        Result[N].push_back(std::move(L));
    }
  }
  return Result;
}

void Explainer::operand(const char *What, const Term &T, const FunctionId &In) {
  const std::string Written = describe(T, In);
  const std::string Known = describe(Program.evaluate(T), In);
  line(6, std::string(What) + ": " + Written +
              (Known == Written ? "" : ", which is " + Known));
}

void Explainer::operands(const SiteInstance &I, const FunctionId &In) {
  operand("kernel", I.Kernel, In);
  if (I.SetAttribute && I.SetAttribute->K != Kind::Integer)
    operand("attribute", *I.SetAttribute, In);
  if (I.SetCacheConfig && I.SetCacheConfig->K != Kind::Integer)
    operand("cache config", *I.SetCacheConfig, In);
  if (I.SetValue)
    operand("value", *I.SetValue, In);
}

/// Goes the way once more, and says at each function what is known there.
void Explainer::explainWay(const FragmentSite &S, const SiteInstance &I) {
  SiteInstance Here{S.Kernel,    S.SetAttribute, S.SetCacheConfig, S.SetValue,
                    S.Condition, S.When,         S.Once,           {}};
  auto Guards = [](const std::string &When, bool Once) {
    return (When.empty() ? "" : ", if " + When) + (Once ? ", once" : "");
  };
  line(4, "in " + describeFunction(S.In) + Guards(S.When, S.Once));
  operands(Here, S.In);
  for (const WayStep &Step : I.Way) {
    if (!Step.Call) {
      line(4, "what " + describeFunction(Step.From) +
                  " is passed is not known: " + Step.Why);
      return;
    }
    const FragmentCall &C = *Step.Call;
    Here.eachTerm([&](Term &T) {
      T = substitute(Program.evaluate(T), Step.From, C.Arguments);
    });
    line(4,
         "called " +
             std::string(C.Callee.K == Kind::Function ? "" : "by a pointer ") +
             "from " + describeFunction(C.Caller) + Guards(C.When, C.Once));
    operands(Here, C.Caller);
  }
}

void Explainer::explainSite(const Kernel *K, const Lead &L) {
  const FragmentSite &S = *L.Site;
  const std::string Place =
      std::string(kplan::nameOf(S.Kind)) + " at " + formatPosition(S.At);
  line(2, Place + (S.Text.empty() ? "" : ": " + S.Text));
  if (K)
    for (const Site &P : K->Sites)
      if (P.At == S.At && P.Kind == S.Kind && S.Kind == SiteKind::Set)
        line(4, "in the plan: " +
                    (P.SetCacheConfig
                         ? "cache_config = " +
                               std::string(kplan::nameOf(*P.SetCacheConfig))
                     : P.SetAttribute && P.SetValue
                         ? std::string(kplan::nameOf(*P.SetAttribute)) + " = " +
                               describeValue(*P.SetValue)
                         : std::string("set")));
  for (const UnresolvedSite &U : Found.Unresolved)
    if (U.At == S.At && U.Kind == S.Kind)
      line(4, "in the plan's unresolved: " + U.Why);
  for (size_t I = 0; I < std::min(L.Ways.size(), MaxWays); ++I)
    explainWay(S, L.Ways[I]);
  if (L.Ways.size() > MaxWays)
    line(4, "and " + number(L.Ways.size() - MaxWays, "more way") +
                " to the kernel");
}

void Explainer::explainAttributes(const Kernel &K) {
  line(2, "in the plan with " + number(K.Sites.size(), "site"));
  for (const auto &[A, V] : K.Attributes)
    line(4, std::string(kplan::nameOf(A)) + ": " + describeValue(V));
  if (K.Cache)
    line(4, "cache_config: " + std::string(kplan::nameOf(*K.Cache)));
  for (Use U : K.Uses)
    line(4, "uses: " + std::string(kplan::nameOf(U)));
  for (const Conflict &C : Found.Conflicts) {
    if (C.Symbol != K.Key.Symbol || C.File != K.Key.File)
      continue;
    std::string Values;
    for (const Value &V : C.Values)
      Values += (Values.empty() ? "" : ", ") + describeValue(V);
    for (CacheConfig V : C.CacheConfigs)
      Values += (Values.empty() ? "" : ", ") + std::string(kplan::nameOf(V));
    line(4, "not set, since its sites disagree: " +
                std::string(C.CacheConfigs.empty() ? kplan::nameOf(C.Attribute)
                                                   : "cache_config") +
                " is " + Values);
  }
}

void Explainer::explainAbsence(const std::vector<Lead> &Dead) {
  line(2, Dead.empty()
              ? "not in the plan: no code of the scan launches it, sets "
                "anything of it or asks about it"
              : "not in the plan: only device code calls the functions with "
                "its sites");
  if (Open)
    line(2, "the kernel of " + number(Open, "site") +
                " is not known, and may be this; the plan's unresolved lists " +
                (Open == 1 ? "it" : "them"));
}

void Explainer::explainOne(size_t Number, const std::vector<Lead> &Live,
                           const std::vector<Lead> &Dead) {
  const auto &Info = Program.kernels()[Number];
  line(0, nameOf(Info));
  line(2,
       "symbol: " + Info.Key.Symbol +
           (Info.Key.File.empty() ? "" : " (of " + Info.Key.File + " alone)"));
  line(2, Info.At.File.empty()
              ? "declared nowhere: its symbol is all that is known"
              : "declared at " + formatPosition(Info.At));
  const auto It = Planned.find(Info.Key);
  const Kernel *K = It == Planned.end() ? nullptr : It->second;
  if (K)
    explainAttributes(*K);
  else if (Live.empty())
    explainAbsence(Dead);
  else
    line(2, "not in the plan: no site of it could be resolved");
  for (const Lead &L : Live)
    explainSite(K, L);
  if (!K && Live.empty())
    for (const Lead &L : Dead)
      explainSite(K, L);
}

Explanation Explainer::explain(const std::string &Wanted) {
  const auto Live = Program.liveSites();
  // What is named at run time is known once the sites have been followed.
  for (const FragmentSite *S : Live) {
    bool Is = false;
    const bool All =
        followSite(*S, Program, Options,
                   [&](const SiteInstance &I) { Is |= isOpen(I.Kernel); });
    Open += Is || !All;
  }
  std::vector<size_t> Kernels = matches(Wanted);
  if (Kernels.empty()) {
    explainUnknown(Wanted);
    return {std::move(Out), false};
  }
  const size_t All = Kernels.size();
  Kernels.resize(std::min(All, MaxKernels));
  const auto OfLive = leads(Live, Kernels);
  const auto OfDead = leads(Program.deadSites(), Kernels);
  for (size_t I = 0; I < Kernels.size(); ++I) {
    if (I)
      Out += '\n';
    explainOne(Kernels[I], OfLive[I], OfDead[I]);
  }
  if (All > MaxKernels)
    Out += "\n" + number(All - MaxKernels, "more kernel") + " of " +
           quoteForMessage(Wanted) + "; a longer part of the name chooses\n";
  return {std::move(Out), true};
}

} // namespace

Explanation explainKernel(const std::string &Kernel,
                          std::vector<Fragment> Fragments, const Plan &Found,
                          const ResolveOptions &Options) {
  return Explainer(std::move(Fragments), Found, Options).explain(Kernel);
}

} // namespace kplan
