//===- ProgramIndex.cpp - All fragments as one program --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "plan/ProgramIndex.h"

#include <algorithm>
#include <utility>

namespace kplan {

using Kind = Term::Kind;

namespace {

/// Turns what is private to a fragment into what is unique among all: numbers
/// of kernels, and identities that end in `@`.
class Adoption {
public:
  Adoption(std::vector<size_t> Numbers, size_t Ordinal)
      : Numbers(std::move(Numbers)), Suffix(std::to_string(Ordinal)) {}

  void id(std::string &Id) const {
    if (Id.ends_with('@'))
      Id += Suffix;
  }
  void term(Term &T) const {
    rename(T);
    // Alternatives are sorted by what has just changed.
    T = substitute(T, {}, {});
  }
  void term(std::optional<Term> &T) const {
    if (T)
      term(*T);
  }

private:
  std::vector<size_t> Numbers;
  std::string Suffix;

  void rename(Term &T) const {
    if (T.K == Kind::Kernel)
      T.Number = static_cast<int64_t>(Numbers[T.Number]);
    else if (T.K != Kind::Unknown && T.K != Kind::Text)
      id(T.Name);
    for (Term &O : T.Operands)
      rename(O);
  }
};

} // namespace

ProgramIndex::ProgramIndex(std::vector<Fragment> Fragments,
                           unsigned MaxCallees) {
  std::sort(Fragments.begin(), Fragments.end());
  Fragments.erase(std::unique(Fragments.begin(), Fragments.end()),
                  Fragments.end());
  std::set<SourcePosition> Instantiated;
  for (size_t I = 0; I < Fragments.size(); ++I) {
    Instantiated.insert(Fragments[I].Instantiated.begin(),
                        Fragments[I].Instantiated.end());
    // Each is gone before the next one is taken apart.
    adopt(std::exchange(Fragments[I], {}), I);
  }
  for (const FragmentSite &S : Sites)
    Instantiated.insert(S.At);
  std::erase_if(Templates, [&](const TemplateSite &T) {
    return Instantiated.contains(T.At);
  });
  Evaluator.KernelBySymbol = [this](const std::string &Symbol) {
    return Term::kernel(internKernel({Symbol, Linkage::External, {}, {}}));
  };
  revive();
  linkCalls(MaxCallees);
}

size_t ProgramIndex::internKernel(const KernelKey &Key) {
  auto [It, New] = KernelIds.try_emplace(Key, Kernels.size());
  if (New)
    Kernels.push_back({Key, {}, {}, {}});
  return It->second;
}

void ProgramIndex::adopt(Fragment F, size_t Ordinal) {
  std::vector<size_t> Numbers;
  for (const FragmentKernel &K : F.Kernels) {
    const size_t Id = internKernel(K.Key);
    Numbers.push_back(Id);
    KernelInfo &Info = Kernels[Id];
    Info.Uses.insert(K.Uses.begin(), K.Uses.end());
    // Two TUs may spell a name differently; take the same one in any order.
    if (!K.Name.empty() && (Info.Name.empty() || K.Name < Info.Name))
      Info.Name = K.Name;
    if (!K.At.File.empty() && (Info.At.File.empty() || K.At < Info.At))
      Info.At = K.At;
  }
  const Adoption Adopt(std::move(Numbers), Ordinal);
  for (FragmentFunction &Fn : F.Functions) {
    Adopt.id(Fn.Id);
    auto &Known = Evaluator.Functions[Fn.Id];
    Known.DeviceOnly &= Fn.DeviceOnly;
    Known.AddressTaken |= Fn.AddressTaken;
    for (Term &T : Fn.Returns) {
      Adopt.term(T);
      Known.Returns.insert(std::move(T));
    }
    for (auto &Out : Fn.Outs)
      for (Term &T : Out.Values) {
        Adopt.term(T);
        Known.Outs[Out.Index].insert(std::move(T));
      }
  }
  for (FragmentStore &S : F.Stores) {
    Adopt.id(S.Into);
    Adopt.term(S.What);
    Evaluator.Stores[S.Into].insert(std::move(S.What));
  }
  for (FragmentCall &C : F.Calls) {
    Adopt.id(C.Caller);
    Adopt.term(C.Callee);
    for (auto &[Index, T] : C.Arguments)
      Adopt.term(T);
    Adopt.term(C.Condition);
    Calls.insert(std::move(C));
  }
  for (FragmentSite &S : F.Sites) {
    Adopt.id(S.In);
    Adopt.term(S.Kernel);
    Adopt.term(S.SetAttribute);
    Adopt.term(S.SetCacheConfig);
    Adopt.term(S.SetValue);
    Adopt.term(S.Condition);
    Sites.insert(std::move(S));
  }
  Globals.insert(F.Globals.begin(), F.Globals.end());
  Templates.insert(F.Templates.begin(), F.Templates.end());
  Producers.insert(F.Producer);
}

bool ProgramIndex::isDead(const FunctionId &Id) const {
  auto It = Evaluator.Functions.find(Id);
  return It != Evaluator.Functions.end() && It->second.DeviceOnly;
}

bool ProgramIndex::isAddressTaken(const FunctionId &Id) const {
  auto It = Evaluator.Functions.find(Id);
  return It != Evaluator.Functions.end() && It->second.AddressTaken;
}

/// Host code of one TU may call what only device code calls in another.
void ProgramIndex::revive() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const FragmentCall &C : Calls)
      if (C.Callee.K == Kind::Function && isDead(C.Callee.Name) &&
          !isDead(C.Caller)) {
        Evaluator.Functions[C.Callee.Name].DeviceOnly = false;
        Changed = true;
      }
  }
}

