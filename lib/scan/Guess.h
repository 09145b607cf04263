//===- Guess.h - Commands where there is no database ----------------------===//
//
// Part of kplan. Invents the command that might compile a file: C++17, sm_90,
// the toolkit that CMake would find, and the include folders that the tree
// itself suggests. What was guessed is written down for the summary.
//
// Include folders: the file's own, for quotes; each `include/` on the way up to
// the root; and for each #include that leads nowhere, in the file or in what it
// includes, the folder below the root that makes it lead somewhere. Of several
// such folders the one nearest to the including file is taken; it is searched
// last, so that a header of the tree never stands in for one of the system's.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_GUESS_H
#define KPLAN_SCAN_GUESS_H

#include "scan/Command.h"
#include "scan/HostSystem.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

/// The tree that a scan of `Root` guesses from: the repository that the folder
/// lies in, else the outermost of the folders above it that a build system
/// knows, else the folder itself. Never a home folder.
std::string projectFolder(const std::string &Root,
                          const HostSystem &System = realSystem());

class Guesser {
public:
  /// \p Root and \p Files: real paths; the files are all sources and headers
  /// below the root (SourceTree.h). --cuda-path and --arch are not guessed.
  Guesser(std::string Root, const std::vector<std::string> &Files,
          const TranslateOptions &Given,
          const HostSystem &System = realSystem());

  /// \p File: a real path. Headers are taken for CUDA.
  CompileCommand guess(const std::string &File);

private:
  struct Include {
    std::string Name;
    bool Quoted;
  };

  struct FolderGuess {
    std::vector<std::string> Conventional; ///< `include/` on the way up.
    std::vector<std::string> Resolving;    ///< Make an #include lead somewhere.
  };

  FolderGuess guessFolders(const std::string &File);
  const std::vector<Include> &includesOf(const std::string &File);
  bool isSystemHeader(const std::string &Name);
  /// The tree's file that `Name` means for `Includer`; empty: none.
  std::string findInTree(const std::string &Name,
                         const std::string &Includer) const;

  std::string Root;
  bool ArchGiven;
  bool CudaGiven;
  const HostSystem &System;
  std::vector<std::string> CudaFolders;
  std::string CudaRoot;
  std::vector<std::string> SystemFolders;
  std::map<std::string, std::vector<std::string>, std::less<>> ByName;
  std::map<std::string, std::vector<Include>> Includes;
  std::map<std::string, bool> SystemHeaders;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_GUESS_H
