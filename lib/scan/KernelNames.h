//===- KernelNames.h - Device symbols as nvcc writes them -----------------===//
//
// Part of kplan. clang's mangling (ABI version 17) is nvcc's for everything
// that has external linkage. What belongs to one TU nvcc names otherwise, with
// a hash in it; there the symbol is a pattern that leaves only hash and module
// id open. FACTS: a static kernel is `_Z2stPi` in whole-program mode and
// `__nv_static_<n>__<hash>_<len>_<file>_<id>__Z2stPi` with -rdc=true.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_KERNELNAMES_H
#define KPLAN_SCAN_KERNELNAMES_H

#include "plan/Plan.h"

#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace kplan::scan {

/// Who compiles the device code, and how.
enum class SymbolStyle { Nvcc, NvccRelocatable, Clang };

class KernelNames {
public:
  /// `File` is the main file as a plan spells it.
  KernelNames(clang::ASTContext &Ctx, std::string File, SymbolStyle Style);
  ~KernelNames();

  KernelKey key(const clang::FunctionDecl *Kernel);
  /// "void gemm<float, 128>(float*)".
  std::string prettyName(const clang::FunctionDecl *Kernel);
  /// The symbol of a `__device__`, `__constant__` or `__managed__` variable.
  KernelKey key(const clang::VarDecl *Variable);

private:
  std::string File;
  std::string Module; ///< "*_8_names_cu_*": hash, file and module id.
  SymbolStyle Style;
  std::unique_ptr<clang::MangleContext> Mangler;

  std::string mangle(clang::GlobalDecl D);
  std::string withModule(std::string Symbol) const;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_KERNELNAMES_H