void ProgramIndex::linkCalls(unsigned MaxCallees) {
  std::vector<const FragmentCall *> Indirect;
  for (const FragmentCall &C : Calls) {
    if (isDead(C.Caller))
      continue;
    if (C.Callee.K == Kind::Function)
      Callers[C.Callee.Name].push_back(&C);
    else
      Indirect.push_back(&C);
  }
  for (const FragmentCall *C : Indirect)
    linkIndirect(*C, MaxCallees);
}

/// A callee that is a parameter is followed to the callers found so far.
void ProgramIndex::linkIndirect(const FragmentCall &C, unsigned MaxCallees) {
  std::set<Term> Seen;
  std::vector<Term> Work{Evaluator.evaluate(C.Callee)};
  while (!Work.empty() && Seen.size() < MaxCallees) {
    Term T = std::move(Work.back());
    Work.pop_back();
    if (!Seen.insert(T).second)
      continue;
    if (T.K == Kind::Function) {
      Callers[T.Name].push_back(&C);
    } else if (T.K == Kind::Any) {
      Work.insert(Work.end(), T.Operands.begin(), T.Operands.end());
    } else if (const FunctionId *Of = findParameter(T)) {
      for (const FragmentCall *Caller : callers(*Of))
        Work.push_back(
            Evaluator.evaluate(substitute(T, *Of, Caller->Arguments)));
    }
  }
}

const std::vector<const FragmentCall *> &
ProgramIndex::callers(const FunctionId &Id) const {
  static const std::vector<const FragmentCall *> None;
  auto It = Callers.find(Id);
  return It == Callers.end() ? None : It->second;
}

std::vector<const FragmentSite *> ProgramIndex::sitesThatAre(bool Dead) const {
  std::vector<const FragmentSite *> Found;
  for (const FragmentSite &S : Sites)
    if (isDead(S.In) == Dead)
      Found.push_back(&S);
  return Found;
}

std::vector<const FragmentSite *> ProgramIndex::liveSites() const {
  return sitesThatAre(/*Dead=*/false);
}

std::vector<const FragmentSite *> ProgramIndex::deadSites() const {
  return sitesThatAre(/*Dead=*/true);
}

} // namespace kplan
