//===- UnitVisitor.h - The declarations of one TU -------------------------===//
//
// Part of kplan. Goes through a TU's own declarations and the instantiations
// of its templates, and sorts functions by where they run. Looks into no body.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_UNITVISITOR_H
#define KPLAN_SCAN_UNITVISITOR_H

#include "scan/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace kplan::scan {

/// Where a function runs.
enum class Space { Host, Device, Both };
Space spaceOf(const clang::FunctionDecl *F);

class UnitVisitor {
public:
  explicit UnitVisitor(const SourcePlaces &Places) : Places(Places) {}

  void visit(const clang::DeclContext *Context);
  void visitRecord(const clang::CXXRecordDecl *Record);

  // Definitions with a body, none dependent, in the order of the source. Bodies
  // of device functions may have been dropped.
  std::vector<const clang::FunctionDecl *> Host;
  std::vector<const clang::FunctionDecl *> Both;
  std::vector<const clang::FunctionDecl *> Device; ///< Kernels as well.
  /// Variables at namespace or class scope with an initialiser.
  std::vector<const clang::VarDecl *> Initialised;
  /// Templated functions as written.
  std::vector<const clang::FunctionDecl *> Patterns;
  /// Where the name of each function stands that has been instantiated.
  llvm::DenseSet<clang::SourceLocation> Instantiated;

private:
  const SourcePlaces &Places;
  llvm::DenseSet<const clang::Decl *> Seen;

  void visitDecl(const clang::Decl *D);
  void visitFunction(const clang::FunctionDecl *F);
  void visitFunctionTemplate(const clang::FunctionTemplateDecl *T);
  void visitClassTemplate(const clang::ClassTemplateDecl *T);
  void visitVariable(const clang::VarDecl *V);
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_UNITVISITOR_H
