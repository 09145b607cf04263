//===- FragmentBuilder.cpp - From facts about an AST to a fragment --------===//
//
// Part of kplan. The sites themselves are in FragmentSites.cpp; here are the
// summaries that their terms need.
//
//===----------------------------------------------------------------------===//

#include "scan/FragmentBuilder.h"
#include "scan/UnitVisitor.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace kplan::scan {

using Kind = Term::Kind;

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

Term FragmentBuilder::guardTerm(const Guard &G) {
  if (!G.Cases.empty()) {
    const Term Of = Terms.term(G.Condition, Want::Number);
    std::optional<Term> Any;
    for (const Expr *Case : G.Cases) {
      Term Is = Term::operation("==", {Of, Terms.term(Case, Want::Number)});
      Any = Any ? Term::operation("||", {*Any, Is}) : Is;
    }
    return *Any;
  }
  Term T = Terms.condition(G.Condition);
  return G.Negated ? Term::operation("!", {std::move(T)}) : T;
}

std::string FragmentBuilder::guardText(const Guard &G) const {
  const std::string Text = Places.text(G.Condition->getSourceRange());
  if (G.Cases.empty() && G.Negated)
    return llvm::all_of(Text,
                        [](char C) { return llvm::isAlnum(C) || C == '_'; })
               ? "!" + Text
               : "!(" + Text + ")";
  if (G.Cases.empty())
    return Text;
  std::string Out;
  for (const Expr *Case : G.Cases)
    Out += (Out.empty() ? "" : " || ") + Text +
           " == " + Places.text(Case->getSourceRange());
  return Out;
}

/// Whether another TU, or a caller, can still decide a condition.
static bool dependsOnCallers(const Term &T) {
  if (T.K == Kind::Parameter)
    return true;
  if (T.K != Kind::Operation && T.K != Kind::Any)
    return false;
  return llvm::any_of(T.Operands, dependsOnCallers);
}

const FragmentBuilder::GuardFacts &FragmentBuilder::facts(const Guard &G) {
  auto [It, New] = Guards.try_emplace(&G);
  if (New) {
    It->second = std::make_unique<GuardFacts>();
    It->second->Holds = guardTerm(G);
    It->second->DependsOnCallers = dependsOnCallers(It->second->Holds);
  }
  return *It->second;
}

FragmentBuilder::Conditions FragmentBuilder::conditions(const Guard *Under) {
  // Of a long chain of `if (...) return ...;` the nearest say most.
  constexpr unsigned MaxNodes = 40;
  Conditions C;
  for (const Guard *G = Under; G; G = G->Outer) {
    C.Once |= G->Once;
    if (!G->Condition)
      continue;
    const auto &[T, Depends] = facts(*G);
    if (T.K == Kind::Integer) {
      C.Never |= T.Number == 0;
      continue; // Always true here: no guard at all.
    }
    if (!G->Leaves && C.When.empty())
      C.When = guardText(*G);
    if (!Depends)
      continue;
    Term Both = C.Holds ? Term::operation("&&", {*C.Holds, T}) : T;
    if (!Both.hasMoreNodesThan(MaxNodes))
      C.Holds = std::move(Both);
  }
  return C;
}

/// A value that nobody knows is at most what a guard around it lets through.
Term FragmentBuilder::bounded(Term Value, const Expr *E, const Guard *Under) {
  const auto Target = LocalFacts::target(E->IgnoreParenCasts());
  if (Value.K == Kind::Integer || !Target)
    return Value;
  for (const Guard *G = Under; G; G = G->Outer) {
    const auto *Compare =
        G->Condition && G->Cases.empty()
            ? dyn_cast<BinaryOperator>(G->Condition->IgnoreParenImpCasts())
            : nullptr;
    if (!Compare || !Compare->isRelationalOp())
      continue;
    BinaryOperatorKind Op = Compare->getOpcode();
    const Expr *L = Compare->getLHS(), *R = Compare->getRHS();
    auto IsValue = [&](const Expr *Side) {
      const auto Other = LocalFacts::target(Side);
      return Other && Other->Path.Base == Target->Path.Base &&
             Other->Path.Fields == Target->Path.Fields;
    };
    if (IsValue(R)) {
      std::swap(L, R);
      Op = BinaryOperator::reverseComparisonOp(Op);
    }
    if (!IsValue(L))
      continue;
    if (G->Negated)
      Op = BinaryOperator::negateComparisonOp(Op);
    const Term Bound = Terms.term(R, Want::Number);
    if (Bound.K == Kind::Integer && (Op == BO_LT || Op == BO_LE))
      Value =
          Term::operation("min", {std::move(Value),
                                  Term::integer(Bound.Number - (Op == BO_LT))});
  }
  return Value;
}

//===----------------------------------------------------------------------===//
// Summaries
//===----------------------------------------------------------------------===//

