//===- TermBuilder.cpp - Expressions to terms -----------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/TermBuilder.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kplan::scan {

/// Deeper expressions are given up on, as are longer chains of variables.
static constexpr unsigned MaxDepth = 48;
static constexpr unsigned MaxSteps = 4000;
/// Larger terms are given up on. What is built of a variable holds a copy for
/// each of its uses, which multiplies from line to line.
static constexpr unsigned MaxNodes = 200;

TermBuilder::TermBuilder(ASTContext &Ctx, const SourcePlaces &Places,
                         KernelNames &Names, const LocalFacts &Locals,
                         const UnitModel &Model)
    : Ctx(Ctx), Places(Places), Names(Names), Locals(Locals), Model(Model),
      Mangler(Ctx.createMangleContext()) {}

TermBuilder::~TermBuilder() = default;

Want TermBuilder::wantFor(QualType Type) {
  return Type.getNonReferenceType()->isIntegralOrEnumerationType()
             ? Want::Number
             : Want::Kernel;
}

Term TermBuilder::unknown(const char *Why, const Expr *E) {
  return Term::unknown(Why,
                       E ? Places.text(E->getSourceRange()) : std::string());
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

FunctionId TermBuilder::idOf(const FunctionDecl *F) {
  F = canonical(F);
  FunctionId &Id = Ids[F];
  if (!Id.empty())
    return Id;
  llvm::raw_string_ostream OS(Id);
  if (!Mangler->shouldMangleDeclName(F)) {
    OS << F->getNameAsString();
  } else if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F)) {
    Mangler->mangleName(GlobalDecl(Constructor, Ctor_Complete), OS);
  } else if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(F)) {
    Mangler->mangleName(GlobalDecl(Destructor, Dtor_Complete), OS);
  } else {
    Mangler->mangleName(GlobalDecl(F), OS);
  }
  // The AST's order is that of the source, so the number is the same each time.
  if (!F->isExternallyVisible())
    OS << '#' << Ids.size() << '@';
  FunctionsById[Id] = F;
  return Id;
}

StorageId TermBuilder::storageId(const ValueDecl *D, Want W) {
  std::string &Name = StorageNames[D];
  if (Name.empty()) {
    llvm::raw_string_ostream OS(Name);
    bool Visible = D->isExternallyVisible();
    if (const auto *Field = dyn_cast<FieldDecl>(D)) {
      const RecordDecl *Record = Field->getParent();
      Visible = Record->isExternallyVisible() && Record->getIdentifier();
      OS << QualType(Ctx.getCanonicalTagType(Record)).getAsString()
         << "::" << Field->getName();
    } else if (const auto *V = dyn_cast<VarDecl>(D);
               V && Mangler->shouldMangleDeclName(V)) {
      Mangler->mangleName(GlobalDecl(V), OS);
    } else {
      OS << D->getName();
    }
    if (!Visible)
      OS << '#' << StorageNames.size() << '@';
  }
  return W == Want::Number ? "number " + Name : Name;
}

Term TermBuilder::functionTerm(const FunctionDecl *F) {
  F = canonical(F);
  if (!F->hasAttr<CUDAGlobalAttr>())
    return Term::function(idOf(F));
  auto [It, New] = KernelNumbers.try_emplace(F, Kernels.size());
  if (New)
    Kernels.push_back(F);
  return Term::kernel(It->second);
}

