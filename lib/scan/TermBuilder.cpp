//===- TermBuilder.cpp - Expressions to terms -----------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/TermBuilder.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace kplan::scan {

/// Deeper expressions are given up on, as are longer chains of variables.
static constexpr unsigned MaxDepth = 48;
static constexpr unsigned MaxSteps = 4000;

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

//===----------------------------------------------------------------------===//
// Variables and fields
//===----------------------------------------------------------------------===//

Term TermBuilder::assigned(const Assignment &A, Want W) {
  using Source = Assignment::Source;
  switch (A.How) {
  case Source::Value:
  case Source::Indexed:
    return term(A.From, W);
  case Source::Compound: {
    if (const auto *Unary = dyn_cast<UnaryOperator>(A.From))
      return Term::operation(Unary->isIncrementOp() ? "+" : "-",
                             {term(Unary->getSubExpr(), W), Term::integer(1)});
    const auto *Binary = dyn_cast<BinaryOperator>(A.From);
    if (!Binary)
      return unknown(W == Want::Kernel ? "kernel name is built at run time"
                                       : "it is computed at run time",
                     A.From);
    if (W == Want::Kernel)
      return term(Binary->getLHS(), W);
    return Term::operation(
        BinaryOperator::getOpcodeStr(
            BinaryOperator::getOpForCompoundAssignment(Binary->getOpcode()))
            .str(),
        {term(Binary->getLHS(), W), term(Binary->getRHS(), W)});
  }
  case Source::Argument:
    break;
  }
  const CallParts Parts = partsOf(A.From);
  if (const auto *Call = dyn_cast<CallExpr>(A.From);
      Call && Parts.Callee && Parts.Callee->getIdentifier())
    if (const ApiFunction *Api = findApiResult(Parts.Callee->getName()))
      return apiResult(*Api, Call, W);
  // A store by the standard library is one of its arguments.
  if (Parts.Callee && Places.isSkipped(Parts.Callee->getLocation()))
    return unknown("it is written by a library function", A.From);
  if (!Parts.Callee)
    return unknown("it is written through a pointer to a function", A.From);
  return Term::out(idOf(Parts.Callee), A.Index, arguments(Parts));
}

/// A variable that keeps the value of its initialiser.
static bool isConstant(const VarDecl *V) {
  const QualType Type = V->getType();
  return V->isConstexpr() || Type.isConstQualified() ||
         V->getASTContext().getBaseElementType(Type).isConstQualified();
}

Term TermBuilder::path(const AccessPath &Path, const DeclRefExpr *Use, Want W,
                       const Expr *E) {
  const LocalFacts::Reaching Reaching = Locals.reaching(Path, Use);
  std::vector<Term> Found;
  for (const Assignment &A : Reaching.From) {
    // The assignment itself is the key: its value may read the variable.
    const void *Key = A.From;
    if (!Active.insert(Key).second) {
      if (W == Want::Number)
        Found.push_back(unknown("it changes in a loop", E));
      continue;
    }
    auto Done = llvm::scope_exit([&] { Active.erase(Key); });
    Found.push_back(assigned(A, W));
  }
  if (Reaching.Start && Path.Fields.empty())
    if (const auto *P = dyn_cast<ParmVarDecl>(Path.Base)) {
      const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
      if (!F)
        return unknown("the parameter's function is not known", E);
      Found.push_back(Term::parameter(idOf(F), P->getFunctionScopeIndex()));
    }
  if (!Found.empty())
    return Term::any(std::move(Found));
  if (!Path.Fields.empty())
    return field(Path, Use, W, E);
  return Term::any({}); // Declared, and nothing has been assigned yet.
}

/// A field of a local that is assigned only as a whole, or refers to something:
/// the same field there.
Term TermBuilder::field(const AccessPath &Path, const DeclRefExpr *Use, Want W,
                        const Expr *E) {
  for (const FieldDecl *Field : Path.Fields)
    if (Field->getParent()->isUnion())
      return unknown("it is in a union", E);
  std::vector<Term> Found;
  bool All = true;
  for (const Assignment &A : Locals.reaching({Path.Base, {}}, Use).From) {
    const bool IsValue = A.How == Assignment::Source::Value;
    const Expr *From = IsValue ? A.From->IgnoreImplicit() : nullptr;
    if (const auto *Copy = dyn_cast_or_null<CXXConstructExpr>(From);
        Copy && Copy->getNumArgs() == 1)
      From = Copy->getArg(0);
    const auto Target = From ? LocalFacts::target(From) : std::nullopt;
    if (!Target || !Active.insert(A.From).second) {
      All = false;
      continue;
    }
    auto Done = llvm::scope_exit([&] { Active.erase(A.From); });
    AccessPath There = Target->Path;
    There.Fields.append(Path.Fields.begin(), Path.Fields.end());
    const VarDecl *Base = There.Base;
    const Expr *Init = Base->getAnyInitializer();
    if (Base->isLocalVarDecl() && !Base->isStaticLocal())
      Found.push_back(path(There, nullptr, W, E));
    else if (Base->hasGlobalStorage() && Init && isConstant(Base))
      Found.push_back(constantField(Init, Path.Fields.back(), W));
    else
      All = false;
  }
  if (All && !Found.empty())
    return Term::any(std::move(Found));
  return storage(Path.Fields.back(), W);
}

