//===- DeviceCode.cpp - What device code mentions and starts --------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/DeviceCode.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace clang;

namespace kplan::scan {

/// What a function of that name starts.
static std::optional<Use> useOf(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<Use>>(Name)
      .Cases({"printf", "vprintf", "__builtin_printf"}, Use::Printf)
      .Cases({"__assert_fail", "__assertfail", "__assert"}, Use::Assert)
      .Cases({"malloc", "__builtin_malloc"}, Use::Malloc)
      .Default(std::nullopt);
}

/// The definition as it stands in the source.
static const FunctionDecl *asWritten(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  const FunctionDecl *Definition = nullptr;
  return F->isDefined(Definition) ? Definition : F;
}

/// What code writes to have the function run.
static const IdentifierInfo *nameOf(const FunctionDecl *F) {
  if (const IdentifierInfo *Name = F->getIdentifier())
    return Name;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  return Method ? Method->getParent()->getIdentifier() : nullptr;
}

void DeviceCode::expandMacro(Name Macro, SourceLocation At, Body &B) {
  const MacroDefinition Definition = PP.getMacroDefinitionAtLoc(Macro, At);
  const MacroInfo *Info = Definition.getMacroInfo();
  if (!Info)
    return;
  bool AfterNew = false;
  for (const Token &T : Info->tokens()) {
    if (AfterNew && T.isNot(tok::l_paren))
      B.Uses.insert(Use::Malloc);
    AfterNew = T.is(tok::kw_new);
    if (T.is(tok::lesslessless))
      B.Uses.insert(Use::Cdp);
    const IdentifierInfo *Inner = T.getIdentifierInfo();
    if (!Inner)
      continue;
    if (auto U = useOf(Inner->getName()))
      B.Uses.insert(*U);
    if (B.Names.insert(Inner).second && Inner->hadMacroDefinition())
      expandMacro(Inner, At, B);
  }
}

void DeviceCode::note(const Token &T, const Token &Before, Body &B) {
  auto IsNew = [](const Token &Word) {
    return Word.is(tok::raw_identifier) && Word.getRawIdentifier() == "new";
  };
  // `new (p) T` allocates nothing.
  if (IsNew(Before) && T.isNot(tok::l_paren))
    B.Uses.insert(Use::Malloc);
  if (T.is(tok::lesslessless))
    B.Uses.insert(Use::Cdp);
  if (T.isNot(tok::raw_identifier))
    return;
  const llvm::StringRef Text = T.getRawIdentifier();
  if (auto U = useOf(Text); U && !Before.isOneOf(tok::period, tok::arrow))
    B.Uses.insert(*U);
  const IdentifierInfo &Word = Ctx.Idents.get(Text);
  if (B.Names.insert(&Word).second && Word.hadMacroDefinition())
    expandMacro(&Word, T.getLocation(), B);
}

/// From the name of the function to the end of its body. Where the name comes
/// out of a macro, what the macro makes of its arguments belongs to it.
void DeviceCode::readText(const FunctionDecl *F, Body &B) {
  const SourceManager &SM = Ctx.getSourceManager();
  const SourceLocation Start = SM.getExpansionLoc(F->getLocation());
  const auto [File, Offset] = SM.getDecomposedLoc(Start);
  bool Invalid = false;
  const llvm::StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid)
    return;
  Lexer Raw(SM.getLocForStartOfFile(File), Ctx.getLangOpts(), Text.begin(),
            Text.begin() + Offset, Text.end());
  Token T, Before;
  Before.startToken();
  unsigned Parentheses = 0, Braces = 0;
  bool InBody = false, InInitialisers = false;
  bool IsMacroCall = F->getLocation().isMacroID();
  for (bool First = true;; First = false, Before = T) {
    Raw.LexFromRawLexer(T);
    if (T.is(tok::eof))
      return;
    // Behind the arguments of a macro that wrote all of it.
    if (IsMacroCall && !First && Parentheses == 0 && T.isNot(tok::l_paren) &&
        T.isNot(tok::l_brace) && Braces == 0)
      return;
    note(T, Before, B);
    switch (T.getKind()) {
    case tok::l_paren:
    case tok::l_square:
      ++Parentheses;
      break;
    case tok::r_paren:
    case tok::r_square:
      Parentheses -= Parentheses != 0;
      break;
    case tok::colon:
      InInitialisers |=
          Parentheses == 0 && Braces == 0 && isa<CXXConstructorDecl>(F);
      break;
    case tok::l_brace:
      // `: member{1} {`: only the second is the body's.
      if (Parentheses == 0 && Braces == 0)
        InBody = !(InInitialisers &&
                   Before.isOneOf(tok::raw_identifier, tok::greater));
      ++Braces;
      break;
    case tok::r_brace:
      Braces -= Braces != 0;
      if (Braces == 0 && InBody)
        return;
      break;
    case tok::semi:
      if (Braces == 0 && Parentheses == 0)
        return;
      break;
    default:
      break;
    }
  }
}

