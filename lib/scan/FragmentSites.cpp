//===- FragmentSites.cpp - The sites of a fragment ------------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/FragmentBuilder.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kplan::scan {

using Kind = Term::Kind;

//===----------------------------------------------------------------------===//
// Functions behind pointers
//===----------------------------------------------------------------------===//

/// The CUDA function that a declared type says: `decltype(&cuLaunchKernel)` or
/// `PFN_cuLaunchKernel_v4000`.
static const ApiFunction *apiOfType(QualType Type, const ASTContext &Ctx) {
  for (QualType T = Type; !T.isNull();) {
    if (const auto *Typedef = T->getAs<TypedefType>())
      if (const ApiFunction *Api = findApiInName(Typedef->getDecl()->getName()))
        return Api;
    if (const auto *Decltype = dyn_cast<DecltypeType>(T.getTypePtr())) {
      const Expr *E = Decltype->getUnderlyingExpr()->IgnoreParenImpCasts();
      if (const auto *Unary = dyn_cast<UnaryOperator>(E))
        E = Unary->getSubExpr()->IgnoreParenImpCasts();
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        return apiOf(dyn_cast<FunctionDecl>(Ref->getDecl()));
    }
    if (T->isPointerType() && !T->getAs<TypedefType>()) {
      T = T->getPointeeType();
      continue;
    }
    const QualType Next = T.getSingleStepDesugaredType(Ctx);
    if (Next == T)
      break;
    T = Next;
  }
  return nullptr;
}

