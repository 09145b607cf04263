//===- LocalFacts.cpp - Which assignments reach a use of a variable -------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/LocalFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace kplan::scan {

bool Region::contains(const Region *Other) const {
  for (; Other; Other = Other->Parent)
    if (Other == this)
      return true;
  return false;
}

std::optional<bool> constantCondition(const Expr *Cond, ASTContext &Ctx) {
  if (!Cond || Cond->isValueDependent() || Cond->containsErrors())
    return std::nullopt;
  bool Value = false;
  if (Cond->EvaluateAsBooleanCondition(Value, Ctx))
    return Value;
  return std::nullopt;
}

llvm::SmallVector<const FunctionDecl *, 2>
lambdaBodies(const LambdaExpr *Lambda) {
  llvm::SmallVector<const FunctionDecl *, 2> Bodies;
  const CXXMethodDecl *Operator = Lambda->getCallOperator();
  if (const FunctionTemplateDecl *Generic =
          Operator->getDescribedFunctionTemplate()) {
    for (const FunctionDecl *F : Generic->specializations())
      if (F->hasBody() && !F->isDependentContext())
        Bodies.push_back(F);
  } else if (Operator->hasBody() && !Operator->isDependentContext()) {
    Bodies.push_back(Operator);
  }
  return Bodies;
}

std::optional<LocalFacts::Target> LocalFacts::target(const Expr *E) {
  Target T;
  while (E) {
    E = E->IgnoreParenCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (!Field) {
        if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl())) {
          T.Path.Base = Static;
          break;
        }
        return std::nullopt;
      }
      T.Path.Fields.push_back(Field);
      T.Dereferenced |= Member->isArrow();
      E = Member->getBase();
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      T.Indexed = true;
      E = Subscript->getBase();
    } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
               Call && Call->getOperator() == OO_Subscript) {
      T.Indexed = true;
      E = Call->getArg(0);
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E);
               Unary && (Unary->getOpcode() == UO_Deref ||
                         Unary->getOpcode() == UO_AddrOf)) {
      T.Dereferenced |= Unary->getOpcode() == UO_Deref;
      E = Unary->getSubExpr();
    } else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = Temporary->getSubExpr();
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      T.Path.Base = dyn_cast<VarDecl>(Ref->getDecl());
      break;
    } else {
      return std::nullopt;
    }
  }
  if (!T.Path.Base)
    return std::nullopt;
  std::reverse(T.Path.Fields.begin(), T.Path.Fields.end());
  return T;
}

/// Walks a body and writes down assignments and uses.
class LocalCollector {
public:
  LocalCollector(LocalFacts &Facts) : Facts(Facts) {}
  void visit(const Stmt *S, const Region *In);

private:
  LocalFacts &Facts;

  const Region *open(const Region *Parent, bool Repeats,
                     bool Deferred = false) {
    Facts.Regions.push_back({Parent, Repeats, Deferred});
    return &Facts.Regions.back();
  }
  void visitChildren(const Stmt *S, const Region *In) {
    for (const Stmt *Child : S->children())
      visit(Child, In);
  }
  void assign(const Expr *To, Assignment A);
  void initialise(const AccessPath &Path, const Expr *Init, const Region *In);
  void storeFields(const InitListExpr *List, const Region *In);
  void declare(const VarDecl *V, const Region *In);
  void visitCall(const Expr *Call, llvm::ArrayRef<const Expr *> Arguments,
                 const FunctionDecl *Callee, unsigned Skip, const Region *In);
  void change(const CXXMemberCallExpr *Call, const Region *In);
  bool visitBranch(const Stmt *S, const Region *In);
};

