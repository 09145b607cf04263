//===- HostWalker.cpp - Walk bodies of host functions ---------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/HostWalker.h"
#include "scan/OnceGuards.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Stack.h"

using namespace clang;

namespace kplan::scan {

const Guard *HostWalker::guard(const Guard *Outer, const Expr *Condition,
                               bool Negated) {
  Guard &G = Model.Guards.emplace_back();
  G.Outer = Outer;
  G.Condition = Condition;
  G.Negated = Negated;
  return &G;
}

const Guard *HostWalker::once(const Guard *Outer) {
  Guard &G = Model.Guards.emplace_back();
  G.Outer = Outer;
  G.Once = true;
  return &G;
}

void HostWalker::walkFunction(const FunctionDecl *F) {
  const Context At{canonical(F), nullptr};
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : Constructor->inits()) {
      if (!Init->isWritten() && !Init->isInClassMemberInitializer())
        continue;
      const Expr *Value = Init->getInit();
      if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(Value))
        Value = Default->getExpr();
      Locals.collect(Value);
      walk(Value, At);
      if (const FieldDecl *Field = Init->getAnyMember())
        Model.Stores[Field->getCanonicalDecl()].push_back(
            {Assignment::Source::Value, Value, 0, 0, nullptr});
    }
  Locals.collect(F->getBody());
  walk(F->getBody(), At);
}

void HostWalker::walkInitialiser(const VarDecl *V) {
  Locals.collect(V->getInit());
  Model.Stores[V->getCanonicalDecl()].push_back(
      {Assignment::Source::Value, V->getInit(), 0, 0, nullptr});
  walk(V->getInit(), {nullptr, once(nullptr)});
}

void HostWalker::reference(const FunctionDecl *F) {
  if (OnReference)
    OnReference(F);
}

void HostWalker::walkChildren(const Stmt *S, Context At) {
  for (const Stmt *Child : S->children())
    if (Child)
      walk(Child, At);
}

bool HostWalker::walkBlock(const CompoundStmt *S, Context At) {
  bool Left = false;
  for (const Stmt *Part : S->body()) {
    // A label can be jumped to.
    if (isa<LabelStmt>(Part))
      Left = false;
    if (Left)
      continue;
    Left = walk(Part, At);
    // What follows `if (c) return;` runs only where c does not hold.
    if (const auto *If = dyn_cast<IfStmt>(Part);
        If && !Left && !If->getElse() && !If->isConsteval() && If->getCond() &&
        If->getThen()) {
      const Stmt *Then = If->getThen();
      if (const auto *Block = dyn_cast<CompoundStmt>(Then))
        Then = Block->body_empty() ? nullptr : Block->body_back();
      if (isa_and_nonnull<ReturnStmt, ContinueStmt>(Then) &&
          !constantCondition(If->getCond(), Ctx)) {
        At.Under = guard(At.Under, If->getCond(), true);
        const_cast<Guard *>(At.Under)->Leaves = true;
      }
    }
  }
  return Left;
}

bool HostWalker::walkIf(const IfStmt *S, Context At) {
  if (S->getInit())
    walk(S->getInit(), At);
  if (S->getConditionVariableDeclStmt())
    walk(S->getConditionVariableDeclStmt(), At);
  std::optional<bool> Known;
  if (S->isConsteval()) {
    Known = S->isNegatedConsteval();
  } else {
    walk(S->getCond(), At);
    Known = constantCondition(S->getCond(), Ctx);
  }
  auto Branch = [&](const Stmt *B, bool When) {
    if (Known == std::optional(!When))
      return true; // Not taken: says nothing about what comes after.
    if (!B)
      return false;
    Context Inner = At;
    if (!Known) {
      Inner.Under = guard(At.Under, S->getCond(), !When);
      const_cast<Guard *>(Inner.Under)->Once = isOnceGuard(S->getCond(), B);
    }
    return walk(B, Inner);
  };
  const bool ThenLeaves = Branch(S->getThen(), true);
  const bool ElseLeaves = Branch(S->getElse(), false);
  return ThenLeaves && ElseLeaves;
}

void HostWalker::walkSwitch(const SwitchStmt *S, Context At) {
  for (const Stmt *Part :
       {S->getInit(),
        static_cast<const Stmt *>(S->getConditionVariableDeclStmt()),
        static_cast<const Stmt *>(S->getCond())})
    if (Part)
      walk(Part, At);
  const auto *Block = dyn_cast<CompoundStmt>(S->getBody());
  if (!Block) {
    walk(S->getBody(), At);
    return;
  }
  Context Inner = At;
  bool Left = true;
  llvm::SmallVector<const Expr *, 2> Labels;
  bool Default = false;
  for (const Stmt *Part : Block->body()) {
    if (isa<SwitchCase>(Part)) {
      if (Left) {
        Labels.clear();
        Default = false;
      }
      while (const auto *Label = dyn_cast<SwitchCase>(Part)) {
        if (const auto *Case = dyn_cast<CaseStmt>(Label);
            Case && !Case->getRHS())
          Labels.push_back(Case->getLHS());
        else
          Default = true; // Also a range: said to be any value.
        Part = Label->getSubStmt();
      }
      Inner = At;
      if (!Default) {
        Inner.Under = guard(At.Under, S->getCond(), false);
        const_cast<Guard *>(Inner.Under)->Cases = Labels;
      }
      Left = false;
    }
    if (!Left)
      Left = walk(Part, Inner);
  }
}

