//===- CudaText.h - A quick look at a source file -------------------------===//
//
// Part of kplan. Decides, without a parser, which files are worth parsing: a
// TU that reaches CUDA's headers through its #includes, a header that holds
// kernels or launches. Includes in every branch of an #if count, those through
// a macro do not. A wrong yes costs a second of parsing, a wrong no costs
// sites: where in doubt, the answer is yes.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_CUDATEXT_H
#define KPLAN_SCAN_CUDATEXT_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kplan::scan {

struct IncludeText {
  std::string Name;
  bool Quoted = false; ///< "name", not <name>.
};

struct SourceLook {
  std::vector<IncludeText> Includes;
  /// A kernel, a launch, or a name of the APIs that sites are made of, outside
  /// of comments, literals and preprocessor lines.
  bool HasCudaCode = false;
};

SourceLook lookAtSource(std::string_view Text);

/// Whether `Name`, as an #include spells it, belongs to CUDA by name alone.
bool isCudaHeaderName(std::string_view Name);

/// The folders that a command searches for includes.
struct SearchFolders {
  std::vector<std::string> Quoted; ///< For "name" only.
  std::vector<std::string> All;    ///< Absolute, in order.
  std::vector<std::string> Forced; ///< Files included by -include.
  auto operator<=>(const SearchFolders &) const = default;
};

/// Of a clang command: -I, -iquote, -isystem, -idirafter, -include.
SearchFolders searchFolders(const std::vector<std::string> &Arguments,
                            const std::string &Directory);

/// Follows #includes from file to file, reading each file once.
class IncludeGraph {
public:
  /// Whether the file, or what it includes, includes a header of CUDA.
  bool reachesCuda(const std::string &RealPath, const SearchFolders &Folders);

  /// Whether the file itself holds kernels, launches or calls of CUDA's APIs.
  bool hasCudaCode(const std::string &RealPath);

  /// The real paths of the files that the file includes itself.
  std::vector<std::string> includedFiles(const std::string &RealPath,
                                         const SearchFolders &Folders);

private:
  const SourceLook &look(const std::string &RealPath);
  /// The file that an #include leads to, as the search spells it; empty: none.
  std::string find(const IncludeText &Include, const std::string &Includer,
                   const SearchFolders &Folders) const;
  bool isToolkitFolder(const std::string &Folder);
  bool isToolkitHeader(const std::string &Path, std::string_view Name);

  std::map<std::string, SourceLook> Looks;
  std::map<std::string, bool> ToolkitFolders;
  /// Files known to reach CUDA, or known not to, by the folders searched.
  std::map<SearchFolders, std::map<std::string, bool>> Known;
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_CUDATEXT_H
