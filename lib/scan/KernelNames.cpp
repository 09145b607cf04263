//===- KernelNames.cpp - Device symbols as nvcc writes them ---------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/KernelNames.h"
#include "scan/PrivateNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kplan::scan {

/// How clang mangles an anonymous namespace; nvcc puts the module there.
static constexpr llvm::StringLiteral AnonymousNamespace = "12_GLOBAL__N_1";

KernelNames::KernelNames(ASTContext &Ctx, std::string File, SymbolStyle Style)
    : File(std::move(File)), Style(Style) {
  // nvcc: "<length>_<file name, other characters as '_'>".
  std::string Stem = llvm::sys::path::filename(this->File).str();
  for (char &C : Stem)
    if (!llvm::isAlnum(C))
      C = '_';
  Module = "*_" + std::to_string(Stem.size()) + '_' + Stem + "_*";
  // Host and device share the Itanium ABI, and so the numbers of lambdas.
  Mangler.reset(Ctx.createMangleContext());
}

KernelNames::~KernelNames() = default;

std::string KernelNames::mangle(GlobalDecl D) {
  const auto *ND = cast<NamedDecl>(D.getDecl());
  if (!Mangler->shouldMangleDeclName(ND))
    return ND->getNameAsString();
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  Mangler->mangleName(D, OS);
  return Out;
}

std::string KernelNames::withModule(std::string Symbol) const {
  const std::string Pattern = "*_GLOBAL__N__" + Module;
  for (size_t At = 0;
       (At = Symbol.find(AnonymousNamespace, At)) != std::string::npos;
       At += Pattern.size())
    Symbol.replace(At, AnonymousNamespace.size(), Pattern);
  return Symbol;
}

/// nvcc marks no name as static where clang writes an `L` before it.
static std::string withoutStaticMark(std::string Symbol, llvm::StringRef Name) {
  const std::string Marked = 'L' + std::to_string(Name.size()) + Name.str();
  if (size_t At = Symbol.find(Marked); At != std::string::npos)
    Symbol.erase(At, 1);
  return Symbol;
}

KernelKey KernelNames::key(const FunctionDecl *Kernel) {
  KernelKey Key;
  Key.Symbol = mangle(GlobalDecl(Kernel, KernelReferenceKind::Kernel));
  if (Style == SymbolStyle::Clang) {
    if (!Kernel->isExternallyVisible()) {
      Key.Link = kplan::Linkage::Internal;
      Key.File = File;
    }
    return Key;
  }
  const bool Private = isPrivate(Kernel);
  Key.Symbol =
      moveToModule(Key.Symbol, privateNames(Kernel), "*_INTERNAL_" + Module);
  if (Private && Kernel->getIdentifier())
    Key.Symbol = withoutStaticMark(std::move(Key.Symbol), Kernel->getName());
  Key.Symbol = withModule(std::move(Key.Symbol));
  if (Private && Style == SymbolStyle::NvccRelocatable)
    Key.Symbol = "__nv_static_*__" + Module + "_" + Key.Symbol;
  if (Private || llvm::StringRef(Key.Symbol).contains('*')) {
    Key.Link = kplan::Linkage::Internal;
    Key.File = File;
  }
  return Key;
}

std::string KernelNames::prettyName(const FunctionDecl *Kernel) {
  const std::string Symbol =
      mangle(GlobalDecl(Kernel, KernelReferenceKind::Kernel));
  return llvm::demangle(Symbol);
}

KernelKey KernelNames::key(const VarDecl *Variable) {
  KernelKey Key;
  Key.Symbol = mangle(GlobalDecl(Variable));
  const bool Private = !Variable->isStaticDataMember() &&
                       Variable->getFormalLinkage() == clang::Linkage::Internal;
  if (Private) {
    Key.Symbol = withoutStaticMark(std::move(Key.Symbol), Variable->getName());
    // At global scope the plain name; in a namespace, one of the module's own.
    const llvm::StringRef Rest = llvm::StringRef(Key.Symbol).substr(3);
    if (llvm::StringRef(Key.Symbol).starts_with("_ZN"))
      Key.Symbol = ("_ZN*_INTERNAL_" + Module + Rest).str();
    else if (llvm::StringRef(Key.Symbol).starts_with("_Z"))
      Key.Symbol = Variable->getNameAsString();
  }
  if (Style != SymbolStyle::Clang)
    Key.Symbol = withModule(std::move(Key.Symbol));
  if (Private && Style == SymbolStyle::NvccRelocatable)
    Key.Symbol = "__nv_static_*__" + Module + "_" + Key.Symbol;
  if (Private) {
    Key.Link = kplan::Linkage::Internal;
    Key.File = File;
  }
  return Key;
}

} // namespace kplan::scan
