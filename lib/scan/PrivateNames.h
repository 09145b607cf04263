//===- PrivateNames.h - Functions of one TU within a mangled name ---------===//
//
// Part of kplan. A kernel's template argument may be a lambda in a static
// function, or a pointer to one. clang writes such a function as any other,
// with an `L` at most; nvcc puts it into a namespace of the module's own,
// `_INTERNAL_<hash>_<len>_<file>_<id>`, which also shifts the numbers of all
// later substitutions.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_PRIVATENAMES_H
#define KPLAN_SCAN_PRIVATENAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace clang {
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace kplan::scan {

/// Whether nvcc takes an instance for private to the unit: it is static, or in
/// an anonymous namespace, or one of its template arguments is such a class.
bool isPrivate(const clang::FunctionDecl *F);

/// The names of functions and variables at namespace scope that `Kernel`'s
/// template arguments mention and that are private to the unit.
llvm::StringSet<> privateNames(const clang::FunctionDecl *Kernel);

/// `Mangled` with each entity of `Names` put into the namespace `Module`, a
/// source name with its length or a pattern. What cannot be parsed comes back
/// as it is.
std::string moveToModule(llvm::StringRef Mangled,
                         const llvm::StringSet<> &Names,
                         llvm::StringRef Module);

} // namespace kplan::scan

#endif // KPLAN_SCAN_PRIVATENAMES_H
