//===- TermCalls.cpp - What calls yield -----------------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/TermBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

using namespace clang;

namespace kplan::scan {

/// Functions are looked into for what decides their results this deep.
static constexpr unsigned MaxNesting = 24;
/// An argument of a function that is not known here is no larger.
static constexpr unsigned MaxArgumentNodes = 40;

std::vector<Term> TermBuilder::results(const FunctionDecl *F) {
  auto It = Model.Returns.find(canonical(F));
  if (It == Model.Returns.end())
    return {};
  std::vector<Term> Found;
  for (const Expr *Value : It->second)
    Found.push_back(term(Value, wantFor(F->getReturnType())));
  return Found;
}

std::vector<Term> TermBuilder::storedThrough(const FunctionDecl *F,
                                             unsigned Index) {
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition) || Index >= Definition->getNumParams())
    return {};
  const ParmVarDecl *P = Definition->getParamDecl(Index);
  QualType Held = P->getType().getNonReferenceType();
  if (Held->isPointerType() && !P->getType()->isReferenceType())
    Held = Held->getPointeeType();
  std::vector<Term> Found;
  for (const Assignment &A : Locals.writtenThrough(P))
    Found.push_back(assigned(A, wantFor(Held)));
  return Found;
}

static void findParameters(const Term &T, const FunctionId &Of,
                           llvm::SmallBitVector &Found) {
  if (T.K == Term::Kind::Parameter && T.Name == Of &&
      static_cast<uint64_t>(T.Number) < Found.size())
    Found.set(static_cast<unsigned>(T.Number));
  for (const Term &O : T.Operands)
    findParameters(O, Of, Found);
}

/// The parameters that decide what a function returns (`Out` is negative) or
/// stores through parameter `Out`. Nothing: only another TU knows, or it is
/// being found out, and any of them may.
std::optional<llvm::SmallBitVector> TermBuilder::deciding(const FunctionDecl *F,
                                                          int Out) {
  F = canonical(F);
  if (!F->hasBody() || Nesting >= MaxNesting)
    return std::nullopt;
  auto [It, New] = Deciding.try_emplace({F, Out});
  if (!New)
    return It->second;
  // A question of its own: what is being followed now has no part in it.
  llvm::SaveAndRestore Deeper(Nesting, Nesting + 1), Restart(Depth, 0u),
      Recount(Steps, 0u);
  std::set<const void *> Outer;
  Active.swap(Outer);
  llvm::SmallBitVector Found(F->getNumParams());
  for (const Term &T :
       Out < 0 ? results(F) : storedThrough(F, static_cast<unsigned>(Out)))
    findParameters(T, idOf(F), Found);
  Active.swap(Outer);
  Deciding[{F, Out}] = Found;
  return Found;
}

std::vector<Term> TermBuilder::decidingArguments(const CallParts &Parts,
                                                 int Out) {
  const auto Needed = deciding(Parts.Callee, Out);
  if (!Needed)
    return arguments(Parts);
  std::vector<Term> Terms;
  const unsigned End =
      std::min<unsigned>(Parts.Arguments.size(), Needed->find_last() + 1);
  Terms.reserve(End);
  for (unsigned I = 0; I < End; ++I)
    Terms.push_back(
        Needed->test(I)
            ? term(Parts.Arguments[I], wantFor(Parts.Arguments[I]->getType()))
            : Term::unneeded());
  return Terms;
}

/// The arguments of a call of a function that is not known here.
std::vector<Term> TermBuilder::arguments(const CallParts &Parts) {
  std::vector<Term> Terms;
  for (const Expr *Argument : Parts.Arguments) {
    Terms.push_back(term(Argument, wantFor(Argument->getType())));
    // There may be many, and few matter.
    if (Terms.back().hasMoreNodesThan(MaxArgumentNodes))
      Terms.back() = unknown("the expression is too large", Argument);
  }
  return Terms;
}