const ApiFunction *FragmentBuilder::apiBehind(const Expr *Callee) {
  Callee = Callee->IgnoreParenImpCasts();
  const ValueDecl *D = nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    D = Member->getMemberDecl();
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee))
    D = Ref->getDecl();
  if (D) {
    if (const ApiFunction *Api = apiOfType(D->getType(), Ctx))
      return Api;
    // `CUresult (*p_cuLaunchKernel)(CUfunction, ...)`.
    if (D->getIdentifier())
      if (const ApiFunction *Api = findApiInName(D->getName()))
        return Api;
  }
  // What is stored there, in this TU.
  std::vector<Term> Work{Terms.term(Callee, Want::Kernel)};
  std::set<Term> Seen;
  while (!Work.empty() && Seen.size() < 64) {
    Term T = std::move(Work.back());
    Work.pop_back();
    if (!Seen.insert(T).second)
      continue;
    if (T.K == Kind::Function) {
      if (const ApiFunction *Api = findApi(T.Name))
        return Api;
    } else if (T.K == Kind::Storage) {
      auto It = Terms.StoragesById.find(T.Name);
      if (It == Terms.StoragesById.end())
        continue;
      if (auto Stores = Model.Stores.find(It->second.first);
          Stores != Model.Stores.end())
        for (const Assignment &A : Stores->second)
          Work.push_back(Terms.assigned(A, Want::Kernel));
    } else if (T.K == Kind::Any) {
      Work.insert(Work.end(), T.Operands.begin(), T.Operands.end());
    }
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

static const Expr *argument(const CallExpr *Call, int Index) {
  return Index >= 0 && static_cast<unsigned>(Index) < Call->getNumArgs()
             ? Call->getArg(Index)
             : nullptr;
}

void FragmentBuilder::keep(FragmentSite S) {
  mention(S.Kernel);
  for (const auto *T :
       {&S.SetAttribute, &S.SetCacheConfig, &S.SetValue, &S.Condition})
    if (*T)
      mention(**T);
  F.Sites.push_back(std::move(S));
}

std::string FragmentBuilder::sharedText(const Expr *E) const {
  if (!E || isa<CXXDefaultArgExpr>(E))
    return {};
  Expr::EvalResult Result;
  if (E->EvaluateAsInt(Result, Ctx) && Result.Val.getInt().isZero())
    return {};
  return Places.text(E->getSourceRange());
}

void FragmentBuilder::addSet(FragmentSite &S, const CallExpr *Call,
                             const ApiFunction &Api, Context At) {
  S.Kind = SiteKind::Set;
  const Expr *Value = argument(Call, Api.Value);
  if (Api.Action == ApiAction::SetCache) {
    S.SetCacheConfig = Terms.term(Value, Want::Number);
    return;
  }
  S.SetAttribute = Terms.term(argument(Call, Api.Attribute), Want::Number);
  S.SetValue = Terms.term(Value, Want::Number);
  if (Value)
    S.SetValue = bounded(std::move(*S.SetValue), Value, At.Under);
}

/// The last constant that is assigned; nothing where there are several.
static std::optional<int64_t> onlyConstant(llvm::ArrayRef<Assignment> All,
                                           TermBuilder &Terms) {
  std::optional<int64_t> Only;
  for (const Assignment &A : All) {
    const Term T = Terms.assigned(A, Want::Number);
    if (T.K != Kind::Integer || (Only && *Only != T.Number))
      return std::nullopt;
    Only = T.Number;
  }
  return Only;
}

/// The constants of a list of three.
static void addDimensions(const Expr *From, std::optional<int64_t> (&Dims)[3],
                          TermBuilder &Terms) {
  const auto *List = dyn_cast<InitListExpr>(From->IgnoreImplicit());
  if (!List || List->getNumInits() != 3)
    return;
  for (unsigned I = 0; I < 3; ++I)
    if (const Term T = Terms.term(List->getInit(I), Want::Number);
        T.K == Kind::Integer)
      Dims[I] = T.Number;
}

/// cudaLaunchConfig_t and CUlaunchConfig: shared memory and attributes, where
/// the struct is filled in the same function.
void FragmentBuilder::addConfig(FragmentSite &S, const Expr *Config) {
  const auto Target = Config ? LocalFacts::target(Config) : std::nullopt;
  if (!Target || !Target->Path.Fields.empty() ||
      !Target->Path.Base->isLocalVarDecl())
    return;
  const VarDecl *Attributes = nullptr;
  bool Unknown = false;
  Locals.eachField(Target->Path.Base, [&](const AccessPath &Path,
                                          llvm::ArrayRef<Assignment> All) {
    const llvm::StringRef Name = Path.Fields.back()->getName();
    const Assignment &Last = All.back();
    if (Last.How != Assignment::Source::Value)
      return;
    if (Name == "dynamicSmemBytes" || Name == "sharedMemBytes") {
      S.Shared = sharedText(Last.From);
    } else if (Name == "attrs") {
      const auto To = LocalFacts::target(Last.From);
      if (To && To->Path.Base->isLocalVarDecl())
        Attributes = To->Path.Base;
      else
        Unknown |= Terms.term(Last.From, Want::Kernel) != Term::any({});
    }
  });
  if (Unknown)
    return;
  S.Cooperative = false;
  if (!Attributes)
    return;
  std::optional<int64_t> Dims[3];
  Locals.eachField(
      Attributes, [&](const AccessPath &Path, llvm::ArrayRef<Assignment> All) {
        const llvm::StringRef Name = Path.Fields.back()->getName();
        if (Name == "cooperative") {
          if (auto Value = onlyConstant(All, Terms))
            S.Cooperative = *Value != 0;
          else
            S.Cooperative.reset();
        }
        // All three at once: `val.clusterDim = {2, 1, 1}`.
        if (Name == "clusterDim")
          for (const Assignment &A : All)
            addDimensions(A.From, Dims, Terms);
        const bool IsCluster =
            Path.Fields.size() > 1 &&
            Path.Fields[Path.Fields.size() - 2]->getName() == "clusterDim";
        if (IsCluster && (Name == "x" || Name == "y" || Name == "z"))
          Dims[Name[0] - 'x'] = onlyConstant(All, Terms);
      });
  if (Dims[0] && Dims[1] && Dims[2])
    for (const auto &D : Dims)
      S.Cluster.push_back(static_cast<uint32_t>(*D));
}

/// cudaKernelNodeParams and CUDA_KERNEL_NODE_PARAMS.
void FragmentBuilder::addNode(FragmentSite &S, const Expr *Params) {
  S.Kernel = Term::unknown("the node's parameters are not filled here");
  const auto Target = Params ? LocalFacts::target(Params) : std::nullopt;
  if (!Target || !Target->Path.Base->isLocalVarDecl())
    return;
  std::vector<Term> Kernels;
  Locals.eachField(Target->Path.Base,
                   [&](const AccessPath &Path, llvm::ArrayRef<Assignment> All) {
                     const llvm::StringRef Name = Path.Fields.back()->getName();
                     if (Name == "func" || Name == "kern") {
                       for (const Assignment &A : All)
                         Kernels.push_back(Terms.assigned(A, Want::Kernel));
                     } else if (Name == "sharedMemBytes" &&
                                All.back().How == Assignment::Source::Value) {
                       S.Shared = sharedText(All.back().From);
                     }
                   });
  Term All = Term::any(std::move(Kernels));
  if (All.K != Kind::Any || !All.Operands.empty())
    S.Kernel = std::move(All);
}

void FragmentBuilder::addGlobal(const CallExpr *Call, const ApiFunction &Api,
                                Context At) {
  Global G;
  G.At = Places.position(Call->getBeginLoc());
  const char *Why = "the device variable is not known";
  if (Api.Action == ApiAction::NamedGlobal) {
    const Term Name = Terms.term(argument(Call, Api.Text), Want::Kernel);
    if (Name.K == Kind::Text)
      G.Symbol = Name.Name;
    Why = "the device variable's name is built at run time";
  } else if (const Expr *Symbol = argument(Call, Api.Symbol)) {
    const auto Target = LocalFacts::target(Symbol);
    const VarDecl *V = Target ? Target->Path.Base : nullptr;
    if (V && V->isFileVarDecl()) {
      const KernelKey Key = Names.key(V);
      G.Symbol = Key.Symbol;
      G.File = Key.File;
    }
  }
  if (!G.Symbol.empty()) {
    F.Globals.push_back(std::move(G));
    return;
  }
  FragmentSite S;
  S.Kind = SiteKind::Query;
  S.At = G.At;
  S.In = At.Owner ? Terms.idOf(At.Owner) : FunctionId();
  S.Kernel = Term::unknown(Why);
  S.Text = Places.text(Call->getSourceRange());
  keep(std::move(S));
}

void FragmentBuilder::addSite(const CallExpr *Call, const ApiFunction *Api,
                              Context At) {
  if (Api && Api->Action > ApiAction::Query &&
      Api->Action != ApiAction::Global && Api->Action != ApiAction::NamedGlobal)
    return;
  if (Places.isSilenced(Call->getBeginLoc()))
    return;
  const Conditions Cond = conditions(At.Under);
  if (Cond.Never) {
    F.Instantiated.push_back(Places.position(Call->getBeginLoc()));
    return;
  }
  if (Api && Api->Action > ApiAction::Query)
    return addGlobal(Call, *Api, At);

  FragmentSite S;
  S.At = Places.position(Call->getBeginLoc());
  if (At.Owner) {
    S.In = Terms.idOf(At.Owner);
    function(At.Owner);
  }
  S.When = Cond.When;
  S.Once = Cond.Once;
  S.Condition = Cond.Holds;
  S.Text = Places.text(Call->getSourceRange());
  if (!Api) {
    const auto *Launch = cast<CUDAKernelCallExpr>(Call);
    S.Kernel = Terms.term(Launch->getCallee(), Want::Kernel);
    if (const CallExpr *Config = Launch->getConfig())
      S.Shared = sharedText(argument(Config, 2));
    S.Cooperative = false;
    return keep(std::move(S));
  }
  if (Api->Kernel >= 0)
    S.Kernel = Terms.term(argument(Call, Api->Kernel), Want::Kernel);
  switch (Api->Action) {
  case ApiAction::Set:
  case ApiAction::SetCache:
    addSet(S, Call, *Api, At);
    break;
  case ApiAction::Query:
    S.Kind = SiteKind::Query;
    break;
  case ApiAction::Launch:
    S.Shared = sharedText(argument(Call, Api->Shared));
    S.Cooperative = Api->Cooperative;
    break;
  case ApiAction::LaunchConfig:
    addConfig(S, argument(Call, Api->Config));
    break;
  case ApiAction::LaunchNode:
    addNode(S, argument(Call, Api->Config));
    break;
  default:
    return;
  }
  keep(std::move(S));
}

void FragmentBuilder::addSites() {
  for (const SiteRecord &S : Model.Sites)
    addSite(S.Call, S.Api, S.At);
  for (const CallRecord &C : Model.IndirectCalls)
    if (const auto *Call = dyn_cast<CallExpr>(C.Call))
      if (const ApiFunction *Api = apiBehind(Call->getCallee()))
        addSite(Call, Api, C.At);
}

void FragmentBuilder::addDeviceLaunch(const CUDAKernelCallExpr *Launch) {
  if (Places.isSilenced(Launch->getBeginLoc()))
    return;
  FragmentSite S;
  S.Kind = SiteKind::DeviceLaunch;
  S.At = Places.position(Launch->getBeginLoc());
  S.Kernel = Terms.term(Launch->getCallee(), Want::Kernel);
  S.Text = Places.text(Launch->getSourceRange());
  keep(std::move(S));
}

} // namespace kplan::scan
