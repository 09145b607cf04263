//===- UnitScanner.h - A parsed TU to a fragment --------------------------===//
//
// Part of kplan. The order of the work: declarations, host bodies, sites, what
// the sites mention, templates, kernels.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_UNITSCANNER_H
#define KPLAN_SCAN_UNITSCANNER_H

#include "plan/Fragment.h"
#include "scan/KernelNames.h"
#include "scan/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

namespace kplan::scan {

struct AstOptions {
  SymbolStyle Style = SymbolStyle::Nvcc;
  bool HasDeviceBodies = true;
  bool AllKernels = false; ///< As UnitOptions::AllKernels.
};

/// Adds what the TU holds to `F`, whose file and producer are set. False:
/// device functions launch, and their bodies were dropped; nothing is added.
bool scanAst(clang::ASTContext &Ctx, clang::Preprocessor &PP,
             const SourcePlaces &Places, const AstOptions &Options,
             Fragment &F);

} // namespace kplan::scan

#endif // KPLAN_SCAN_UNITSCANNER_H
