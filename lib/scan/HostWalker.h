//===- HostWalker.h - Walk bodies of host functions -----------------------===//
//
// Part of kplan. Finds calls that make sites, other calls, results, and the
// conditions under which they run. Code that a constant condition excludes is
// left out. Draws no conclusion about kernels or values.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_HOSTWALKER_H
#define KPLAN_SCAN_HOSTWALKER_H

#include "scan/LocalFacts.h"
#include "scan/UnitModel.h"

#include "clang/AST/ASTContext.h"

#include <functional>

namespace kplan::scan {

class HostWalker {
public:
  HostWalker(clang::ASTContext &Ctx, LocalFacts &Locals, UnitModel &Model)
      : Ctx(Ctx), Locals(Locals), Model(Model) {}

  /// A function's own body, with constructor initialisers.
  void walkFunction(const clang::FunctionDecl *F);
  /// The initialiser of a variable that lives as long as the program.
  void walkInitialiser(const clang::VarDecl *V);

  /// Called for each function that host code refers to.
  std::function<void(const clang::FunctionDecl *)> OnReference;
  /// Called for each class that is defined within a body.
  std::function<void(const clang::CXXRecordDecl *)> OnLocalClass;

private:
  clang::ASTContext &Ctx;
  LocalFacts &Locals;
  UnitModel &Model;

  /// Whether control certainly does not come out at the end of a statement.
  bool walk(const clang::Stmt *S, Context At);
  void walkChildren(const clang::Stmt *S, Context At);
  bool walkBlock(const clang::CompoundStmt *S, Context At);
  bool walkIf(const clang::IfStmt *S, Context At);
  void walkSwitch(const clang::SwitchStmt *S, Context At);
  bool walkControl(const clang::Stmt *S, Context At, bool &Leaves);
  void walkCall(const clang::Expr *E, Context At);
  void walkLambda(const clang::LambdaExpr *Lambda, Context At);
  void walkVariable(const clang::VarDecl *V, Context At);
  void reference(const clang::FunctionDecl *F);

  const Guard *guard(const Guard *Outer, const clang::Expr *Condition,
                     bool Negated);
  const Guard *once(const Guard *Outer);
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_HOSTWALKER_H
