//===- TermBuilder.h - Expressions to terms -------------------------------===//
//
// Part of kplan. What an expression stands for, as far as this TU can tell:
// constants are folded as the compiler folds them, locals are followed to the
// assignments that reach them, and everything that other functions decide
// becomes a parameter, result, or storage term.
//
// Terms are trees and stay small: what grows beyond a limit is unknown, and a
// call holds those arguments alone that decide what it yields.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TERMBUILDER_H
#define KPLAN_SCAN_TERMBUILDER_H

#include "plan/Fragment.h"
#include "scan/KernelNames.h"
#include "scan/LocalFacts.h"
#include "scan/SourcePlaces.h"
#include "scan/UnitModel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace kplan::scan {

/// What is looked for: the operand is a kernel (or a function, or a name), or
/// it is a number. Containers that hold both give only what is wanted.
enum class Want : uint8_t { Kernel, Number };

class TermBuilder {
public:
  TermBuilder(clang::ASTContext &Ctx, const SourcePlaces &Places,
              KernelNames &Names, const LocalFacts &Locals,
              const UnitModel &Model);
  ~TermBuilder();

  Term term(const clang::Expr *E, Want W);
  /// The truth of a condition: a number, or unknown.
  Term condition(const clang::Expr *E);
  /// The value that assignment `A` of something gives it.
  Term assigned(const Assignment &A, Want W);
  /// What a function of this TU may return.
  std::vector<Term> results(const clang::FunctionDecl *F);
  /// What a function of this TU may store through its pointer or reference
  /// parameter.
  std::vector<Term> storedThrough(const clang::FunctionDecl *F, unsigned Index);

  Term functionTerm(const clang::FunctionDecl *F);
  FunctionId idOf(const clang::FunctionDecl *F);
  static Want wantFor(clang::QualType Type);

  // What the identities in terms mean.
  std::vector<const clang::FunctionDecl *> Kernels; ///< By number.
  llvm::StringMap<const clang::FunctionDecl *> FunctionsById;
  llvm::StringMap<std::pair<const clang::ValueDecl *, Want>> StoragesById;

  /// Identity of what a global, static or field holds.
  StorageId storageId(const clang::ValueDecl *D, Want W);

private:
  clang::ASTContext &Ctx;
  const SourcePlaces &Places;
  KernelNames &Names;
  const LocalFacts &Locals;
  const UnitModel &Model;
  std::unique_ptr<clang::MangleContext> Mangler;
  llvm::DenseMap<const clang::FunctionDecl *, size_t> KernelNumbers;
  llvm::DenseMap<const clang::FunctionDecl *, FunctionId> Ids;
  llvm::DenseMap<const clang::ValueDecl *, std::string> StorageNames;
  /// Assignments that are being followed: what reads itself is a loop.
  std::set<const void *> Active;
  llvm::DenseMap<std::pair<const clang::Expr *, int>, Term> Cache;
  unsigned Depth = 0;
  unsigned Steps = 0; ///< Of the outermost term.
  /// Which parameters decide a function's result, or what it stores through an
  /// out parameter (by its number). Nothing: it is being found out.
  using Output = std::pair<const clang::FunctionDecl *, int>;
  llvm::DenseMap<Output, std::optional<llvm::SmallBitVector>> Deciding;
  unsigned Nesting = 0; ///< Functions that are being looked into.

  std::optional<Term> constant(const clang::Expr *E, Want W);
  Term build(const clang::Expr *E, Want W);
  Term operatorTerm(const clang::Expr *E, Want W);
  Term reference(const clang::DeclRefExpr *Ref, Want W);
  Term member(const clang::MemberExpr *Member, Want W);
  Term path(const AccessPath &Path, const clang::DeclRefExpr *Use, Want W,
            const clang::Expr *E);
  Term field(const AccessPath &Path, const clang::DeclRefExpr *Use, Want W,
             const clang::Expr *E);
  Term constantField(const clang::Expr *Init, const clang::FieldDecl *Field,
                     Want W);
  Term variable(const clang::VarDecl *V, Want W, const clang::Expr *E);
  Term call(const clang::Expr *E, Want W);
  Term apiResult(const ApiFunction &Api, const clang::CallExpr *Call, Want W);
  Term elements(const clang::InitListExpr *List, Want W);
  Term storage(const clang::ValueDecl *D, Want W);
  std::vector<Term> arguments(const CallParts &Parts);
  std::vector<Term> decidingArguments(const CallParts &Parts, int Out);
  std::optional<llvm::SmallBitVector> deciding(const clang::FunctionDecl *F,
                                               int Out);
  Term unknown(const char *Why, const clang::Expr *E);
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_TERMBUILDER_H