Term TermBuilder::storage(const ValueDecl *D, Want W) {
  D = cast<ValueDecl>(D->getCanonicalDecl());
  StorageId Id = storageId(D, W);
  StoragesById[Id] = {D, W};
  return Term::storage(std::move(Id));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// What the compiler itself knows.
std::optional<Term> TermBuilder::constant(const Expr *E, Want W) {
  if (E->isValueDependent() || E->isTypeDependent() || E->containsErrors())
    return unknown("the source has an error", E);
  const QualType Type = E->getType();
  Expr::EvalResult Result;
  if (W == Want::Number) {
    if (!Type->isIntegralOrEnumerationType())
      return std::nullopt;
    if (E->EvaluateAsInt(Result, Ctx, Expr::SE_NoSideEffects)) {
      const llvm::APSInt &Value = Result.Val.getInt();
      if (Value.isRepresentableByInt64())
        return Term::integer(Value.getExtValue());
      return unknown("the number is out of range", E);
    }
    return std::nullopt;
  }
  if (!Type->isPointerType() && !Type->isFunctionType() &&
      !Type->isNullPtrType())
    return std::nullopt;
  if (E->isNullPointerConstant(Ctx, Expr::NPC_NeverValueDependent) !=
      Expr::NPCK_NotNull)
    return Term::any({}); // Not a value yet: set later, or a default.
  if (!E->EvaluateAsRValue(Result, Ctx) || Result.HasSideEffects ||
      !Result.Val.isLValue())
    return std::nullopt;
  const auto Base = Result.Val.getLValueBase();
  if (Result.Val.isNullPointer())
    return Term::any({});
  if (const auto *D = Base.dyn_cast<const ValueDecl *>())
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      return functionTerm(F);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Term TermBuilder::term(const Expr *E, Want W) {
  if (!E)
    return Term::unknown("the operand is missing");
  const std::pair<const Expr *, int> Key{E, static_cast<int>(W)};
  if (auto It = Cache.find(Key); It != Cache.end())
    return It->second;
  if (Depth == 0)
    Steps = 0;
  if (Depth >= MaxDepth || ++Steps > MaxSteps)
    return unknown("the expression is too deep", E);
  llvm::SaveAndRestore Deeper(Depth, Depth + 1);
  auto Known = constant(E, W);
  Term T = Known ? std::move(*Known) : build(E, W);
  if (T.hasMoreNodesThan(MaxNodes))
    T = unknown("the expression is too large", E);
  // A value found half way round a loop is not the whole value.
  if (Active.empty())
    Cache[Key] = T;
  return T;
}

Term TermBuilder::condition(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const bool IsNumber = E->getType()->isIntegralOrEnumerationType();
  return IsNumber ? term(E, Want::Number)
                  : unknown("the condition is not a number", E);
}

Term TermBuilder::elements(const InitListExpr *List, Want W) {
  std::vector<Term> Found;
  for (const Expr *Element : List->inits()) {
    const QualType Type = Element->getType();
    const bool IsNumber = Type->isIntegralOrEnumerationType();
    if (IsNumber == (W == Want::Number) || Type->isRecordType() ||
        Type->isArrayType())
      Found.push_back(term(Element, W));
  }
  return Term::any(std::move(Found));
}

Term TermBuilder::operatorTerm(const Expr *E, Want W) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    switch (Unary->getOpcode()) {
    case UO_AddrOf:
    case UO_Deref:
    case UO_Plus:
    case UO_Extension:
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec:
      return term(Unary->getSubExpr(), W);
    case UO_Minus:
      return Term::operation("-", {term(Unary->getSubExpr(), W)});
    case UO_Not:
      return Term::operation("~", {term(Unary->getSubExpr(), W)});
    case UO_LNot:
      return Term::operation("!", {condition(Unary->getSubExpr())});
    default:
      return unknown("the operator is not followed", E);
    }
  }
  const auto *Binary = cast<BinaryOperator>(E);
  const Expr *L = Binary->getLHS(), *R = Binary->getRHS();
  if (Binary->getOpcode() == BO_Comma)
    return term(R, W);
  if (Binary->isAssignmentOp())
    return Binary->isCompoundAssignmentOp() ? unknown("it changes", E)
                                            : term(R, W);
  if (W == Want::Kernel)
    // Pointer arithmetic stays in the table.
    return term(L->getType()->isPointerType() ? L : R, W);
  if (Binary->isLogicalOp())
    return Term::operation(Binary->getOpcodeStr().str(),
                           {condition(L), condition(R)});
  const bool Numbers = L->getType()->isIntegralOrEnumerationType() &&
                       R->getType()->isIntegralOrEnumerationType();
  if (!Numbers)
    return unknown("it is computed at run time", E);
  return Term::operation(Binary->getOpcodeStr().str(),
                         {term(L, W), term(R, W)});
}

Term TermBuilder::build(const Expr *E, Want W) {
  if (const Expr *Bare = E->IgnoreParens(); Bare != E)
    return term(Bare, W);
  if (const auto *Cast = dyn_cast<clang::CastExpr>(E)) {
    // A number that is made of something else is not followed.
    switch (Cast->getCastKind()) {
    case CK_FloatingToIntegral:
    case CK_FloatingToBoolean:
    case CK_PointerToIntegral:
    case CK_PointerToBoolean:
    case CK_MemberPointerToBoolean:
      return unknown("it is converted from another type", E);
    default:
      break;
    }
    return term(Cast->getSubExpr(), W);
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return term(Full->getSubExpr(), W);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return term(Temporary->getSubExpr(), W);
  if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return term(Bind->getSubExpr(), W);
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return term(Subst->getReplacement(), W);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return term(Default->getExpr(), W);
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return term(Default->getExpr(), W);
  if (const auto *Std = dyn_cast<CXXStdInitializerListExpr>(E))
    return term(Std->getSubExpr(), W);
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E);
      Opaque && Opaque->getSourceExpr())
    return term(Opaque->getSourceExpr(), W);
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return elements(List, W);
  if (const auto *Text = dyn_cast<StringLiteral>(E))
    return W == Want::Kernel && Text->isOrdinary()
               ? Term::text(Text->getString().str())
               : unknown("it is a string", E);
  if (isa<UnaryOperator, BinaryOperator>(E))
    return operatorTerm(E, W);
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E)) {
    const Term Cond = condition(Conditional->getCond());
    Term Then = term(Conditional->getTrueExpr(), W);
    Term Else = term(Conditional->getFalseExpr(), W);
    if (W == Want::Number)
      return Term::operation("?:", {Cond, std::move(Then), std::move(Else)});
    if (Cond.K == Term::Kind::Integer)
      return Cond.Number ? Then : Else;
    return Term::any({std::move(Then), std::move(Else)});
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return reference(Ref, W);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return member(Member, W);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    if (const auto Target = LocalFacts::target(E);
        Target && !Target->Path.Fields.empty())
      return path(Target->Path, nullptr, W, E);
    return term(Subscript->getBase(), W);
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    const auto Bodies = lambdaBodies(Lambda);
    return Bodies.size() == 1 ? functionTerm(Bodies.front())
                              : unknown("it is a lambda", E);
  }
  if (isa<CallExpr, CXXConstructExpr>(E))
    return call(E, W);
  return unknown(W == Want::Kernel ? "the kernel is computed at run time"
                                   : "it is computed at run time",
                 E);
}

} // namespace kplan::scan
