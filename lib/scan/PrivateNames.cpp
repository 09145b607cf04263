//===- PrivateNames.cpp - Functions of one TU within a mangled name -------===//
//
// Part of kplan. LLVM's demangler knows the grammar; a parser derived from it
// notes where names and substitutions stand.
//
//===----------------------------------------------------------------------===//

#include "scan/PrivateNames.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include "llvm/Support/Allocator.h"

#include <vector>

using namespace clang;

namespace kplan::scan {

//===----------------------------------------------------------------------===//
// What is private
//===----------------------------------------------------------------------===//

static bool isPrivate(const TemplateArgument &A);

static bool isPrivate(const CXXRecordDecl *Record) {
  // nvcc takes lambdas and local classes for visible, whatever is around them.
  if (Record->isLocalClass() || Record->isLambda())
    return false;
  if (Record->isInAnonymousNamespace())
    return true;
  if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(Record))
    for (const TemplateArgument &A : S->getTemplateArgs().asArray())
      if (isPrivate(A))
        return true;
  if (const auto *Outer = dyn_cast<CXXRecordDecl>(Record->getDeclContext()))
    return isPrivate(Outer);
  return false;
}

/// Classes make an instance private, but neither pointers to them nor
/// enumerations do.
static bool isPrivate(const TemplateArgument &A) {
  switch (A.getKind()) {
  case TemplateArgument::Type:
    if (const auto *Record = A.getAsType()->getAsCXXRecordDecl())
      return isPrivate(Record);
    return false;
  case TemplateArgument::Declaration:
    return A.getAsDecl()->getFormalLinkage() == Linkage::Internal;
  case TemplateArgument::Pack:
    return llvm::any_of(A.pack_elements(),
                        [](const TemplateArgument &E) { return isPrivate(E); });
  default:
    return false;
  }
}

bool isPrivate(const FunctionDecl *F) {
  if (F->isExternC())
    return false;
  if (F->isInAnonymousNamespace() ||
      (F->getStorageClass() == SC_Static && !isa<CXXMethodDecl>(F)))
    return true;
  if (const TemplateArgumentList *Args = F->getTemplateSpecializationArgs())
    for (const TemplateArgument &A : Args->asArray())
      if (isPrivate(A))
        return true;
  return false;
}

namespace {

/// Goes through everything that a template argument's name is made of.
class Mentions {
public:
  llvm::StringSet<> Names;

  void add(const FunctionDecl *F) {
    if (!F || !Seen.insert(F).second)
      return;
    if (F->getDeclContext()->getRedeclContext()->isFileContext() &&
        F->getIdentifier() && isPrivate(F))
      Names.insert(F->getName());
    if (const TemplateArgumentList *Args = F->getTemplateSpecializationArgs())
      for (const TemplateArgument &A : Args->asArray())
        add(A);
    addContext(F);
  }

  void add(const TemplateArgument &A) {
    switch (A.getKind()) {
    case TemplateArgument::Type:
      return add(A.getAsType());
    case TemplateArgument::Declaration:
      if (const auto *F = dyn_cast<FunctionDecl>(A.getAsDecl()))
        return add(F);
      if (const auto *V = dyn_cast<VarDecl>(A.getAsDecl());
          V && V->isFileVarDecl() && V->getIdentifier() &&
          V->getFormalLinkage() == Linkage::Internal)
        Names.insert(V->getName());
      return;
    case TemplateArgument::Pack:
      for (const TemplateArgument &E : A.pack_elements())
        add(E);
      return;
    default:
      return;
    }
  }

private:
  llvm::DenseSet<const void *> Seen;

  void addContext(const Decl *D) {
    if (const auto *Record = dyn_cast<CXXRecordDecl>(D->getDeclContext()))
      add(Record);
    else if (const auto *F = dyn_cast<FunctionDecl>(D->getDeclContext()))
      add(F);
  }

  void add(const CXXRecordDecl *Record) {
    if (!Seen.insert(Record).second)
      return;
    if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(Record))
      for (const TemplateArgument &A : S->getTemplateArgs().asArray())
        add(A);
    addContext(Record);
  }

  void add(QualType Type) {
    while (!Type.isNull()) {
      if (const auto *Record = Type->getAsCXXRecordDecl())
        return add(Record);
      if (const auto *Proto = Type->getAs<FunctionProtoType>()) {
        for (QualType Parameter : Proto->param_types())
          add(Parameter);
        Type = Proto->getReturnType();
      } else if (Type->isAnyPointerType() || Type->isReferenceType()) {
        Type = Type->getPointeeType();
      } else if (const auto *Array = Type->getAsArrayTypeUnsafe()) {
        Type = Array->getElementType();
      } else {
        return;
      }
    }
  }
};

} // namespace

llvm::StringSet<> privateNames(const FunctionDecl *Kernel) {
  Mentions M;
  if (const TemplateArgumentList *Args =
          Kernel->getTemplateSpecializationArgs())
    for (const TemplateArgument &A : Args->asArray())
      M.add(A);
  return std::move(M.Names);
}

//===----------------------------------------------------------------------===//
// Rewriting names
//===----------------------------------------------------------------------===//

namespace {

namespace itanium = llvm::itanium_demangle;

class NodeAllocator {
public:
  void reset() { Memory.Reset(); }
  template <typename T, typename... Args> T *makeNode(Args &&...A) {
    return new (Memory.Allocate(sizeof(T), alignof(T)))
        T(std::forward<Args>(A)...);
  }
  void *allocateNodeArray(size_t Count) {
    return Memory.Allocate(sizeof(itanium::Node *) * Count,
                           alignof(itanium::Node *));
  }

private:
  llvm::BumpPtrAllocator Memory;
};

/// The name of an entity that is part of another's.
struct NameRange {
  size_t Begin, End; ///< In the text.
  size_t Known;      ///< Substitutions before it.
};
/// A reference to a substitution, `S<number>_`.
struct Reference {
  size_t Begin, End;
  size_t Number;
};

class Parser : public itanium::AbstractManglingParser<Parser, NodeAllocator> {
  using Base = itanium::AbstractManglingParser<Parser, NodeAllocator>;

public:
  explicit Parser(llvm::StringRef Text)
      : Base(Text.begin(), Text.end()), Start(Text.begin()) {}