/// What an API function stores through its pointer, or returns.
Term TermBuilder::apiResult(const ApiFunction &Api, const CallExpr *Call,
                            Want W) {
  auto Argument = [&](int Index) -> const Expr * {
    return Index >= 0 && static_cast<unsigned>(Index) < Call->getNumArgs()
               ? Call->getArg(Index)
               : nullptr;
  };
  switch (Api.Action) {
  case ApiAction::Handle:
    return term(Argument(Api.Kernel), Want::Kernel);
  case ApiAction::Named:
    return Term::named(term(Argument(Api.Text), Want::Kernel));
  case ApiAction::Loader: {
    const Term Name = term(Argument(Api.Text), Want::Kernel);
    if (Name.K == Term::Kind::Text)
      return Term::function(Name.Name);
    return unknown("the function's name is built at run time", Call);
  }
  case ApiAction::Limit: {
    if (Api.Attribute < 0)
      return Term::max();
    // An enumerator of either API that speaks of shared memory.
    const Expr *What = Argument(Api.Attribute);
    const auto *Ref =
        What ? dyn_cast<DeclRefExpr>(What->IgnoreParenCasts()) : nullptr;
    const auto *Name =
        Ref ? dyn_cast<EnumConstantDecl>(Ref->getDecl()) : nullptr;
    if (Name && (Name->getName().contains_insensitive("sharedmem") ||
                 Name->getName().contains_insensitive("shared_mem")))
      return Term::max();
    return unknown("it is a property of the device", Call);
  }
  case ApiAction::Global: {
    const Expr *Symbol = Argument(Api.Symbol);
    const auto Target = Symbol ? LocalFacts::target(Symbol) : std::nullopt;
    if (W == Want::Number && Target &&
        Target->Path.Base->getType().isConstQualified())
      if (const Expr *Init = Target->Path.Base->getAnyInitializer())
        return term(Init, W);
    return unknown("it is read from the device", Call);
  }
  default:
    return unknown("it is asked of the driver", Call);
  }
}

/// Functions that hand back what they were given, or a part of it.
static bool isPassThrough(const FunctionDecl *F) {
  switch (F->getOverloadedOperator()) {
  case OO_None:
    break;
  case OO_Subscript:
  case OO_Star:
  case OO_Arrow:
  case OO_Call:
  case OO_PlusPlus:
  case OO_MinusMinus:
    return true;
  default:
    return false;
  }
  if (!F->getIdentifier())
    return isa<CXXConversionDecl>(F);
  return llvm::StringSwitch<bool>(F->getName())
      .Cases({"forward", "move", "addressof", "as_const", "ref", "cref"}, true)
      .Cases({"get", "at", "front", "back", "data", "begin", "cbegin", "end"},
             true)
      .Cases({"find", "value", "value_or", "c_str", "make_pair", "make_tuple"},
             true)
      .Cases({"bit_cast", "to_address", "launder", "exchange", "tie"}, true)
      .Default(false);
}

Term TermBuilder::call(const Expr *E, Want W) {
  const CallParts Parts = partsOf(E);
  auto OfArguments = [&] {
    std::vector<Term> Found;
    for (const Expr *Argument : Parts.Arguments) {
      const QualType Type = Argument->getType().getNonReferenceType();
      const bool IsNumber = Type->isIntegralOrEnumerationType();
      if (IsNumber == (W == Want::Number) || Type->isRecordType())
        Found.push_back(term(Argument, W));
    }
    return Found;
  };
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    const bool Copies =
        Constructor->isCopyOrMoveConstructor() && Construct->getNumArgs() == 1;
    if (Copies || isStandard(Constructor->getParent()))
      return Term::any(OfArguments());
    return unknown("it is an object", E);
  }
  if (!Parts.Callee) {
    return Term::call(term(Parts.Through, Want::Kernel), arguments(Parts));
  }
  const FunctionDecl *F = Parts.Callee;
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && F->getIdentifier())
    if (const ApiFunction *Api = findApiResult(F->getName());
        Api && Api->Action == ApiAction::Loader && Api->Out < 0)
      return apiResult(*Api, Call, W);
  const unsigned Builtin = F->getBuiltinID();
  if (isStandard(F) || Builtin) {
    const llvm::StringRef Name = F->getIdentifier() ? F->getName() : "";
    if (W == Want::Number && (Name == "min" || Name == "max") &&
        Parts.Arguments.size() == 2)
      return Term::operation(Name.str(), {term(Parts.Arguments[0], W),
                                          term(Parts.Arguments[1], W)});
    if (isPassThrough(F)) {
      std::vector<Term> Found;
      if (Parts.Through)
        Found.push_back(term(Parts.Through, W));
      else
        Found = OfArguments();
      return Term::any(std::move(Found));
    }
    // `"gemm_" + name`.
    if (F->getOverloadedOperator() == OO_Plus)
      return unknown("kernel name is built at run time", E);
    return unknown("it is computed by a library function", E);
  }
  if (W == Want::Number && F->getIdentifier() &&
      (F->getName() == "min" || F->getName() == "max") &&
      Parts.Arguments.size() == 2 && F->getReturnType()->isIntegerType())
    return Term::operation(F->getName().str(), {term(Parts.Arguments[0], W),
                                                term(Parts.Arguments[1], W)});
  if (Places.isSkipped(F->getLocation()))
    return unknown(W == Want::Kernel ? "the kernel comes from a library"
                                     : "it is computed by a library function",
                   E);
  return Term::returned(idOf(F), decidingArguments(Parts, -1));
}

} // namespace kplan::scan