void LocalCollector::assign(const Expr *To, Assignment A) {
  A.Order = ++Facts.Order;
  // What a member chain ends in, for stores that are not to a local.
  const Expr *Bare = To->IgnoreParenCasts();
  while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Bare))
    Bare = Subscript->getBase()->IgnoreParenCasts();
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(Bare);
      Call && Call->getOperator() == OO_Subscript)
    Bare = Call->getArg(0)->IgnoreParenCasts();
  const auto *Member = dyn_cast<MemberExpr>(Bare);
  const auto *Field =
      Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  const auto Target = LocalFacts::target(To);
  if (Field && Facts.OnStore)
    Facts.OnStore(Field->getCanonicalDecl(), A);
  if (!Target)
    return;
  const VarDecl *Base = Target->Path.Base;
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Base)) {
    const bool IsReference = Parameter->getType()->isReferenceType();
    if (Target->Path.Fields.empty() &&
        (Target->Dereferenced || IsReference || Target->Indexed)) {
      Facts.Written[Parameter].push_back(A);
      if (!IsReference)
        return;
    }
  }
  if (!Base->isLocalVarDeclOrParm() || Base->isStaticLocal()) {
    if (!Field && Facts.OnStore)
      Facts.OnStore(Base->getCanonicalDecl(), A);
    return;
  }
  if (Target->Dereferenced && Target->Path.Fields.empty())
    return; // Through a local pointer; what it points to is not followed.
  if (Target->Indexed && A.How == Assignment::Source::Value)
    A.How = Assignment::Source::Indexed;
  Facts.Assignments[Target->Path].push_back(A);
}

/// The fields that an initialiser list of a struct gives values to.
template <typename F>
static void eachFieldInit(const InitListExpr *List, F Do) {
  const auto *Record = List->getType()->getAsRecordDecl();
  if (!Record)
    return;
  if (Record->isUnion()) {
    const FieldDecl *Field = List->getInitializedFieldInUnion();
    if (Field && List->getNumInits() == 1)
      Do(Field, List->getInit(0));
    return;
  }
  unsigned Index = 0;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    Index = Class->getNumBases();
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index >= List->getNumInits())
      return;
    const Expr *Value = List->getInit(Index++);
    if (!isa<ImplicitValueInitExpr>(Value))
      Do(Field, Value);
  }
}

void LocalCollector::storeFields(const InitListExpr *List, const Region *In) {
  if (!Facts.OnStore)
    return;
  eachFieldInit(List, [&](const FieldDecl *Field, const Expr *Value) {
    Facts.OnStore(Field->getCanonicalDecl(),
                  {Assignment::Source::Value, Value, 0, ++Facts.Order, In});
  });
}

/// An initialiser gives values to the fields that it names as well.
void LocalCollector::initialise(const AccessPath &Path, const Expr *Init,
                                const Region *In) {
  Facts.Assignments[Path].push_back(
      {Assignment::Source::Value, Init, 0, ++Facts.Order, In});
  const auto *List = dyn_cast<InitListExpr>(Init->IgnoreParenImpCasts());
  if (!List)
    return;
  if (List->getType()->isArrayType())
    for (const Expr *Element : List->inits())
      if (isa<InitListExpr>(Element->IgnoreParenImpCasts()))
        initialise(Path, Element, In);
  eachFieldInit(List, [&](const FieldDecl *Field, const Expr *Value) {
    AccessPath Below = Path;
    Below.Fields.push_back(Field);
    initialise(Below, Value, In);
  });
}

void LocalCollector::declare(const VarDecl *V, const Region *In) {
  if (const Expr *Init = V->getInit()) {
    visit(Init, In);
    if (V->isStaticLocal()) {
      if (Facts.OnStore)
        Facts.OnStore(V->getCanonicalDecl(),
                      {Assignment::Source::Value, Init, 0, ++Facts.Order, In});
    } else {
      initialise({V, {}}, Init, In);
    }
  }
  if (const auto *Parts = dyn_cast<DecompositionDecl>(V))
    for (const BindingDecl *B : Parts->bindings())
      if (const VarDecl *Holder = B->getHoldingVar())
        declare(Holder, In);
}

