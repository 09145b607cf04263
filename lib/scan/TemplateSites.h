//===- TemplateSites.h - Sites in templates as written --------------------===//
//
// Part of kplan. A template that a TU does not instantiate has no kernel and no
// value, but it has sites, and a plan must not pass over them in silence.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_TEMPLATESITES_H
#define KPLAN_SCAN_TEMPLATESITES_H

#include "plan/Fragment.h"
#include "scan/SourcePlaces.h"
#include "scan/UnitVisitor.h"

#include "clang/AST/ASTContext.h"

namespace kplan::scan {

/// Adds the sites of all patterns of `Unit` to `F.Templates` or, where this TU
/// instantiates the function around them, to `F.Instantiated`. `Lambdas` are
/// generic lambdas in plain functions that nothing instantiates.
void addTemplateSites(const UnitVisitor &Unit,
                      llvm::ArrayRef<const clang::LambdaExpr *> Lambdas,
                      clang::ASTContext &Ctx, const SourcePlaces &Places,
                      Fragment &F);

} // namespace kplan::scan

#endif // KPLAN_SCAN_TEMPLATESITES_H
