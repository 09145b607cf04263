//===- DeviceCode.cpp - What device code refers to and starts -------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/DeviceCode.h"
#include "scan/UnitModel.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kplan::scan {

/// What a call of a library function starts.
static std::optional<Use> useOf(const FunctionDecl *F) {
  if (F->isReplaceableGlobalAllocationFunction())
    return Use::Malloc;
  if (!F->getIdentifier())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Use>>(F->getName())
      .Cases({"printf", "vprintf", "__builtin_printf"}, Use::Printf)
      .Cases({"__assert_fail", "__assertfail", "__assert"}, Use::Assert)
      .Cases({"malloc", "__builtin_malloc"}, Use::Malloc)
      .Default(std::nullopt);
}

const DeviceCode::Body &DeviceCode::body(const FunctionDecl *F) {
  std::unique_ptr<Body> &Known = Bodies[canonical(F)];
  if (Known)
    return *Known;
  auto New = std::make_unique<Body>();
  const FunctionDecl *Definition = nullptr;
  if (F->hasBody(Definition) && !Definition->isDependentContext()) {
    auto Refer = [&](const FunctionDecl *To) {
      if (!To)
        return;
      New->References.push_back(canonical(To));
      if (auto U = useOf(To))
        New->Uses.insert(*U);
    };
    std::vector<const Stmt *> Work{Definition->getBody()};
    if (const auto *C = dyn_cast<CXXConstructorDecl>(Definition))
      for (const CXXCtorInitializer *Init : C->inits())
        Work.push_back(Init->getInit());
    while (!Work.empty()) {
      const Stmt *S = Work.back();
      Work.pop_back();
      if (!S)
        continue;
      if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(S)) {
        // A host-device function is seen here as the host compiles it.
        if (Definition->hasAttr<CUDAGlobalAttr>() ||
            !Definition->hasAttr<CUDAHostAttr>()) {
          New->Launches.push_back(Launch);
          New->Uses.insert(Use::Cdp);
        }
        for (const Expr *Argument : Launch->arguments())
          Work.push_back(Argument);
        continue;
      }
      if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
        Refer(dyn_cast<FunctionDecl>(Ref->getDecl()));
      else if (const auto *Member = dyn_cast<MemberExpr>(S))
        Refer(dyn_cast<FunctionDecl>(Member->getMemberDecl()));
      else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
        Refer(Construct->getConstructor());
      else if (const auto *Allocate = dyn_cast<CXXNewExpr>(S))
        Refer(Allocate->getOperatorNew());
      else if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
        for (const FunctionDecl *Inner : lambdaBodies(Lambda))
          Refer(Inner);
        for (const Expr *Init : Lambda->capture_inits())
          Work.push_back(Init);
        continue;
      }
      for (const Stmt *Child : S->children())
        Work.push_back(Child);
    }
  }
  Known = std::move(New);
  return *Known;
}

llvm::ArrayRef<const FunctionDecl *>
DeviceCode::references(const FunctionDecl *F) {
  return body(F).References;
}

llvm::ArrayRef<const CUDAKernelCallExpr *>
DeviceCode::launches(const FunctionDecl *F) {
  return body(F).Launches;
}

std::vector<Use> DeviceCode::uses(const FunctionDecl *Kernel) {
  std::set<Use> Found;
  llvm::DenseSet<const FunctionDecl *> Seen{canonical(Kernel)};
  std::vector<const FunctionDecl *> Work{canonical(Kernel)};
  while (!Work.empty()) {
    const FunctionDecl *F = Work.back();
    Work.pop_back();
    const Body &B = body(F);
    Found.insert(B.Uses.begin(), B.Uses.end());
    for (const FunctionDecl *To : B.References)
      if (!To->hasAttr<CUDAGlobalAttr>() && Seen.insert(To).second)
        Work.push_back(To);
  }
  return {Found.begin(), Found.end()};
}

} // namespace kplan::scan
