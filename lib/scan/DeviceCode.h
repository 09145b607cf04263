//===- DeviceCode.h - What device code mentions and starts ----------------===//
//
// Part of kplan. Read from the text of device functions, by names: their bodies
// need not be parsed (ScanUnit drops them), and what stands in a branch of the
// preprocessor that only nvcc's device pass takes is seen as well. A name
// stands for every function that it can mean; the name of a class for its
// constructors, destructor and operators.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_DEVICECODE_H
#define KPLAN_SCAN_DEVICECODE_H

#include "plan/Plan.h"
#include "scan/UnitVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <set>
#include <vector>

namespace kplan::scan {

class DeviceCode {
public:
  DeviceCode(clang::ASTContext &Ctx, clang::Preprocessor &PP)
      : Ctx(Ctx), PP(PP) {}

  /// Reads the device-side functions of the TU; once, before anything is asked.
  void read(const UnitVisitor &Unit);

  /// What `Kernel` and everything that it mentions may start.
  std::vector<Use> uses(const clang::FunctionDecl *Kernel);

  /// Whether device code of this TU may run a function.
  bool mayRun(const clang::FunctionDecl *F) const;

  /// Whether any kernel or device-only function launches.
  bool hasLaunches() const { return AnyLaunch; }

  /// The launches in the body of a kernel or a device-only function, where it
  /// was parsed.
  static std::vector<const clang::CUDAKernelCallExpr *>
  launches(const clang::FunctionDecl *F);

private:
  using Name = const clang::IdentifierInfo *;
  /// The place of a function's name, which its instantiations share.
  using Place = clang::SourceLocation;
  struct Body {
    llvm::DenseSet<Name> Names;
    std::set<Use> Uses;
  };

  clang::ASTContext &Ctx;
  clang::Preprocessor &PP;
  llvm::DenseMap<Place, Body> Bodies;
  llvm::DenseMap<Name, llvm::SmallVector<Place, 2>> Definitions;
  llvm::DenseSet<Name> Reached; ///< By any kernel or device function.
  llvm::DenseMap<Place, std::set<Use>> UsesOfKernel;
  llvm::DenseMap<const clang::Type *, std::set<Use>> UsesOfType;
  bool AnyLaunch = false;

  Place readFunction(const clang::FunctionDecl *F);
  void readText(const clang::FunctionDecl *F, Body &B);
  void note(const clang::Token &T, const clang::Token &Before, Body &B);
  void expandMacro(Name Macro, clang::SourceLocation At, Body &B);
  void noteClasses(clang::QualType Type, Body &B, unsigned Depth);
  std::vector<const Body *> closure(const Body &From) const;
  std::set<Use> usesFrom(const Body &From) const;
  const std::set<Use> &usesOf(clang::QualType Type);
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_DEVICECODE_H