  std::vector<NameRange> Names;
  std::vector<Reference> References;

  itanium::Node *parseEncoding(bool ParseParams = true) {
    AtEncoding = true;
    return Base::parseEncoding(ParseParams);
  }

  itanium::Node *parseName(NameState *State = nullptr) {
    // The first name of an encoding is that of its entity.
    const bool IsEntity = std::exchange(AtEncoding, false);
    NameRange R{offset(), 0, Subs.size()};
    const size_t Slot = Names.size();
    if (IsEntity)
      Names.push_back(R);
    itanium::Node *N = Base::parseName(State);
    if (IsEntity)
      Names[Slot].End = offset();
    return N;
  }

  itanium::Node *parseSubstitution() {
    const size_t Begin = offset();
    itanium::Node *N = Base::parseSubstitution();
    const llvm::StringRef Text(Start + Begin, offset() - Begin);
    if (!N || !Text.ends_with("_"))
      return N;
    Reference R{Begin, offset(), 0};
    const llvm::StringRef Digits = Text.drop_front().drop_back();
    if (!Digits.empty()) {
      for (char C : Digits)
        R.Number = R.Number * 36 + (C <= '9' ? C - '0' : C - 'A' + 10);
      ++R.Number;
    }
    References.push_back(R);
    return N;
  }

private:
  const char *Start;
  bool AtEncoding = false;

  size_t offset() const { return First - Start; }
};

std::string referenceText(size_t Number) {
  if (Number == 0)
    return "S_";
  std::string Digits;
  for (size_t N = Number - 1;; N /= 36) {
    Digits.insert(Digits.begin(),
                  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[N % 36]);
    if (N < 36)
      break;
  }
  return "S" + Digits + "_";
}

/// The last component of a name without its template arguments: its place, its
/// text, and whether clang marked it with an `L`.
struct Component {
  size_t Begin = 0; ///< Of the `L` or of the length.
  llvm::StringRef Name;
  bool Marked = false;
};
Component lastComponent(llvm::StringRef Text, const NameRange &R) {
  Component Last;
  size_t At = R.Begin;
  if (Text[At] == 'N')
    ++At;
  while (At < R.End) {
    Component C;
    C.Begin = At;
    if (Text[At] == 'L') {
      C.Marked = true;
      ++At;
    }
    if (Text[At] == 'S') { // A substitution stands for what comes before.
      At = Text.find('_', At);
      if (At >= R.End)
        return Last;
      ++At;
      continue;
    }
    size_t Length = 0, Digits = At;
    while (Digits < R.End && Text[Digits] >= '0' && Text[Digits] <= '9')
      Length = Length * 10 + (Text[Digits++] - '0');
    if (Length == 0 || Digits + Length > R.End)
      return Last; // Template arguments, or the end.
    C.Name = Text.substr(Digits, Length);
    Last = C;
    At = Digits + Length;
  }
  return Last;
}

} // namespace

std::string moveToModule(llvm::StringRef Mangled,
                         const llvm::StringSet<> &Names,
                         llvm::StringRef Module) {
  if (Names.empty())
    return Mangled.str();
  Parser P(Mangled);
  if (!P.parse())
    return Mangled.str();

  struct Edit {
    size_t At;
    size_t Remove;
    std::string Insert;
  };
  std::vector<Edit> Edits;
  // The module's namespace becomes a substitution itself, once.
  std::optional<size_t> ModuleNumber;
  size_t ModuleAt = 0;
  for (const NameRange &R : P.Names) {
    if (R.Begin == 2 || R.End <= R.Begin)
      continue; // The kernel itself.
    const Component C = lastComponent(Mangled, R);
    if (!Names.contains(C.Name))
      continue;
    const bool Nested = Mangled[R.Begin] == 'N';
    const size_t Inner = R.Begin + Nested;
    std::string Prefix;
    if (Mangled[Inner] != 'S') {
      if (ModuleNumber) {
        Prefix = referenceText(*ModuleNumber);
      } else {
        Prefix = Module.str();
        ModuleNumber = R.Known;
        ModuleAt = R.Begin;
      }
    }
    if (C.Marked)
      Edits.push_back({C.Begin, 1, ""});
    if (Nested) {
      Edits.push_back({Inner, 0, Prefix});
    } else if (!Prefix.empty()) {
      Edits.push_back({Inner, 0, "N" + Prefix});
      Edits.push_back({R.End, 0, "E"});
    }
  }
  if (ModuleNumber)
    for (const Reference &R : P.References)
      if (R.Begin > ModuleAt && R.Number >= *ModuleNumber)
        Edits.push_back(
            {R.Begin, R.End - R.Begin, referenceText(R.Number + 1)});

  // From the back, so that places stay; at one place what is inserted first
  // comes before what replaces.
  std::stable_sort(Edits.begin(), Edits.end(),
                   [](const Edit &A, const Edit &B) {
                     return std::tie(A.At, A.Remove) > std::tie(B.At, B.Remove);
                   });
  std::string Out = Mangled.str();
  for (const Edit &E : Edits)
    Out.replace(E.At, E.Remove, E.Insert);
  return Out;
}

} // namespace kplan::scan
