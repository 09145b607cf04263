//===- UnitModel.h - What the walk over host code writes down -------------===//
//
// Part of kplan. Facts of one TU that still point into clang's AST. The
// fragment builder turns the ones that matter into terms.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_UNITMODEL_H
#define KPLAN_SCAN_UNITMODEL_H

#include "scan/Api.h"
#include "scan/LocalFacts.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <vector>

namespace kplan::scan {

/// A condition under which code runs. Guards form a list, innermost first.
struct Guard {
  const Guard *Outer = nullptr;
  const clang::Expr *Condition = nullptr; ///< Null: only says `Once`.
  bool Negated = false;
  bool Once = false;
  /// Not around the code: it leaves before it (`if (small) return;`). Tells
  /// dead code, but is not shown.
  bool Leaves = false;
  /// The labels of a switch on `Condition`; empty for other conditions.
  llvm::SmallVector<const clang::Expr *, 2> Cases;
};

/// Where a call stands.
struct Context {
  const clang::FunctionDecl *Owner = nullptr; ///< Null: a static initialiser.
  const Guard *Under = nullptr;
};

/// A call that makes a site. `Api` is null for `<<<>>>`.
struct SiteRecord {
  const clang::CallExpr *Call;
  const ApiFunction *Api;
  Context At;
};

/// A call (CallExpr or CXXConstructExpr) of something that is no CUDA API.
struct CallRecord {
  const clang::Expr *Call;
  Context At;
};

struct UnitModel {
  std::vector<SiteRecord> Sites;
  /// Calls of functions that the scanner knows nothing of, by callee.
  llvm::MapVector<const clang::FunctionDecl *, std::vector<CallRecord>> Calls;
  /// Calls through pointers and objects.
  std::vector<CallRecord> IndirectCalls;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::Expr *>>
      Returns;
  /// What is stored in globals, statics and fields.
  llvm::MapVector<const clang::ValueDecl *, std::vector<Assignment>> Stores;
  llvm::DenseSet<const clang::FunctionDecl *> AddressTaken;
  /// Generic lambdas that the walk met.
  std::vector<const clang::LambdaExpr *> GenericLambdas;
  std::deque<Guard> Guards;
};

/// The declaration that stands for a function in all maps.
inline const clang::FunctionDecl *canonical(const clang::FunctionDecl *F) {
  return F ? F->getCanonicalDecl() : nullptr;
}

/// Callee and arguments of a call, without the object of a method.
struct CallParts {
  const clang::FunctionDecl *Callee = nullptr; ///< Null: through a pointer.
  const clang::Expr *Through = nullptr;        ///< The pointer or object.
  llvm::SmallVector<const clang::Expr *, 6> Arguments;
};
CallParts partsOf(const clang::Expr *Call);

/// The CUDA function that a declaration is, if it is one of the toolkit's or
/// declared as C.
const ApiFunction *apiOf(const clang::FunctionDecl *F);

/// Whether something belongs to the standard library: what its objects hold is
/// not told apart by member.
bool isStandard(const clang::Decl *D);

} // namespace kplan::scan

#endif // KPLAN_SCAN_UNITMODEL_H
