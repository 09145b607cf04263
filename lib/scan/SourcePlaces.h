//===- SourcePlaces.h - Positions, source text and kinds of files ---------===//
//
// Part of kplan. Everything that looks at where code stands: the position that
// a plan shows, the text of an expression, whether a file's functions are
// looked at at all, and whether the source silences a site.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_SOURCEPLACES_H
#define KPLAN_SCAN_SOURCEPLACES_H

#include "plan/Plan.h"
#include "scan/Paths.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace clang {
class LangOptions;
} // namespace clang

namespace kplan::scan {

class SourcePlaces {
public:
  SourcePlaces(const clang::SourceManager &SM, const clang::LangOptions &Lang,
               PathRoots Roots)
      : SM(SM), Lang(Lang), Roots(std::move(Roots)) {}

  /// How an #include spelled a file, by the file's real path.
  llvm::StringMap<std::string> Spellings;

  /// Where a person would point: in the file, not in a macro's body.
  SourcePosition position(clang::SourceLocation Loc) const;

  /// The text as written, on one line and shortened; in a macro's body, the
  /// body's text where the range lies within it.
  std::string text(clang::SourceRange Range) const;

  /// What the compiler, the C and C++ library and the CUDA toolkit bring along
  /// is not looked at. CCCL is: its kernels end up in the program's image.
  bool isSkipped(clang::SourceLocation Loc) const;

  /// In a header of the CUDA toolkit other than CCCL.
  bool isToolkit(clang::SourceLocation Loc) const;

  /// `// kplan: ignore(reason)` on the line or on the one before.
  bool isSilenced(clang::SourceLocation Loc) const;

  /// How a plan spells the main file.
  std::string mainFile() const;

private:
  enum class FileKind { Ours, Library, Toolkit };
  struct FileInfo {
    FileKind Kind = FileKind::Ours;
    std::string Spelled;
  };

  const clang::SourceManager &SM;
  const clang::LangOptions &Lang;
  PathRoots Roots;
  mutable llvm::DenseMap<clang::FileID, FileInfo> Files;

  const FileInfo &file(clang::FileID Id) const;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_SOURCEPLACES_H
