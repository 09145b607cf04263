//===- UnitVisitor.cpp - The declarations of one TU -----------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/UnitVisitor.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclFriend.h"

using namespace clang;

namespace kplan::scan {

Space spaceOf(const FunctionDecl *F) {
  if (F->hasAttr<CUDAGlobalAttr>())
    return Space::Device;
  const bool Device = F->hasAttr<CUDADeviceAttr>();
  if (!Device)
    return Space::Host;
  return F->hasAttr<CUDAHostAttr>() ? Space::Both : Space::Device;
}

void UnitVisitor::visit(const DeclContext *Context) {
  for (const Decl *D : Context->decls())
    visitDecl(D);
}

void UnitVisitor::visitDecl(const Decl *D) {
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D)) {
    // An #include within a namespace is rare, and never of ours.
    if (!Places.isSkipped(D->getLocation()))
      visit(cast<DeclContext>(D));
    return;
  }
  if (const auto *T = dyn_cast<FunctionTemplateDecl>(D))
    return visitFunctionTemplate(T);
  if (const auto *T = dyn_cast<ClassTemplateDecl>(D))
    return visitClassTemplate(T);
  if (const auto *T = dyn_cast<VarTemplateDecl>(D)) {
    for (const VarTemplateSpecializationDecl *S : T->specializations())
      visitVariable(S);
    return;
  }
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return visitFunction(F);
  if (const auto *Record = dyn_cast<CXXRecordDecl>(D))
    return visitRecord(Record);
  if (const auto *V = dyn_cast<VarDecl>(D))
    return visitVariable(V);
  if (const auto *Friend = dyn_cast<FriendDecl>(D))
    if (const NamedDecl *Of = Friend->getFriendDecl())
      visitDecl(Of);
}

void UnitVisitor::visitFunction(const FunctionDecl *F) {
  const bool HasBody = F->doesThisDeclarationHaveABody() || F->hasSkippedBody();
  if (!HasBody || F->isDefaulted() || Places.isSkipped(F->getLocation()) ||
      !Seen.insert(F).second)
    return;
  if (F->isDependentContext()) {
    Patterns.push_back(F);
    return;
  }
  if (F->isTemplateInstantiation())
    Instantiated.insert(F->getLocation());
  switch (spaceOf(F)) {
  case Space::Host:
    Host.push_back(F);
    break;
  case Space::Device:
    Device.push_back(F);
    break;
  case Space::Both:
    Both.push_back(F);
    break;
  }
}

void UnitVisitor::visitFunctionTemplate(const FunctionTemplateDecl *T) {
  if (!Seen.insert(T->getCanonicalDecl()).second) {
    // Another declaration; it may be the one with the body.
    visitFunction(T->getTemplatedDecl());
    return;
  }
  visitFunction(T->getTemplatedDecl());
  for (const FunctionDecl *S : T->specializations())
    for (const FunctionDecl *R : S->redecls())
      visitFunction(R);
}

void UnitVisitor::visitRecord(const CXXRecordDecl *Record) {
  if (!Record->isThisDeclarationADefinition() || !Seen.insert(Record).second)
    return;
  // A lambda is read where it stands.
  if (Record->isLambda())
    return;
  visit(Record);
}

void UnitVisitor::visitClassTemplate(const ClassTemplateDecl *T) {
  if (T->isThisDeclarationADefinition() && !Places.isSkipped(T->getLocation()))
    visitRecord(T->getTemplatedDecl());
  if (!Seen.insert(T->getCanonicalDecl()).second)
    return;
  // The standard library's instances hold none of our code.
  if (Places.isSkipped(T->getLocation()))
    return;
  llvm::SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partial;
  const_cast<ClassTemplateDecl *>(T)->getPartialSpecializations(Partial);
  for (const auto *P : Partial)
    visitRecord(P);
  for (const ClassTemplateSpecializationDecl *S : T->specializations())
    for (const auto *R : S->redecls())
      visitRecord(cast<CXXRecordDecl>(R));
}

void UnitVisitor::visitVariable(const VarDecl *V) {
  if (V->hasInit() && !V->getDeclContext()->isDependentContext() &&
      !V->getType()->isDependentType() && !V->getInit()->isValueDependent() &&
      !Places.isSkipped(V->getLocation()) && Seen.insert(V).second)
    Initialised.push_back(V);
}

} // namespace kplan::scan