void LocalCollector::visitCall(const Expr *Call,
                               llvm::ArrayRef<const Expr *> Arguments,
                               const FunctionDecl *Callee, unsigned Skip,
                               const Region *In) {
  for (unsigned I = 0; I < Arguments.size(); ++I)
    if (Arguments[I])
      visit(Arguments[I], In);
  for (unsigned I = Skip; I < Arguments.size(); ++I) {
    if (!Arguments[I])
      continue;
    const Expr *Argument = Arguments[I]->IgnoreParenCasts();
    const Expr *To = nullptr;
    QualType Type;
    if (Callee && I - Skip < Callee->getNumParams())
      Type = Callee->getParamDecl(I - Skip)->getType();
    if (const auto *Address = dyn_cast<UnaryOperator>(Argument);
        Address && Address->getOpcode() == UO_AddrOf) {
      if (!Address->getSubExpr()->getType().isConstQualified() &&
          (Type.isNull() || !Type->isPointerType() ||
           !Type->getPointeeType().isConstQualified()))
        To = Address->getSubExpr();
    } else if (!Type.isNull() && Type->isLValueReferenceType() &&
               !Type->getPointeeType().isConstQualified()) {
      To = Argument;
    } else if (!Type.isNull() && Type->isPointerType() &&
               Type->getPointeeType()->isAnyCharacterType() &&
               !Type->getPointeeType().isConstQualified()) {
      To = Argument; // A buffer of text.
    } else if (!Type.isNull() && Type->isPointerType() &&
               !Type->getPointeeType().isConstQualified() &&
               !Type->getPointeeType()->isFunctionType()) {
      // An out parameter that is handed on.
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Argument))
        if (const auto *P = dyn_cast<ParmVarDecl>(Ref->getDecl());
            P && P->getType()->isPointerType())
          Facts.Written[P].push_back({Assignment::Source::Argument, Call,
                                      I - Skip, ++Facts.Order, In});
    }
    // Functions and variables that are known to the compiler as constant are
    // not written.
    if (To && !To->getType()->isFunctionType())
      assign(To, {Assignment::Source::Argument, Call, I - Skip, 0, In});
  }
}

/// What a container's method puts into it is one of its elements; what one of a
/// string does to it is not followed.
void LocalCollector::change(const CXXMemberCallExpr *Call, const Region *In) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (!Method || Method->isConst() || !Method->getIdentifier() ||
      !Method->getParent()->isInStdNamespace())
    return;
  const bool Adds =
      llvm::StringSwitch<bool>(Method->getName())
          .Cases({"push_back", "emplace_back", "push_front", "push"}, true)
          .Cases({"insert", "emplace", "try_emplace", "insert_or_assign"}, true)
          .Cases({"assign", "fill", "append", "store", "reset"}, true)
          .Default(false);
  if (!Adds)
    return;
  const Expr *Object = Call->getImplicitObjectArgument();
  if (Method->getParent()->getName() == "basic_string") {
    assign(Object, {Assignment::Source::Compound, Call, 0, 0, In});
    return;
  }
  for (const Expr *Argument : Call->arguments())
    assign(Object, {Assignment::Source::Indexed, Argument, 0, 0, In});
}

