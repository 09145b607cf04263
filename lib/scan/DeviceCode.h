//===- DeviceCode.h - What device code refers to and starts ---------------===//
//
// Part of kplan. Host-only parsing keeps the bodies of device functions, so
// what a kernel calls can be followed: printf, assert, malloc, launches of its
// own, and the host-device functions that only device code needs.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_DEVICECODE_H
#define KPLAN_SCAN_DEVICECODE_H

#include "plan/Plan.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <set>
#include <vector>

namespace kplan::scan {

class DeviceCode {
public:
  /// The functions that a body refers to.
  llvm::ArrayRef<const clang::FunctionDecl *>
  references(const clang::FunctionDecl *F);

  /// What `Kernel` and everything that it calls may start.
  std::vector<Use> uses(const clang::FunctionDecl *Kernel);

  /// The launches in the body of a kernel or a device-only function.
  llvm::ArrayRef<const clang::CUDAKernelCallExpr *>
  launches(const clang::FunctionDecl *F);

private:
  struct Body {
    std::vector<const clang::FunctionDecl *> References;
    std::vector<const clang::CUDAKernelCallExpr *> Launches;
    std::set<Use> Uses;
  };
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Body>> Bodies;

  const Body &body(const clang::FunctionDecl *F);
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_DEVICECODE_H