/// What the elements of a constant table say of a field.
Term TermBuilder::constantField(const Expr *Init, const FieldDecl *Field,
                                Want W) {
  std::vector<const InitListExpr *> Work;
  std::vector<Term> Found;
  auto Add = [&](const Expr *E) {
    if (const auto *List = dyn_cast<InitListExpr>(E->IgnoreImplicit()))
      Work.push_back(List);
  };
  Add(Init);
  while (!Work.empty()) {
    const InitListExpr *List = Work.back();
    Work.pop_back();
    const RecordDecl *Record = List->getType()->getAsRecordDecl();
    for (unsigned I = 0; I < List->getNumInits(); ++I) {
      if (Record == Field->getParent() && I == Field->getFieldIndex())
        Found.push_back(term(List->getInit(I), W));
      else
        Add(List->getInit(I));
    }
  }
  return Found.empty() ? storage(Field, W) : Term::any(std::move(Found));
}

Term TermBuilder::variable(const VarDecl *V, Want W, const Expr *E) {
  const VarDecl *Definition = V->getDefinition(Ctx);
  const VarDecl *D = Definition ? Definition : V;
  // Constants are what they are initialised with, in every TU.
  if (isConstant(D))
    if (const Expr *Init = D->getAnyInitializer()) {
      const void *Key = D;
      if (!Active.insert(Key).second)
        return unknown("it is defined by itself", E);
      auto Done = llvm::scope_exit([&] { Active.erase(Key); });
      return term(Init, W);
    }
  return storage(V, W);
}

Term TermBuilder::reference(const DeclRefExpr *Ref, Want W) {
  const ValueDecl *D = Ref->getDecl();
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return W == Want::Kernel ? functionTerm(F)
                             : unknown("it is a function", Ref);
  if (const auto *B = dyn_cast<BindingDecl>(D)) {
    if (const VarDecl *Holder = B->getHoldingVar())
      return path({Holder, {}}, nullptr, W, Ref);
    return B->getBinding() ? term(B->getBinding(), W)
                           : unknown("the binding is not known", Ref);
  }
  if (isa<TemplateParamObjectDecl>(D))
    return unknown("it is an object in a template argument", Ref);
  const auto *V = dyn_cast<VarDecl>(D);
  if (!V)
    return unknown("it is not a variable", Ref);
  if (!V->isLocalVarDeclOrParm() || V->isStaticLocal())
    return variable(V, W, Ref);
  // A reference is what it was bound to.
  return path({V, {}}, Ref, W, Ref);
}

/// Whether a class belongs to the standard library: what its objects hold is
/// not told apart by member.
static bool isStandard(const Decl *D) {
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (C->isStdNamespace())
      return true;
  return false;
}