FragmentFunction &FragmentBuilder::function(const FunctionDecl *Fn) {
  Fn = canonical(Fn);
  auto [It, New] = FunctionNumbers.try_emplace(Fn, F.Functions.size());
  if (New) {
    FragmentFunction &Entry = F.Functions.emplace_back();
    Entry.Id = Terms.idOf(Fn);
    Entry.DeviceOnly = DeviceOnly.contains(Fn);
    Entry.AddressTaken = Model.AddressTaken.contains(Fn);
  }
  return F.Functions[It->second];
}

void FragmentBuilder::mention(const Term &T) {
  const bool IsOfInterest = T.K == Kind::Storage || T.K == Kind::Parameter ||
                            T.K == Kind::Return || T.K == Kind::Out ||
                            T.K == Kind::Function;
  const auto Number = static_cast<unsigned>(T.Number);
  if (IsOfInterest && Seen.insert({T.K, Number, T.Name}).second)
    Mentioned.push_back({T.K, Number, T.Name});
  for (const Term &O : T.Operands)
    mention(O);
}

FragmentCall *FragmentBuilder::call(const CallRecord &C,
                                    const FunctionDecl *Callee) {
  auto [It, New] = CallNumbers.try_emplace({&C, Callee});
  if (!New)
    return It->second ? &F.Calls[*It->second] : nullptr;
  const Conditions Cond = conditions(C.At.Under);
  if (Cond.Never)
    return nullptr;
  FragmentCall Call;
  if (C.At.Owner) {
    Call.Caller = Terms.idOf(C.At.Owner);
    function(C.At.Owner);
  }
  if (Callee) {
    Call.Callee = Terms.functionTerm(Callee);
  } else {
    Call.Callee = Terms.term(partsOf(C.Call).Through, Want::Kernel);
    mention(Call.Callee);
  }
  Call.When = Cond.When;
  Call.Once = Cond.Once;
  Call.Condition = Cond.Holds;
  if (Call.Condition)
    mention(*Call.Condition);
  CallNumbers[{&C, Callee}] = F.Calls.size();
  return &F.Calls.emplace_back(std::move(Call));
}

void FragmentBuilder::addArgument(const CallRecord &C,
                                  const FunctionDecl *Callee, unsigned Index) {
  FragmentCall *Call = call(C, Callee);
  const CallParts Parts = partsOf(C.Call);
  if (!Call || Index >= Parts.Arguments.size())
    return;
  auto [It, New] = Call->Arguments.try_emplace(Index);
  if (!New)
    return;
  const Expr *Argument = Parts.Arguments[Index];
  It->second = Terms.term(Argument, TermBuilder::wantFor(Argument->getType()));
  mention(It->second);
}

/// What callers pass as one parameter.
void FragmentBuilder::addArgument(const FunctionDecl *Fn, unsigned Index) {
  Fn = canonical(Fn);
  function(Fn);
  auto AddAll = [&](const FunctionDecl *Called) {
    if (auto It = Model.Calls.find(canonical(Called)); It != Model.Calls.end())
      for (const CallRecord &C : It->second)
        addArgument(C, Fn, Index);
  };
  AddAll(Fn);
  // Whoever calls a virtual method may mean this one.
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Fn)) {
    std::vector<const CXXMethodDecl *> Work{Method};
    while (!Work.empty()) {
      const CXXMethodDecl *M = Work.back();
      Work.pop_back();
      for (const CXXMethodDecl *Base : M->overridden_methods()) {
        AddAll(Base);
        Work.push_back(Base);
      }
    }
  }
  if (!Model.AddressTaken.contains(Fn))
    return;
  for (const CallRecord &C : Model.IndirectCalls)
    if (partsOf(C.Call).Arguments.size() == Fn->getNumParams())
      addArgument(C, nullptr, Index);
}

void FragmentBuilder::addResults(const FunctionDecl *Fn) {
  Fn = canonical(Fn);
  if (!Done.insert("results " + Terms.idOf(Fn)).second)
    return;
  std::vector<Term> Found = Terms.results(Fn);
  if (auto It = Overriders.find(Fn); It != Overriders.end())
    for (const FunctionDecl *O : It->second)
      llvm::append_range(Found, Terms.results(O));
  llvm::for_each(Found, [this](const Term &T) { mention(T); });
  function(Fn).Returns = std::move(Found);
}

void FragmentBuilder::addOut(const FunctionDecl *Fn, unsigned Index) {
  Fn = canonical(Fn);
  if (!Done.insert("out " + std::to_string(Index) + Terms.idOf(Fn)).second)
    return;
  FragmentFunction::OutParameter Out;
  Out.Index = Index;
  Out.Values = Terms.storedThrough(Fn, Index);
  llvm::for_each(Out.Values, [this](const Term &T) { mention(T); });
  if (!Out.Values.empty())
    function(Fn).Outs.push_back(std::move(Out));
}