/// Statements that choose or leave; false: it is none of them.
bool HostWalker::walkControl(const Stmt *S, Context At, bool &Leaves) {
  Leaves = false;
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    Leaves = walkBlock(Block, At);
    return true;
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    Leaves = walkIf(If, At);
    return true;
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    walkSwitch(Switch, At);
    return true;
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (const Expr *Value = Return->getRetValue()) {
      if (At.Owner)
        Model.Returns[At.Owner].push_back(Value);
      walk(Value, At);
    }
    Leaves = true;
    return true;
  }
  if (isa<BreakStmt, ContinueStmt, GotoStmt>(S)) {
    Leaves = true;
    return true;
  }
  if (const auto *While = dyn_cast<WhileStmt>(S)) {
    if (constantCondition(While->getCond(), Ctx) != std::optional(false))
      walkChildren(S, At);
    return true;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    if (For->getCond() &&
        constantCondition(For->getCond(), Ctx) == std::optional(false)) {
      if (For->getInit())
        walk(For->getInit(), At);
      return true;
    }
    walkChildren(S, At);
    return true;
  }
  if (const auto *Do = dyn_cast<DoStmt>(S)) {
    walk(Do->getBody(), At);
    walk(Do->getCond(), At);
    return true;
  }
  return false;
}

void HostWalker::walkVariable(const VarDecl *V, Context At) {
  if (!V->getInit())
    return;
  if (V->isStaticLocal())
    At.Under = once(At.Under);
  walk(V->getInit(), At);
}

void HostWalker::walkLambda(const LambdaExpr *Lambda, Context At) {
  for (const Expr *Init : Lambda->capture_inits())
    if (Init)
      walk(Init, At);
  const CXXMethodDecl *Operator = Lambda->getCallOperator();
  if (Operator->hasAttr<CUDADeviceAttr>() && !Operator->hasAttr<CUDAHostAttr>())
    return;
  if (Lambda->isGenericLambda())
    Model.GenericLambdas.push_back(Lambda);
  for (const FunctionDecl *Body : lambdaBodies(Lambda))
    walk(Body->getBody(), {canonical(Body), At.Under});
}

static bool isCallOnce(const FunctionDecl *F) {
  return F && F->getIdentifier() && F->getName() == "call_once";
}

void HostWalker::walkCall(const Expr *E, Context At) {
  const CallParts Parts = partsOf(E);
  const auto *Call = dyn_cast<CallExpr>(E);
  if (Parts.Callee)
    reference(Parts.Callee);
  if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(E)) {
    Model.Sites.push_back({Launch, nullptr, At});
    walk(Launch->getConfig(), At);
  } else if (const ApiFunction *Api = apiOf(Parts.Callee); Api && Call) {
    Model.Sites.push_back({Call, Api, At});
  } else if (Parts.Callee) {
    Model.Calls[canonical(Parts.Callee)].push_back({E, At});
  } else {
    Model.IndirectCalls.push_back({E, At});
  }
  // The callee itself is no use of its address.
  if (Call && !Parts.Callee)
    walk(Call->getCallee(), At);
  if (Call)
    if (const auto *Member =
            dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens()))
      walk(Member->getBase(), At);
  Context Inner = At;
  if (isCallOnce(Parts.Callee))
    Inner.Under = once(At.Under);
  if (Call) {
    for (const Expr *Argument : Call->arguments())
      walk(Argument, Inner);
  } else {
    for (const Expr *Argument : Parts.Arguments)
      walk(Argument, Inner);
  }
}

bool HostWalker::walk(const Stmt *S, Context At) {
  if (!S)
    return false;
  if (bool Leaves = false; walkControl(S, At, Leaves))
    return Leaves;
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls()) {
      if (const auto *V = dyn_cast<VarDecl>(D))
        walkVariable(V, At);
      else if (const auto *Class = dyn_cast<CXXRecordDecl>(D);
               Class && OnLocalClass)
        OnLocalClass(Class);
    }
    return false;
  }
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    walkLambda(Lambda, At);
    return false;
  }
  if (isa<CallExpr, CXXConstructExpr>(S)) {
    walkCall(cast<Expr>(S), At);
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && Callee->isNoReturn();
  }
  if (isa<CXXThrowExpr>(S)) {
    walkChildren(S, At);
    return true;
  }
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(S)) {
    const Expr *Cond = Conditional->getCond();
    walk(Cond, At);
    const auto Known = constantCondition(Cond, Ctx);
    for (bool When : {true, false})
      if (Known != std::optional(!When)) {
        Context Inner = At;
        if (!Known)
          Inner.Under = guard(At.Under, Cond, !When);
        walk(When ? Conditional->getTrueExpr() : Conditional->getFalseExpr(),
             Inner);
      }
    return false;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(S);
      Logical && Logical->isLogicalOp()) {
    const bool When = Logical->getOpcode() == BO_LAnd;
    walk(Logical->getLHS(), At);
    const auto Known = constantCondition(Logical->getLHS(), Ctx);
    if (Known != std::optional(!When)) {
      if (!Known)
        At.Under = guard(At.Under, Logical->getLHS(), !When);
      walk(Logical->getRHS(), At);
    }
    return false;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    if (const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl())) {
      reference(F);
      Model.AddressTaken.insert(canonical(F));
    }
    return false;
  }
  // Neither evaluated.
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(S))
    return false;
  walkChildren(S, At);
  return false;
}

} // namespace kplan::scan