/// Statements whose parts run conditionally.
bool LocalCollector::visitBranch(const Stmt *S, const Region *In) {
  ASTContext &Ctx = Facts.Ctx;
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (If->getInit())
      visit(If->getInit(), In);
    if (If->getConditionVariableDeclStmt())
      visit(If->getConditionVariableDeclStmt(), In);
    if (!If->isConsteval() && If->getCond())
      visit(If->getCond(), In);
    const auto Known = If->isConsteval()
                           ? std::optional<bool>(If->isNegatedConsteval())
                           : constantCondition(If->getCond(), Ctx);
    auto Branch = [&](const Stmt *B, bool When) {
      if (B && Known != std::optional(!When))
        visit(B, Known ? In : open(In, false));
    };
    Branch(If->getThen(), true);
    Branch(If->getElse(), false);
    return true;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    if (For->getInit())
      visit(For->getInit(), In);
    const Region *Loop = open(In, true);
    for (const Stmt *Part :
         {static_cast<const Stmt *>(For->getCond()), For->getBody(),
          static_cast<const Stmt *>(For->getInc())})
      if (Part)
        visit(Part, Loop);
    return true;
  }
  if (const auto *For = dyn_cast<CXXForRangeStmt>(S)) {
    for (const Stmt *Part :
         {For->getInit(), static_cast<const Stmt *>(For->getRangeStmt()),
          static_cast<const Stmt *>(For->getBeginStmt()),
          static_cast<const Stmt *>(For->getEndStmt())})
      if (Part)
        visit(Part, In);
    const Region *Loop = open(In, true);
    for (const Stmt *Part :
         {static_cast<const Stmt *>(For->getLoopVarStmt()), For->getBody()})
      if (Part)
        visit(Part, Loop);
    return true;
  }
  if (isa<WhileStmt>(S)) {
    visitChildren(S, open(In, true));
    return true;
  }
  if (isa<DoStmt>(S)) {
    // Runs once at least: `do { ... } while (0)` is a block.
    const auto *Do = cast<DoStmt>(S);
    const auto Known = constantCondition(Do->getCond(), Ctx);
    visitChildren(S, Known == std::optional(false) ? In : open(In, true));
    return true;
  }
  if (isa<SwitchCase>(S)) {
    visitChildren(S, open(In, false));
    return true;
  }
  if (isa<CXXCatchStmt>(S)) {
    visitChildren(S, open(In, false));
    return true;
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    for (const Stmt *Part :
         {Switch->getInit(),
          static_cast<const Stmt *>(Switch->getConditionVariableDeclStmt()),
          static_cast<const Stmt *>(Switch->getCond())})
      if (Part)
        visit(Part, In);
    // A block for each case: what follows a label belongs to it, too.
    const Region *Case = open(In, false);
    const auto *Block = dyn_cast<CompoundStmt>(Switch->getBody());
    if (!Block) {
      visit(Switch->getBody(), Case);
      return true;
    }
    for (const Stmt *Part : Block->body()) {
      if (isa<SwitchCase>(Part))
        Case = open(In, false);
      const Stmt *Inner = Part;
      while (const auto *Label = dyn_cast<SwitchCase>(Inner))
        Inner = Label->getSubStmt();
      visit(Inner, Case);
    }
    return true;
  }
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(S)) {
    visit(Conditional->getCond(), In);
    visit(Conditional->getTrueExpr(), open(In, false));
    visit(Conditional->getFalseExpr(), open(In, false));
    return true;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(S);
      Logical && Logical->isLogicalOp()) {
    visit(Logical->getLHS(), In);
    visit(Logical->getRHS(), open(In, false));
    return true;
  }
  return false;
}