Term TermBuilder::member(const MemberExpr *Member, Want W) {
  const ValueDecl *D = Member->getMemberDecl();
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return functionTerm(F);
  if (const auto *V = dyn_cast<VarDecl>(D))
    return variable(V, W, Member);
  const auto *Field = dyn_cast<FieldDecl>(D);
  if (!Field)
    return unknown("the member is not known", Member);
  if (isStandard(Field->getParent()))
    return term(Member->getBase(), W);
  // cudaDeviceProp::sharedMemPerBlockOptin and its like.
  if (W == Want::Number && Field->getName().starts_with("sharedMemPer"))
    return Term::max();
  const auto Target = LocalFacts::target(Member);
  const auto *Base =
      Target && !Target->Dereferenced ? Target->Path.Base : nullptr;
  if (Base && Base->isLocalVarDecl() && !Base->isStaticLocal()) {
    const Expr *Root = Member;
    while (const auto *M = dyn_cast<MemberExpr>(Root->IgnoreParenCasts()))
      Root = M->getBase();
    const auto *Use = dyn_cast<DeclRefExpr>(Root->IgnoreParenCasts());
    return path(Target->Path, Use, W, Member);
  }
  if (Base && Base->hasGlobalStorage() && isConstant(Base))
    if (const Expr *Init = Base->getAnyInitializer())
      return constantField(Init, Field, W);
  return storage(Field, W);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::vector<Term> TermBuilder::arguments(const CallParts &Parts) {
  std::vector<Term> Terms;
  for (const Expr *Argument : Parts.Arguments)
    Terms.push_back(term(Argument, wantFor(Argument->getType())));
  return Terms;
}

/// What an API function stores through its pointer, or returns.
Term TermBuilder::apiResult(const ApiFunction &Api, const CallExpr *Call,
                            Want W) {
  auto Argument = [&](int Index) -> const Expr * {
    return Index >= 0 && static_cast<unsigned>(Index) < Call->getNumArgs()
               ? Call->getArg(Index)
               : nullptr;
  };
  switch (Api.Action) {
  case ApiAction::Handle:
    return term(Argument(Api.Kernel), Want::Kernel);
  case ApiAction::Named:
    return Term::named(term(Argument(Api.Text), Want::Kernel));
  case ApiAction::Loader: {
    const Term Name = term(Argument(Api.Text), Want::Kernel);
    if (Name.K == Term::Kind::Text)
      return Term::function(Name.Name);
    return unknown("the function's name is built at run time", Call);
  }
  case ApiAction::Limit: {
    if (Api.Attribute < 0)
      return Term::max();
    // An enumerator of either API that speaks of shared memory.
    const Expr *What = Argument(Api.Attribute);
    const auto *Ref =
        What ? dyn_cast<DeclRefExpr>(What->IgnoreParenCasts()) : nullptr;
    const auto *Name =
        Ref ? dyn_cast<EnumConstantDecl>(Ref->getDecl()) : nullptr;
    if (Name && (Name->getName().contains_insensitive("sharedmem") ||
                 Name->getName().contains_insensitive("shared_mem")))
      return Term::max();
    return unknown("it is a property of the device", Call);
  }
  case ApiAction::Global: {
    const Expr *Symbol = Argument(Api.Symbol);
    const auto Target = Symbol ? LocalFacts::target(Symbol) : std::nullopt;
    if (W == Want::Number && Target &&
        Target->Path.Base->getType().isConstQualified())
      if (const Expr *Init = Target->Path.Base->getAnyInitializer())
        return term(Init, W);
    return unknown("it is read from the device", Call);
  }
  default:
    return unknown("it is asked of the driver", Call);
  }
}

/// Functions that hand back what they were given, or a part of it.
static bool isPassThrough(const FunctionDecl *F) {
  switch (F->getOverloadedOperator()) {
  case OO_None:
    break;
  case OO_Subscript:
  case OO_Star:
  case OO_Arrow:
  case OO_Call:
  case OO_PlusPlus:
  case OO_MinusMinus:
    return true;
  default:
    return false;
  }
  if (!F->getIdentifier())
    return isa<CXXConversionDecl>(F);
  return llvm::StringSwitch<bool>(F->getName())
      .Cases({"forward", "move", "addressof", "as_const", "ref", "cref"}, true)
      .Cases({"get", "at", "front", "back", "data", "begin", "cbegin", "end"},
             true)
      .Cases({"find", "value", "value_or", "c_str", "make_pair", "make_tuple"},
             true)
      .Cases({"bit_cast", "to_address", "launder", "exchange", "tie"}, true)
      .Default(false);
}

Term TermBuilder::call(const Expr *E, Want W) {
  const CallParts Parts = partsOf(E);
  auto OfArguments = [&] {
    std::vector<Term> Found;
    for (const Expr *Argument : Parts.Arguments) {
      const QualType Type = Argument->getType().getNonReferenceType();
      const bool IsNumber = Type->isIntegralOrEnumerationType();
      if (IsNumber == (W == Want::Number) || Type->isRecordType())
        Found.push_back(term(Argument, W));
    }
    return Found;
  };
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    const bool Copies =
        Constructor->isCopyOrMoveConstructor() && Construct->getNumArgs() == 1;
    if (Copies || isStandard(Constructor->getParent()))
      return Term::any(OfArguments());
    return unknown("it is an object", E);
  }
  if (!Parts.Callee) {
    return Term::call(term(Parts.Through, Want::Kernel), arguments(Parts));
  }
  const FunctionDecl *F = Parts.Callee;
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && F->getIdentifier())
    if (const ApiFunction *Api = findApiResult(F->getName());
        Api && Api->Action == ApiAction::Loader && Api->Out < 0)
      return apiResult(*Api, Call, W);
  const unsigned Builtin = F->getBuiltinID();
  if (isStandard(F) || Builtin) {
    const llvm::StringRef Name = F->getIdentifier() ? F->getName() : "";
    if (W == Want::Number && (Name == "min" || Name == "max") &&
        Parts.Arguments.size() == 2)
      return Term::operation(Name.str(), {term(Parts.Arguments[0], W),
                                          term(Parts.Arguments[1], W)});
    if (isPassThrough(F)) {
      std::vector<Term> Found;
      if (Parts.Through)
        Found.push_back(term(Parts.Through, W));
      else
        Found = OfArguments();
      return Term::any(std::move(Found));
    }
    // `"gemm_" + name`.
    if (F->getOverloadedOperator() == OO_Plus)
      return unknown("kernel name is built at run time", E);
    return unknown("it is computed by a library function", E);
  }
  if (W == Want::Number && F->getIdentifier() &&
      (F->getName() == "min" || F->getName() == "max") &&
      Parts.Arguments.size() == 2 && F->getReturnType()->isIntegerType())
    return Term::operation(F->getName().str(), {term(Parts.Arguments[0], W),
                                                term(Parts.Arguments[1], W)});
  if (Places.isSkipped(F->getLocation()))
    return unknown(W == Want::Kernel ? "the kernel comes from a library"
                                     : "it is computed by a library function",
                   E);
  return Term::returned(idOf(F), arguments(Parts));
}

} // namespace kplan::scan
