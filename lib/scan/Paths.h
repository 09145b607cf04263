//===- Paths.h - Roots, identity and spelling of paths --------------------===//
//
// Part of kplan. Real paths decide identity: a file reached through a link,
// through `..` or from another working folder is one file. A plan spells files
// relative to its root, so that its bytes do not depend on where the tree
// lies.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_PATHS_H
#define KPLAN_SCAN_PATHS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kplan::scan {

/// `Path` as an absolute path without `.` and `..`; a relative one starts in
/// `Directory`. Works on the text alone: the file need not exist.
std::string absolutePath(std::string_view Path, std::string_view Directory);

/// `Path` where a relative one starts in `Directory`, as it is otherwise: what
/// `..` means after a link is left to the system.
std::string joinedPath(std::string_view Path, std::string_view Directory);

/// The current folder, absolute.
std::string currentFolder();

/// The path with every link resolved; nothing if the file is not there.
std::optional<std::string> realPath(const std::string &Path);

/// As `realPath`, for files that need not exist: links are resolved as far as
/// the path leads somewhere.
std::string weakRealPath(const std::string &Path);

/// Whether `Path` is `Folder` or lies below it. Both absolute and normal.
bool isWithin(std::string_view Path, std::string_view Folder);

/// `Path` as seen from `Folder`; nothing if it does not lie below it.
std::optional<std::string> relativeWithin(std::string_view Path,
                                          std::string_view Folder);

/// The folder of a file: "/a" for "/a/b", "/" for "/a".
std::string parentPath(std::string_view Path);

/// The deepest folder that holds all of `Folders`; empty if there are none.
std::string commonFolder(const std::vector<std::string> &Folders);

/// What the spellings of a plan start from; real paths, or empty.
struct PathRoots {
  std::string Source;
  std::string Build;
  std::string Cuda;
};

/// How a plan spells a file: relative to the root, else `<cuda>/…`, else
/// `<build>/…`, else `AsIncluded`, the way the source spelled it.
std::string spellPath(std::string_view RealPath, const PathRoots &Roots,
                      std::string_view AsIncluded);

/// CMAKE_HOME_DIRECTORY in the CMakeCache.txt of a build folder, if any.
std::optional<std::string> cmakeSourceFolder(const std::string &BuildFolder);

} // namespace kplan::scan

#endif // KPLAN_SCAN_PATHS_H