void LocalCollector::visit(const Stmt *S, const Region *In) {
  if (!S || visitBranch(S, In))
    return;
  using Source = Assignment::Source;
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        declare(V, In);
    return;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    if (isa<VarDecl>(Ref->getDecl()))
      Facts.Uses.try_emplace(Ref, LocalFacts::UseInfo{++Facts.Order, In});
    return;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(S);
      Binary && Binary->isAssignmentOp()) {
    visit(Binary->getLHS(), In);
    visit(Binary->getRHS(), In);
    if (Binary->isCompoundAssignmentOp())
      assign(Binary->getLHS(), {Source::Compound, Binary, 0, 0, In});
    else
      assign(Binary->getLHS(), {Source::Value, Binary->getRHS(), 0, 0, In});
    return;
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(S);
      Unary && Unary->isIncrementDecrementOp()) {
    visit(Unary->getSubExpr(), In);
    // A pointer that moves still points into the same array.
    if (!Unary->getType()->isPointerType())
      assign(Unary->getSubExpr(), {Source::Compound, Unary, 0, 0, In});
    return;
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S)) {
    if (Operator->getOperator() == OO_Equal && Operator->getNumArgs() == 2) {
      visit(Operator->getArg(0), In);
      visit(Operator->getArg(1), In);
      assign(Operator->getArg(0),
             {Source::Value, Operator->getArg(1), 0, 0, In});
      return;
    }
    if (Operator->isAssignmentOp())
      assign(Operator->getArg(0), {Source::Compound, Operator, 0, 0, In});
    const FunctionDecl *Callee = Operator->getDirectCallee();
    const bool IsMethod = isa_and_nonnull<CXXMethodDecl>(Callee);
    visitCall(Operator, {Operator->getArgs(), Operator->getNumArgs()}, Callee,
              IsMethod ? 1 : 0, In);
    return;
  }
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    visit(Call->getCallee(), In);
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call))
      visit(Launch->getConfig(), In);
    visitCall(Call, {Call->getArgs(), Call->getNumArgs()},
              Call->getDirectCallee(), 0, In);
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
      change(Member, In);
    return;
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
    visitCall(Construct, {Construct->getArgs(), Construct->getNumArgs()},
              Construct->getConstructor(), 0, In);
    return;
  }
  if (const auto *List = dyn_cast<InitListExpr>(S)) {
    visitChildren(List, In);
    storeFields(List, In);
    return;
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    auto Capture = Lambda->capture_begin();
    for (const Expr *Init : Lambda->capture_inits()) {
      if (Init)
        visit(Init, In);
      if (Capture->capturesVariable())
        if (const auto *V = dyn_cast<VarDecl>(Capture->getCapturedVar());
            V && V->isInitCapture() && V->getInit())
          initialise({V, {}}, V->getInit(), In);
      ++Capture;
    }
    for (const FunctionDecl *Body : lambdaBodies(Lambda))
      visit(Body->getBody(), open(In, false, true));
    return;
  }
  visitChildren(S, In);
}

void LocalFacts::collect(const Stmt *Body) {
  Regions.push_back({nullptr, false, false});
  LocalCollector(*this).visit(Body, &Regions.back());
}

llvm::ArrayRef<Assignment> LocalFacts::all(const AccessPath &Path) const {
  auto It = Assignments.find(Path);
  if (It == Assignments.end())
    return {};
  return It->second;
}

llvm::ArrayRef<Assignment>
LocalFacts::writtenThrough(const ParmVarDecl *Parameter) const {
  auto It = Written.find(Parameter);
  if (It == Written.end())
    return {};
  return It->second;
}

void LocalFacts::eachField(
    const VarDecl *Base,
    llvm::function_ref<void(const AccessPath &, llvm::ArrayRef<Assignment>)> Do)
    const {
  for (auto It = Assignments.lower_bound({Base, {}});
       It != Assignments.end() && It->first.Base == Base; ++It)
    if (!It->first.Fields.empty())
      Do(It->first, It->second);
}

LocalFacts::Reaching LocalFacts::reaching(const AccessPath &Path,
                                          const DeclRefExpr *Use) const {
  const llvm::ArrayRef<Assignment> All = all(Path);
  auto It = Uses.find(Use);
  if (It == Uses.end())
    return {All.vec(), true};
  const auto [At, In] = It->second;

  const Assignment *Last = nullptr; // The latest that always comes before.
  for (const Assignment &A : All)
    if (A.Order < At && A.In->contains(In) &&
        A.How != Assignment::Source::Indexed)
      Last = &A;
  Reaching Found;
  Found.Start = !Last;
  std::vector<Assignment> &Result = Found.From;
  for (const Assignment &A : All) {
    if (A.Order < At) {
      if (!Last || A.Order >= Last->Order)
        Result.push_back(A);
      continue;
    }
    for (const Region *R = In; R; R = R->Parent) {
      const bool ComesRound = R->Repeats && R->contains(A.In);
      const bool RunsLater = R->Deferred && !R->contains(A.In);
      // Not if the block itself assigns before the use.
      if ((ComesRound || RunsLater) && !(Last && R->contains(Last->In))) {
        Result.push_back(A);
        break;
      }
    }
  }
  return Found;
}

} // namespace kplan::scan
