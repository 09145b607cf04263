//===- UnitScanner.cpp - A parsed TU to a fragment ------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/UnitScanner.h"
#include "scan/DeviceCode.h"
#include "scan/FragmentBuilder.h"
#include "scan/HostWalker.h"
#include "scan/KernelNames.h"
#include "scan/TemplateSites.h"
#include "scan/TermBuilder.h"
#include "scan/UnitVisitor.h"

#include "clang/AST/Attr.h"

using namespace clang;

namespace kplan::scan {
namespace {

class UnitScanner {
public:
  UnitScanner(ASTContext &Ctx, Preprocessor &PP, const SourcePlaces &Places,
              const AstOptions &Options, Fragment &F)
      : Ctx(Ctx), Places(Places), F(F), Unit(Places), Locals(Ctx),
        Walker(Ctx, Locals, Model), Names(Ctx, F.File, Options.Style),
        Terms(Ctx, Places, Names, Locals, Model),
        Builder(Ctx, Places, Names, Locals, Model, Terms, F), Device(Ctx, PP),
        Options(Options) {}

  /// False: it takes the bodies of device functions to tell, and they were
  /// dropped.
  bool run();

private:
  ASTContext &Ctx;
  const SourcePlaces &Places;
  Fragment &F;
  UnitVisitor Unit;
  UnitModel Model;
  LocalFacts Locals;
  HostWalker Walker;
  KernelNames Names;
  TermBuilder Terms;
  FragmentBuilder Builder;
  DeviceCode Device;
  const AstOptions &Options;

  llvm::DenseSet<const FunctionDecl *> Referenced; ///< By host code.
  llvm::DenseSet<const FunctionDecl *> Walked;
  size_t NextHost = 0, NextInitialised = 0;

  void walkHost();
  bool walkReferenced();
  void walkBoth();
  void addTemplates();
  void addKernels();
  void findOverriders();
};

/// Host functions, initialisers, and whatever classes they define.
void UnitScanner::walkHost() {
  while (NextHost < Unit.Host.size() ||
         NextInitialised < Unit.Initialised.size()) {
    if (NextHost < Unit.Host.size())
      Walker.walkFunction(Unit.Host[NextHost++]);
    else
      Walker.walkInitialiser(Unit.Initialised[NextInitialised++]);
  }
}

/// Host-device functions that host code refers to; whether there were any.
bool UnitScanner::walkReferenced() {
  bool Any = false;
  for (size_t I = 0; I < Unit.Both.size(); ++I) {
    const FunctionDecl *Fn = Unit.Both[I];
    if (!Referenced.contains(canonical(Fn)) ||
        !Walked.insert(canonical(Fn)).second)
      continue;
    Walker.walkFunction(Fn);
    walkHost();
    Any = true;
  }
  return Any;
}

/// A host-device function counts as host code where host code refers to it, or
/// where no device code of the TU does (it is there for others).
void UnitScanner::walkBoth() {
  auto WalkAllReferenced = [&] {
    while (walkReferenced())
      ;
  };
  WalkAllReferenced();
  for (size_t I = 0; I < Unit.Both.size(); ++I) {
    const FunctionDecl *Fn = Unit.Both[I];
    if (Device.mayRun(Fn) || !Walked.insert(canonical(Fn)).second)
      continue;
    Walker.walkFunction(Fn);
    walkHost();
    WalkAllReferenced();
  }
  // The rest is for device code here. Another TU sees no body of its own only
  // if the function is neither inline nor a template.
  for (size_t I = 0; I < Unit.Both.size(); ++I) {
    const FunctionDecl *Fn = Unit.Both[I];
    if (Walked.contains(canonical(Fn)) || Fn->isInlined() ||
        Fn->isTemplateInstantiation() || !Fn->isExternallyVisible())
      continue;
    Walked.insert(canonical(Fn));
    Builder.DeviceOnly.insert(canonical(Fn));
    Walker.walkFunction(Fn);
  }
}

void UnitScanner::findOverriders() {
  auto Add = [&](const FunctionDecl *Fn) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Fn);
    if (!Method || !Method->isVirtual())
      return;
    std::vector<const CXXMethodDecl *> Work{Method};
    while (!Work.empty()) {
      const CXXMethodDecl *M = Work.back();
      Work.pop_back();
      for (const CXXMethodDecl *Base : M->overridden_methods()) {
        Builder.Overriders[canonical(Base)].push_back(Method);
        Work.push_back(Base);
      }
    }
  };
  llvm::for_each(Unit.Host, Add);
  llvm::for_each(Unit.Both, Add);
}

void UnitScanner::addTemplates() {
  // Instantiated by device code, if by anybody.
  for (const FunctionDecl *Pattern : Unit.Patterns)
    if (spaceOf(Pattern) == Space::Both && Device.mayRun(Pattern))
      Unit.Instantiated.insert(Pattern->getLocation());
  std::vector<const LambdaExpr *> Unused;
  for (const LambdaExpr *Lambda : Model.GenericLambdas) {
    const SourceLocation Loc = Lambda->getCallOperator()->getLocation();
    if (!lambdaBodies(Lambda).empty())
      Unit.Instantiated.insert(Loc);
  }
  for (const LambdaExpr *Lambda : Model.GenericLambdas)
    if (!Unit.Instantiated.contains(Lambda->getCallOperator()->getLocation()))
      Unused.push_back(Lambda);
  addTemplateSites(Unit, Unused, Ctx, Places, F);
}

void UnitScanner::addKernels() {
  if (Options.AllKernels)
    for (const FunctionDecl *Fn : Unit.Device)
      if (Fn->hasAttr<CUDAGlobalAttr>())
        Terms.functionTerm(Fn);
  for (const FunctionDecl *Kernel : Terms.Kernels) {
    FragmentKernel &K = F.Kernels.emplace_back();
    K.Key = Names.key(Kernel);
    K.Name = Names.prettyName(Kernel);
    K.Uses = Device.uses(Kernel);
    K.At = Places.position(Kernel->getLocation());
  }
}

bool UnitScanner::run() {
  Locals.OnStore = [this](const ValueDecl *D, const Assignment &A) {
    Model.Stores[D].push_back(A);
  };
  Walker.OnReference = [this](const FunctionDecl *Fn) {
    Referenced.insert(canonical(Fn));
  };
  Walker.OnLocalClass = [this](const CXXRecordDecl *Class) {
    Unit.visitRecord(Class);
  };
  Unit.visit(Ctx.getTranslationUnitDecl());
  Device.read(Unit);
  if (Device.hasLaunches() && !Options.HasDeviceBodies)
    return false;
  walkHost();
  walkBoth();
  findOverriders();

  Builder.addSites();
  for (const FunctionDecl *Fn : Unit.Device) {
    const auto Launches = DeviceCode::launches(Fn);
    if (Launches.empty())
      continue;
    Locals.collect(Fn->getBody());
    for (const CUDAKernelCallExpr *Launch : Launches)
      Builder.addDeviceLaunch(Launch);
  }
  Builder.addExports();
  Builder.addMentioned();
  Builder.finish();
  addTemplates();
  addKernels();
  return true;
}

} // namespace

bool scanAst(ASTContext &Ctx, Preprocessor &PP, const SourcePlaces &Places,
             const AstOptions &Options, Fragment &F) {
  return UnitScanner(Ctx, PP, Places, Options, F).run();
}

} // namespace kplan::scan
