//===- FragmentBuilder.h - From facts about an AST to a fragment ----------===//
//
// Part of kplan. Starts from the sites, and adds what their terms mention:
// calls of wrapper functions, results of selector functions, stores to tables
// and members. What another TU may ask for is added as well.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_FRAGMENTBUILDER_H
#define KPLAN_SCAN_FRAGMENTBUILDER_H

#include "plan/Fragment.h"
#include "scan/SourcePlaces.h"
#include "scan/TermBuilder.h"
#include "scan/UnitModel.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace kplan::scan {

class FragmentBuilder {
public:
  FragmentBuilder(clang::ASTContext &Ctx, const SourcePlaces &Places,
                  KernelNames &Names, const LocalFacts &Locals,
                  const UnitModel &Model, TermBuilder &Terms, Fragment &F)
      : Ctx(Ctx), Places(Places), Names(Names), Locals(Locals), Model(Model),
        Terms(Terms), F(F) {}

  /// Host-device functions that only device code of this TU refers to.
  llvm::DenseSet<const clang::FunctionDecl *> DeviceOnly;
  /// Methods by the virtual method that they override.
  llvm::DenseMap<const clang::FunctionDecl *,
                 std::vector<const clang::FunctionDecl *>>
      Overriders;

  void addSites();
  void addDeviceLaunch(const clang::CUDAKernelCallExpr *Launch);
  /// What other TUs may want to know of this one.
  void addExports();
  /// Whatever the terms of the fragment mention, until nothing is new.
  void addMentioned();
  /// Drops what says nothing.
  void finish();

private:
  clang::ASTContext &Ctx;
  const SourcePlaces &Places;
  KernelNames &Names;
  const LocalFacts &Locals;
  const UnitModel &Model;
  TermBuilder &Terms;
  Fragment &F;

  struct Conditions {
    std::string When;
    bool Once = false;
    std::optional<Term> Holds;
    bool Never = false;
  };

  /// A storage, a function, or a parameter of one, that a term names.
  using Mention = std::tuple<Term::Kind, unsigned, std::string>;
  std::set<Mention> Seen;
  std::vector<Mention> Mentioned; ///< Yet to be looked into.
  llvm::StringSet<> Done;         ///< Identities that have been added.

  struct GuardFacts {
    Term Holds;
    bool DependsOnCallers = false;
  };
  llvm::DenseMap<const Guard *, std::unique_ptr<GuardFacts>> Guards;

  const GuardFacts &facts(const Guard &G);
  Conditions conditions(const Guard *Under);
  Term guardTerm(const Guard &G);
  std::string guardText(const Guard &G) const;
  Term bounded(Term Value, const clang::Expr *E, const Guard *Under);

  void addSite(const clang::CallExpr *Call, const ApiFunction *Api, Context At);
  void addSet(FragmentSite &S, const clang::CallExpr *Call,
              const ApiFunction &Api, Context At);
  void addConfig(FragmentSite &S, const clang::Expr *Config);
  void addNode(FragmentSite &S, const clang::Expr *Params);
  void addGlobal(const clang::CallExpr *Call, const ApiFunction &Api,
                 Context At);
  void keep(FragmentSite S);
  const ApiFunction *apiBehind(const clang::Expr *Callee);
  std::string sharedText(const clang::Expr *E) const;

  void mention(const Term &T);
  void addArgument(const clang::FunctionDecl *Fn, unsigned Index);
  void addArgument(const CallRecord &C, const clang::FunctionDecl *Callee,
                   unsigned Index);
  void addExported(const clang::FunctionDecl *Callee, const CallRecord &C);
  FragmentCall *call(const CallRecord &C, const clang::FunctionDecl *Callee);
  void addResults(const clang::FunctionDecl *Fn);
  void addOut(const clang::FunctionDecl *Fn, unsigned Index);
  void addStores(const StorageId &Id, const clang::ValueDecl *D, Want W);
  FragmentFunction &function(const clang::FunctionDecl *Fn);
  llvm::DenseMap<const clang::FunctionDecl *, size_t> FunctionNumbers;
  /// By call and callee (null: what the call's own term says); nothing: the
  /// call never runs.
  using CallKey = std::pair<const CallRecord *, const clang::FunctionDecl *>;
  llvm::DenseMap<CallKey, std::optional<size_t>> CallNumbers;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_FRAGMENTBUILDER_H