DeviceCode::Place DeviceCode::readFunction(const FunctionDecl *F) {
  const FunctionDecl *Written = asWritten(F);
  const Place At = Written->getLocation();
  auto [It, New] = Bodies.try_emplace(At);
  if (!New)
    return At;
  Body B;
  readText(Written, B);
  // A kernel is not called.
  if (const IdentifierInfo *Name = nameOf(Written);
      Name && !F->hasAttr<CUDAGlobalAttr>())
    Definitions[Name].push_back(At);
  if (spaceOf(F) == Space::Device)
    AnyLaunch |= B.Uses.contains(Use::Cdp);
  else
    B.Uses.erase(Use::Cdp); // A launch by the host.
  Bodies[At] = std::move(B);
  return At;
}

void DeviceCode::read(const UnitVisitor &Unit) {
  Body Roots;
  for (const FunctionDecl *F : Unit.Device) {
    const Place At = readFunction(F);
    // Which device templates are instantiated depends on bodies that may not
    // have been parsed; kernels are instantiated by the host.
    if (!F->isTemplateInstantiation() || F->hasAttr<CUDAGlobalAttr>())
      Roots.Names.insert(Bodies[At].Names.begin(), Bodies[At].Names.end());
  }
  for (const FunctionDecl *F : Unit.Both)
    readFunction(F);
  for (const FunctionDecl *F : Unit.Patterns)
    if (spaceOf(F) != Space::Host)
      readFunction(F);
  for (const Body *B : closure(Roots))
    Reached.insert(B->Names.begin(), B->Names.end());
  Reached.insert(Roots.Names.begin(), Roots.Names.end());
}

std::vector<const DeviceCode::Body *>
DeviceCode::closure(const Body &From) const {
  std::vector<const Body *> Found;
  llvm::DenseSet<Name> Seen;
  std::vector<const Body *> Work{&From};
  while (!Work.empty()) {
    const Body *B = Work.back();
    Work.pop_back();
    for (Name N : B->Names) {
      if (!Seen.insert(N).second)
        continue;
      auto It = Definitions.find(N);
      if (It == Definitions.end())
        continue;
      for (Place At : It->second) {
        const Body *Next = &Bodies.find(At)->second;
        Found.push_back(Next);
        Work.push_back(Next);
      }
    }
  }
  return Found;
}

bool DeviceCode::mayRun(const FunctionDecl *F) const {
  return Reached.contains(nameOf(F));
}

/// The classes whose objects a kernel is given as template arguments.
void DeviceCode::noteClasses(QualType Type, Body &B, unsigned Depth) {
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || Depth > 8)
    return;
  if (Record->isLambda()) {
    readText(Record->getLambdaCallOperator(), B);
    return;
  }
  if (const IdentifierInfo *Name = Record->getIdentifier())
    B.Names.insert(Name);
  if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(Record))
    for (const TemplateArgument &A : S->getTemplateArgs().asArray())
      if (A.getKind() == TemplateArgument::Type)
        noteClasses(A.getAsType(), B, Depth + 1);
}

std::set<Use> DeviceCode::usesFrom(const Body &From) const {
  std::set<Use> Found = From.Uses;
  for (const Body *B : closure(From))
    Found.insert(B->Uses.begin(), B->Uses.end());
  return Found;
}

const std::set<Use> &DeviceCode::usesOf(QualType Type) {
  auto [It, New] = UsesOfType.try_emplace(Type.getCanonicalType().getTypePtr());
  if (New) {
    Body Classes;
    noteClasses(Type, Classes, 0);
    It->second = usesFrom(Classes);
  }
  return It->second;
}

std::vector<Use> DeviceCode::uses(const FunctionDecl *Kernel) {
  const Place At = readFunction(Kernel);
  auto [It, New] = UsesOfKernel.try_emplace(At);
  if (New)
    It->second = usesFrom(Bodies[At]);
  std::set<Use> Found = It->second;
  auto Add = [&](const TemplateArgument &A) {
    if (A.getKind() != TemplateArgument::Type)
      return;
    const std::set<Use> &More = usesOf(A.getAsType());
    Found.insert(More.begin(), More.end());
  };
  if (const auto *Arguments = Kernel->getTemplateSpecializationArgs())
    for (const TemplateArgument &A : Arguments->asArray()) {
      Add(A);
      if (A.getKind() == TemplateArgument::Pack)
        llvm::for_each(A.pack_elements(), Add);
    }
  return {Found.begin(), Found.end()};
}

std::vector<const CUDAKernelCallExpr *>
DeviceCode::launches(const FunctionDecl *F) {
  std::vector<const CUDAKernelCallExpr *> Found;
  const FunctionDecl *Definition = nullptr;
  if (spaceOf(F) != Space::Device || !F->hasBody(Definition))
    return Found;
  std::vector<const Stmt *> Work{Definition->getBody()};
  while (!Work.empty()) {
    const Stmt *S = Work.back();
    Work.pop_back();
    if (!S)
      continue;
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(S))
      Found.push_back(Launch);
    Work.insert(Work.end(), S->child_begin(), S->child_end());
  }
  return Found;
}

} // namespace kplan::scan
