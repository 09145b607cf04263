//===- LocalFacts.h - Which assignments reach a use of a variable ---------===//
//
// Part of kplan. For the bodies of functions: where local variables and the
// fields of local structs get their values, and which of these values a given
// use can see. Structural, not a control-flow graph: an assignment that stands
// in a block around the use, and before it, hides what came before; loops and
// lambdas may also see what comes later. goto is not understood.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_LOCALFACTS_H
#define KPLAN_SCAN_LOCALFACTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kplan::scan {

/// A block that may run zero or several times, or later.
struct Region {
  const Region *Parent = nullptr;
  bool Repeats = false;  ///< The body of a loop.
  bool Deferred = false; ///< The body of a lambda.
  bool contains(const Region *Other) const;
};

/// A variable, or a field of a struct variable. Array indexes are left out.
struct AccessPath {
  const clang::VarDecl *Base = nullptr;
  llvm::SmallVector<const clang::FieldDecl *, 2> Fields;
  bool operator<(const AccessPath &Other) const {
    return std::tie(Base, Fields) < std::tie(Other.Base, Other.Fields);
  }
};

struct Assignment {
  enum class Source {
    Value,    ///< Of expression `From`.
    Argument, ///< Call `From` writes it through argument `Index`.
    Compound, ///< Compound assignment or increment `From`.
    Indexed,  ///< An element is given the value of `From`: hides nothing.
  };
  Source How = Source::Value;
  const clang::Expr *From = nullptr;
  unsigned Index = 0;
  unsigned Order = 0;
  const Region *In = nullptr;
};

class LocalFacts {
public:
  explicit LocalFacts(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// Reads a body once; bodies of lambdas within it are part of it.
  void collect(const clang::Stmt *Body);

  /// The access path of an expression that names a variable or a field of one,
  /// through parentheses, casts, subscripts, `*` and `&`. `Indexed` tells
  /// whether an element was picked, `Dereferenced` whether a pointer was
  /// followed.
  struct Target {
    AccessPath Path;
    bool Indexed = false;
    bool Dereferenced = false;
  };
  static std::optional<Target> target(const clang::Expr *E);

  struct Reaching {
    std::vector<Assignment> From;
    bool Start = true; ///< What it held at first can be seen, too.
  };
  /// The assignments that `Use` of `Path` can see; all of them where the use
  /// was not read by collect().
  Reaching reaching(const AccessPath &Path,
                    const clang::DeclRefExpr *Use) const;

  /// All assignments of `Path`, in order.
  llvm::ArrayRef<Assignment> all(const AccessPath &Path) const;

  /// All assignments to fields of `Base`.
  void eachField(
      const clang::VarDecl *Base,
      llvm::function_ref<void(const AccessPath &, llvm::ArrayRef<Assignment>)>
          Do) const;

  /// What is written through a pointer or reference parameter.
  llvm::ArrayRef<Assignment>
  writtenThrough(const clang::ParmVarDecl *Parameter) const;

  /// Called for each assignment to something that is not a local: a global or
  /// a field reached through a pointer, `this` or a parameter.
  std::function<void(const clang::ValueDecl *, const Assignment &)> OnStore;

private:
  friend class LocalCollector;
  struct UseInfo {
    unsigned Order;
    const Region *In;
  };
  clang::ASTContext &Ctx;
  std::deque<Region> Regions;
  std::map<AccessPath, std::vector<Assignment>> Assignments;
  llvm::DenseMap<const clang::ParmVarDecl *, std::vector<Assignment>> Written;
  llvm::DenseMap<const clang::DeclRefExpr *, UseInfo> Uses;
  unsigned Order = 0;
};

/// The constant truth of a condition, if it has one.
std::optional<bool> constantCondition(const clang::Expr *Cond,
                                      clang::ASTContext &Ctx);

/// The bodies of a lambda: one, or one for each instantiation of a generic one.
llvm::SmallVector<const clang::FunctionDecl *, 2>
lambdaBodies(const clang::LambdaExpr *Lambda);

} // namespace kplan::scan

#endif // KPLAN_SCAN_LOCALFACTS_H