void FragmentBuilder::addStores(const StorageId &Id, const ValueDecl *D,
                                Want W) {
  if (!Done.insert("storage " + Id).second)
    return;
  auto Add = [&](Term What) {
    mention(What);
    F.Stores.push_back({Id, std::move(What)});
  };
  if (auto It = Model.Stores.find(D); It != Model.Stores.end())
    for (const Assignment &A : It->second)
      Add(Terms.assigned(A, W));
  if (const auto *Field = dyn_cast<FieldDecl>(D))
    if (const Expr *Init = Field->getInClassInitializer();
        Init && !Init->isValueDependent())
      Add(Terms.term(Init, W));
}

void FragmentBuilder::addMentioned() {
  while (!Mentioned.empty()) {
    const auto [K, Number, Name] = std::move(Mentioned.back());
    Mentioned.pop_back();
    if (K == Kind::Storage) {
      if (auto It = Terms.StoragesById.find(Name);
          It != Terms.StoragesById.end()) {
        const auto [D, W] = It->second;
        addStores(Name, D, W);
      }
      continue;
    }
    auto It = Terms.FunctionsById.find(Name);
    if (It == Terms.FunctionsById.end())
      continue;
    const FunctionDecl *Fn = It->second;
    if (K == Kind::Parameter)
      addArgument(Fn, Number);
    else if (K == Kind::Out)
      addOut(Fn, Number);
    else
      addResults(Fn);
  }
}

/// A type that can hold a kernel: a pointer to a function or to nobody knows
/// what, or one of the driver's handles.
static bool mayHoldKernel(QualType Type) {
  Type = Type.getNonReferenceType();
  if (Type->isFunctionType())
    return true;
  if (!Type->isPointerType())
    return false;
  const QualType To = Type->getPointeeType();
  if (To->isVoidType() || To->isFunctionType())
    return true;
  const auto *Record = To->getAsRecordDecl();
  return Record && Record->getIdentifier() &&
         (Record->getName() == "CUfunc_st" || Record->getName() == "CUkern_st");
}

/// Text that can name a kernel; a file or a message is none.
static bool mayNameKernel(const Term &T) {
  return T.K != Kind::Unknown &&
         (T.K != Kind::Text ||
          (!T.Name.empty() && llvm::all_of(T.Name, [](char C) {
            return llvm::isAlnum(C) || C == '_' || C == '$' || C == '.';
          })));
}

/// A call of a function that another TU defines, with all that may matter
/// there.
void FragmentBuilder::addExported(const FunctionDecl *Callee,
                                  const CallRecord &C) {
  const auto Arguments = partsOf(C.Call).Arguments;
  const unsigned End =
      std::min<unsigned>(Arguments.size(), Callee->getNumParams());
  for (unsigned I = 0; I < End; ++I) {
    const QualType Type =
        Callee->getParamDecl(I)->getType().getNonReferenceType();
    const bool IsText =
        Type->isPointerType() && Type->getPointeeType()->isCharType();
    if (mayHoldKernel(Type) || Type->isIntegralOrEnumerationType() ||
        (IsText && mayNameKernel(Terms.term(Arguments[I], Want::Kernel))))
      addArgument(C, Callee, I);
  }
  // Also without arguments: it is host code that calls.
  if (spaceOf(Callee) == Space::Both)
    call(C, Callee);
}

void FragmentBuilder::addExports() {
  for (const auto &[Callee, Calls] : Model.Calls)
    if (!Callee->hasBody() && Callee->isExternallyVisible() &&
        !Callee->getBuiltinID() && !Places.isSkipped(Callee->getLocation()))
      for (const CallRecord &C : Calls)
        addExported(Callee, C);
  // Kernels that other TUs may be handed.
  for (const auto &[Fn, Values] : Model.Returns)
    if (Fn->isExternallyVisible() && !Fn->isInlined() &&
        mayHoldKernel(Fn->getReturnType()))
      addResults(Fn);
  for (const auto &[D, Values] : Model.Stores)
    if (const auto *V = dyn_cast<VarDecl>(D);
        V && V->isExternallyVisible() && !V->isStaticLocal()) {
      QualType Type = Ctx.getBaseElementType(V->getType());
      if (mayHoldKernel(Type)) {
        const StorageId Id = Terms.storageId(D, Want::Kernel);
        addStores(Id, D, Want::Kernel);
      }
    }
}

void FragmentBuilder::finish() {
  llvm::erase_if(F.Functions, [](const FragmentFunction &Fn) {
    return !Fn.DeviceOnly && !Fn.AddressTaken && Fn.Returns.empty() &&
           Fn.Outs.empty();
  });
}

} // namespace kplan::scan
