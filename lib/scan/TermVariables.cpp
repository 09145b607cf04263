//===- TermVariables.cpp - What variables and fields hold -----------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/TermBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace kplan::scan {

Term TermBuilder::assigned(const Assignment &A, Want W) {
  using Source = Assignment::Source;
  switch (A.How) {
  case Source::Value:
  case Source::Indexed:
    return term(A.From, W);
  case Source::Compound: {
    if (const auto *Unary = dyn_cast<UnaryOperator>(A.From))
      return Term::operation(Unary->isIncrementOp() ? "+" : "-",
                             {term(Unary->getSubExpr(), W), Term::integer(1)});
    const auto *Binary = dyn_cast<BinaryOperator>(A.From);
    if (!Binary)
      return unknown(W == Want::Kernel ? "kernel name is built at run time"
                                       : "it is computed at run time",
                     A.From);
    if (W == Want::Kernel)
      return term(Binary->getLHS(), W);
    return Term::operation(
        BinaryOperator::getOpcodeStr(
            BinaryOperator::getOpForCompoundAssignment(Binary->getOpcode()))
            .str(),
        {term(Binary->getLHS(), W), term(Binary->getRHS(), W)});
  }
  case Source::Argument:
    break;
  }
  const CallParts Parts = partsOf(A.From);
  if (const auto *Call = dyn_cast<CallExpr>(A.From);
      Call && Parts.Callee && Parts.Callee->getIdentifier())
    if (const ApiFunction *Api = findApiResult(Parts.Callee->getName()))
      return apiResult(*Api, Call, W);
  // A store by the standard library is one of its arguments.
  if (Parts.Callee && Places.isSkipped(Parts.Callee->getLocation()))
    return unknown("it is written by a library function", A.From);
  if (!Parts.Callee)
    return unknown("it is written through a pointer to a function", A.From);
  return Term::out(idOf(Parts.Callee), A.Index,
                   decidingArguments(Parts, static_cast<int>(A.Index)));
}

/// A variable that keeps the value of its initialiser.
static bool isConstant(const VarDecl *V) {
  const QualType Type = V->getType();
  return V->isConstexpr() || Type.isConstQualified() ||
         V->getASTContext().getBaseElementType(Type).isConstQualified();
}

Term TermBuilder::path(const AccessPath &Path, const DeclRefExpr *Use, Want W,
                       const Expr *E) {
  const LocalFacts::Reaching Reaching = Locals.reaching(Path, Use);
  std::vector<Term> Found;
  for (const Assignment &A : Reaching.From) {
    // The assignment itself is the key: its value may read the variable.
    const void *Key = A.From;
    if (!Active.insert(Key).second) {
      if (W == Want::Number)
        Found.push_back(unknown("it changes in a loop", E));
      continue;
    }
    auto Done = llvm::scope_exit([&] { Active.erase(Key); });
    Found.push_back(assigned(A, W));
  }
  if (Reaching.Start && Path.Fields.empty())
    if (const auto *P = dyn_cast<ParmVarDecl>(Path.Base)) {
      const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
      if (!F)
        return unknown("the parameter's function is not known", E);
      Found.push_back(Term::parameter(idOf(F), P->getFunctionScopeIndex()));
    }
  if (!Found.empty())
    return Term::any(std::move(Found));
  if (!Path.Fields.empty())
    return field(Path, Use, W, E);
  return Term::any({}); // Declared, and nothing has been assigned yet.
}

/// A field of a local that is assigned only as a whole, or refers to something:
/// the same field there.
Term TermBuilder::field(const AccessPath &Path, const DeclRefExpr *Use, Want W,
                        const Expr *E) {
  for (const FieldDecl *Field : Path.Fields)
    if (Field->getParent()->isUnion())
      return unknown("it is in a union", E);
  std::vector<Term> Found;
  bool All = true;
  for (const Assignment &A : Locals.reaching({Path.Base, {}}, Use).From) {
    const bool IsValue = A.How == Assignment::Source::Value;
    const Expr *From = IsValue ? A.From->IgnoreImplicit() : nullptr;
    if (const auto *Copy = dyn_cast_or_null<CXXConstructExpr>(From);
        Copy && Copy->getNumArgs() == 1)
      From = Copy->getArg(0);
    const auto Target = From ? LocalFacts::target(From) : std::nullopt;
    if (!Target || !Active.insert(A.From).second) {
      All = false;
      continue;
    }
    auto Done = llvm::scope_exit([&] { Active.erase(A.From); });
    AccessPath There = Target->Path;
    There.Fields.append(Path.Fields.begin(), Path.Fields.end());
    const VarDecl *Base = There.Base;
    const Expr *Init = Base->getAnyInitializer();
    if (Base->isLocalVarDecl() && !Base->isStaticLocal())
      Found.push_back(path(There, nullptr, W, E));
    else if (Base->hasGlobalStorage() && Init && isConstant(Base))
      Found.push_back(constantField(Init, Path.Fields.back(), W));
    else
      All = false;
  }
  if (All && !Found.empty())
    return Term::any(std::move(Found));
  return storage(Path.Fields.back(), W);
}

