//===- TemplateSites.cpp - Sites in templates as written ------------------===//
//
// Part of kplan. Overloads are not resolved yet in a template, so functions of
// CUDA's API are known by their names here.
//
//===----------------------------------------------------------------------===//

#include "scan/TemplateSites.h"
#include "plan/Attributes.h"
#include "scan/Api.h"
#include "scan/UnitModel.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kplan::scan {
namespace {

class PatternReader {
public:
  PatternReader(const llvm::DenseSet<SourceLocation> &Instantiated,
                ASTContext &Ctx, const SourcePlaces &Places, Fragment &F)
      : Instantiated(Instantiated), Ctx(Ctx), Places(Places), F(F) {}

  void read(const Stmt *S, bool Live);

private:
  const llvm::DenseSet<SourceLocation> &Instantiated;
  ASTContext &Ctx;
  const SourcePlaces &Places;
  Fragment &F;

  const ApiFunction *api(const CallExpr *Call) const;
  void site(const CallExpr *Call, const ApiFunction *Api, bool Live);
  std::optional<int64_t> number(const Expr *E) const;
};

const ApiFunction *PatternReader::api(const CallExpr *Call) const {
  if (const FunctionDecl *Callee = Call->getDirectCallee())
    return apiOf(Callee);
  const auto *Lookup =
      dyn_cast<UnresolvedLookupExpr>(Call->getCallee()->IgnoreParenImpCasts());
  if (!Lookup || Lookup->getQualifier())
    return nullptr;
  const auto *Name = Lookup->getName().getAsIdentifierInfo();
  return Name ? findApi(Name->getName()) : nullptr;
}

std::optional<int64_t> PatternReader::number(const Expr *E) const {
  Expr::EvalResult Result;
  if (!E || E->isValueDependent() || !E->EvaluateAsInt(Result, Ctx))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

void PatternReader::site(const CallExpr *Call, const ApiFunction *Api,
                         bool Live) {
  if (Api && Api->Action > ApiAction::Query)
    return;
  if (Places.isSilenced(Call->getBeginLoc()))
    return;
  const SourcePosition At = Places.position(Call->getBeginLoc());
  if (Live) {
    F.Instantiated.push_back(At);
    return;
  }
  auto Argument = [&](int Index) -> const Expr * {
    return Index >= 0 && static_cast<unsigned>(Index) < Call->getNumArgs()
               ? Call->getArg(Index)
               : nullptr;
  };
  auto Text = [&](const Expr *E) {
    return E ? Places.text(E->getSourceRange()) : std::string();
  };
  TemplateSite T;
  T.At = At;
  if (!Api) {
    T.Kind = SiteKind::Launch;
    T.KernelText = Text(Call->getCallee());
  } else {
    T.Kind =
        Api->Action == ApiAction::Query ? SiteKind::Query
        : Api->Action == ApiAction::Set || Api->Action == ApiAction::SetCache
            ? SiteKind::Set
            : SiteKind::Launch;
    T.KernelText = Text(Argument(Api->Kernel >= 0 ? Api->Kernel : Api->Config));
    T.ValueText = Text(Argument(Api->Value));
    if (Api->Action == ApiAction::Set) {
      const auto Number = number(Argument(Api->Attribute));
      const AttributeInfo *Info =
          Number && *Number >= 0 ? findAttribute(*Number) : nullptr;
      if (Info && Info->Settable)
        T.SetAttribute = Info->Id;
    } else if (Api->Action == ApiAction::SetCache) {
      if (const auto Number = number(Argument(Api->Value));
          Number && *Number >= 0 && *Number <= 3)
        T.SetCacheConfig = static_cast<CacheConfig>(*Number);
      T.ValueText.clear();
    }
  }
  F.Templates.push_back(std::move(T));
}

void PatternReader::read(const Stmt *S, bool Live) {
  if (!S)
    return;
  if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(S))
    site(Launch, nullptr, Live);
  else if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const ApiFunction *Api = api(Call))
      site(Call, Api, Live);
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    // A generic lambda is a template of its own; its instances stand where it
    // does. In code that is instantiated, one without instances is in a branch
    // that is never taken.
    Live |= Instantiated.contains(Lambda->getCallOperator()->getLocation());
    read(Lambda->getBody(), Live);
    return;
  }
  for (const Stmt *Child : S->children())
    read(Child, Live);
}

} // namespace

void addTemplateSites(const UnitVisitor &Unit,
                      llvm::ArrayRef<const LambdaExpr *> Lambdas,
                      ASTContext &Ctx, const SourcePlaces &Places,
                      Fragment &F) {
  PatternReader Reader(Unit.Instantiated, Ctx, Places, F);
  for (const FunctionDecl *Pattern : Unit.Patterns)
    if (spaceOf(Pattern) != Space::Device)
      Reader.read(Pattern->getBody(),
                  Unit.Instantiated.contains(Pattern->getLocation()));
  for (const LambdaExpr *Lambda : Lambdas)
    Reader.read(Lambda->getBody(), false);
}

} // namespace kplan::scan
