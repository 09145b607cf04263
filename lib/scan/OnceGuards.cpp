//===- OnceGuards.cpp - Conditions that let code run once -----------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/OnceGuards.h"
#include "scan/LocalFacts.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kplan::scan {
namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 4>;

const VarDecl *lasting(const Expr *E) {
  const auto Target = LocalFacts::target(E);
  if (!Target)
    return nullptr;
  const VarDecl *V = Target->Path.Base;
  return V->hasGlobalStorage() && !V->getType().isConstQualified() ? V
                                                                   : nullptr;
}

/// The object of a method call that may change it.
const Expr *changedObject(const Expr *E) {
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    // A lookup is not const where it returns an iterator.
    if (!Method || Method->isConst() || !Method->getIdentifier() ||
        Method->getName() == "find" || Method->getName() == "end" ||
        Method->getName() == "begin" || Method->getName() == "at")
      return nullptr;
    return Call->getImplicitObjectArgument();
  }
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
      Call && Call->isAssignmentOp())
    return Call->getArg(0);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && Binary->isAssignmentOp())
    return Binary->getLHS();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->isIncrementDecrementOp())
    return Unary->getSubExpr();
  return nullptr;
}

template <typename F> bool anyBelow(const Stmt *S, F Test) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && Test(E))
    return true;
  for (const Stmt *Child : S->children())
    if (anyBelow(Child, Test))
      return true;
  return false;
}

} // namespace

bool isOnceGuard(const Expr *Condition, const Stmt *Guarded) {
  Variables Asked;
  anyBelow(Condition, [&](const Expr *E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      if (const VarDecl *V = lasting(Ref))
        Asked.insert(V);
    return false;
  });
  if (Asked.empty())
    return false;
  auto Changes = [&](const Expr *E) {
    const Expr *Object = changedObject(E);
    const VarDecl *V = Object ? lasting(Object) : nullptr;
    return V && Asked.contains(V);
  };
  return anyBelow(Condition, Changes) || anyBelow(Guarded, Changes);
}

} // namespace kplan::scan