/// What the elements of a constant table say of a field.
Term TermBuilder::constantField(const Expr *Init, const FieldDecl *Field,
                                Want W) {
  std::vector<const InitListExpr *> Work;
  std::vector<Term> Found;
  auto Add = [&](const Expr *E) {
    if (const auto *List = dyn_cast<InitListExpr>(E->IgnoreImplicit()))
      Work.push_back(List);
  };
  Add(Init);
  while (!Work.empty()) {
    const InitListExpr *List = Work.back();
    Work.pop_back();
    const RecordDecl *Record = List->getType()->getAsRecordDecl();
    for (unsigned I = 0; I < List->getNumInits(); ++I) {
      if (Record == Field->getParent() && I == Field->getFieldIndex())
        Found.push_back(term(List->getInit(I), W));
      else
        Add(List->getInit(I));
    }
  }
  return Found.empty() ? storage(Field, W) : Term::any(std::move(Found));
}

Term TermBuilder::variable(const VarDecl *V, Want W, const Expr *E) {
  const VarDecl *Definition = V->getDefinition(Ctx);
  const VarDecl *D = Definition ? Definition : V;
  // Constants are what they are initialised with, in every TU.
  if (isConstant(D))
    if (const Expr *Init = D->getAnyInitializer()) {
      const void *Key = D;
      if (!Active.insert(Key).second)
        return unknown("it is defined by itself", E);
      auto Done = llvm::scope_exit([&] { Active.erase(Key); });
      return term(Init, W);
    }
  return storage(V, W);
}

Term TermBuilder::reference(const DeclRefExpr *Ref, Want W) {
  const ValueDecl *D = Ref->getDecl();
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return W == Want::Kernel ? functionTerm(F)
                             : unknown("it is a function", Ref);
  if (const auto *B = dyn_cast<BindingDecl>(D)) {
    if (const VarDecl *Holder = B->getHoldingVar())
      return path({Holder, {}}, nullptr, W, Ref);
    return B->getBinding() ? term(B->getBinding(), W)
                           : unknown("the binding is not known", Ref);
  }
  if (isa<TemplateParamObjectDecl>(D))
    return unknown("it is an object in a template argument", Ref);
  const auto *V = dyn_cast<VarDecl>(D);
  if (!V)
    return unknown("it is not a variable", Ref);
  if (!V->isLocalVarDeclOrParm() || V->isStaticLocal())
    return variable(V, W, Ref);
  // A reference is what it was bound to.
  return path({V, {}}, Ref, W, Ref);
}

Term TermBuilder::member(const MemberExpr *Member, Want W) {
  const ValueDecl *D = Member->getMemberDecl();
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return functionTerm(F);
  if (const auto *V = dyn_cast<VarDecl>(D))
    return variable(V, W, Member);
  const auto *Field = dyn_cast<FieldDecl>(D);
  if (!Field)
    return unknown("the member is not known", Member);
  if (isStandard(Field->getParent()))
    return term(Member->getBase(), W);
  // cudaDeviceProp::sharedMemPerBlockOptin and its like.
  if (W == Want::Number && Field->getName().starts_with("sharedMemPer"))
    return Term::max();
  const auto Target = LocalFacts::target(Member);
  const auto *Base =
      Target && !Target->Dereferenced ? Target->Path.Base : nullptr;
  if (Base && Base->isLocalVarDecl() && !Base->isStaticLocal()) {
    const Expr *Root = Member;
    while (const auto *M = dyn_cast<MemberExpr>(Root->IgnoreParenCasts()))
      Root = M->getBase();
    const auto *Use = dyn_cast<DeclRefExpr>(Root->IgnoreParenCasts());
    return path(Target->Path, Use, W, Member);
  }
  if (Base && Base->hasGlobalStorage() && isConstant(Base))
    if (const Expr *Init = Base->getAnyInitializer())
      return constantField(Init, Field, W);
  return storage(Field, W);
}

} // namespace kplan::scan
