//===- UnitModel.cpp - What the walk over host code writes down -----------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/UnitModel.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kplan::scan {

CallParts partsOf(const Expr *E) {
  CallParts Parts;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    Parts.Callee = Construct->getConstructor();
    Parts.Arguments.append(Construct->arg_begin(), Construct->arg_end());
    return Parts;
  }
  const auto *Call = cast<CallExpr>(E);
  Parts.Callee = Call->getDirectCallee();
  Parts.Arguments.append(Call->arg_begin(), Call->arg_end());
  if (isa<CXXOperatorCallExpr>(Call) &&
      isa_and_nonnull<CXXMethodDecl>(Parts.Callee)) {
    Parts.Through = Parts.Arguments.front();
    if (!cast<CXXMethodDecl>(Parts.Callee)->isStatic())
      Parts.Arguments.erase(Parts.Arguments.begin());
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    Parts.Through = Member->getImplicitObjectArgument();
  }
  if (!Parts.Callee)
    Parts.Through = Call->getCallee();
  return Parts;
}

const ApiFunction *apiOf(const FunctionDecl *F) {
  if (!F || !F->getIdentifier())
    return nullptr;
  // The runtime's C++ overloads are not extern "C", but global.
  if (!F->isExternC() &&
      !F->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return nullptr;
  return findApi(F->getName());
}

bool isStandard(const Decl *D) {
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (C->isStdNamespace())
      return true;
  return false;
}

} // namespace kplan::scan
