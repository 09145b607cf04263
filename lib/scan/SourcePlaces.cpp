//===- SourcePlaces.cpp - Positions, source text and kinds of files -------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/SourcePlaces.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace kplan::scan {

/// Longer texts end in "...".
static constexpr size_t MaxText = 200;

static bool isLibrary(llvm::StringRef Path) {
  if (Path.contains("/include/c++/") || Path.starts_with("/usr/lib/"))
    return true;
  // clang's own headers, wherever it is installed.
  if (size_t At = Path.find("/lib/clang/"); At != llvm::StringRef::npos)
    return Path.substr(At).contains("/include/");
  if (!Path.consume_front("/usr/include/"))
    return false;
  // The C library keeps most headers in the folder itself or in a few below.
  return !Path.contains('/') || Path.starts_with("bits/") ||
         Path.starts_with("sys/") || Path.split('/').first.contains("-linux-");
}

/// Below a toolkit's include folder: all but CCCL.
static bool isToolkitHeader(llvm::StringRef Path, llvm::StringRef CudaRoot) {
  if (CudaRoot.empty() || !Path.consume_front(CudaRoot))
    return false;
  const size_t At = Path.find("/include/");
  if (At == llvm::StringRef::npos)
    return false;
  const llvm::StringRef Below = Path.substr(At + 9);
  for (llvm::StringRef Cccl : {"cccl/", "cub/", "thrust/", "cuda/"})
    if (Below.starts_with(Cccl))
      return false;
  return true;
}

/// The real path; but a toolkit may be a folder of links into other places, and
/// what was found in it belongs to it.
static std::string realOrToolkitPath(llvm::StringRef Name, llvm::StringRef Real,
                                     const std::string &Toolkit) {
  if (Toolkit.empty() || relativeWithin(Real, Toolkit))
    return Real.str();
  for (llvm::StringRef Folder = llvm::sys::path::parent_path(Name);
       !Folder.empty(); Folder = llvm::sys::path::parent_path(Folder))
    if (weakRealPath(Folder.str()) == Toolkit)
      return Toolkit + Name.substr(Folder.size()).str();
  return Real.str();
}

const SourcePlaces::FileInfo &SourcePlaces::file(FileID Id) const {
  auto [It, New] = Files.try_emplace(Id);
  FileInfo &Info = It->second;
  if (!New)
    return Info;
  const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Id);
  if (!Entry) {
    Info.Kind = FileKind::Library; // <built-in>, the command line.
    return Info;
  }
  const std::string Real = realOrToolkitPath(
      Entry->getName(), SM.getFileManager().getCanonicalName(*Entry),
      Roots.Cuda);
  if (isToolkitHeader(Real, Roots.Cuda))
    Info.Kind = FileKind::Toolkit;
  else if (isLibrary(Real))
    Info.Kind = FileKind::Library;
  auto Spelled = Spellings.find(Real);
  Info.Spelled = spellPath(Real, Roots,
                           Spelled != Spellings.end()
                               ? std::string_view(Spelled->second)
                               : std::string_view(Entry->getName()));
  return Info;
}

SourcePosition SourcePlaces::position(SourceLocation Loc) const {
  Loc = SM.getFileLoc(Loc);
  auto [Id, Offset] = SM.getDecomposedLoc(Loc);
  SourcePosition P;
  P.File = file(Id).Spelled;
  P.Line = SM.getLineNumber(Id, Offset);
  P.Column = SM.getColumnNumber(Id, Offset);
  return P;
}

static std::string onOneLine(llvm::StringRef Text) {
  std::string Out;
  bool Space = false;
  for (char C : Text) {
    if (C == ' ' || C == '\t' || C == '\n' || C == '\r' || C == '\f' ||
        C == '\v') {
      Space = !Out.empty();
      continue;
    }
    if (Space)
      Out += ' ';
    Space = false;
    Out += C;
  }
  // Line continuations are no text.
  for (size_t At; (At = Out.find(" \\ ")) != std::string::npos;)
    Out.erase(At, 2);
  if (Out.size() > MaxText) {
    size_t Cut = MaxText - 3;
    while (Cut && (static_cast<unsigned char>(Out[Cut]) & 0xC0) == 0x80)
      --Cut;
    Out.resize(Cut);
    Out += "...";
  }
  return Out;
}

std::string SourcePlaces::text(SourceRange Range) const {
  SourceLocation Begin = Range.getBegin(), End = Range.getEnd();
  if (Begin.isInvalid() || End.isInvalid())
    return {};
  // Both ends in one piece of a macro: the text that stands there. Else where
  // the macro is used.
  if (Begin.isMacroID() && End.isMacroID() &&
      SM.getFileID(Begin) == SM.getFileID(End)) {
    Begin = SM.getSpellingLoc(Begin);
    End = SM.getSpellingLoc(End);
  }
  if (Begin.isMacroID() || End.isMacroID() ||
      SM.getFileID(Begin) != SM.getFileID(End) ||
      SM.getFileOffset(End) < SM.getFileOffset(Begin)) {
    Begin = SM.getExpansionRange(Range).getBegin();
    End = SM.getExpansionRange(Range).getEnd();
  }
  bool Invalid = false;
  const llvm::StringRef Text = Lexer::getSourceText(
      CharSourceRange::getTokenRange(Begin, End), SM, Lang, &Invalid);
  return Invalid ? std::string() : onOneLine(Text);
}

bool SourcePlaces::isSkipped(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return true;
  return file(SM.getFileID(SM.getExpansionLoc(Loc))).Kind != FileKind::Ours;
}

bool SourcePlaces::isToolkit(SourceLocation Loc) const {
  return Loc.isValid() &&
         file(SM.getFileID(SM.getExpansionLoc(Loc))).Kind == FileKind::Toolkit;
}

bool SourcePlaces::isSilenced(SourceLocation Loc) const {
  auto [Id, Offset] = SM.getDecomposedLoc(SM.getFileLoc(Loc));
  bool Invalid = false;
  const llvm::StringRef Buffer = SM.getBufferData(Id, &Invalid);
  if (Invalid)
    return false;
  size_t LineEnd = Buffer.find('\n', Offset);
  size_t Begin = Buffer.take_front(Offset).rfind('\n');
  if (Begin != llvm::StringRef::npos)
    Begin = Buffer.take_front(Begin).rfind('\n');
  Begin = Begin == llvm::StringRef::npos ? 0 : Begin;
  llvm::StringRef Lines = Buffer.slice(Begin, LineEnd);
  for (auto [Line, Rest] = Lines.split('\n');;
       std::tie(Line, Rest) = Rest.split('\n')) {
    const size_t Comment = Line.find("//");
    if (Comment != llvm::StringRef::npos &&
        Line.substr(Comment + 2).ltrim().starts_with("kplan: ignore("))
      return true;
    if (Rest.empty())
      return false;
  }
}

std::string SourcePlaces::mainFile() const {
  return file(SM.getMainFileID()).Spelled;
}

} // namespace kplan::scan
