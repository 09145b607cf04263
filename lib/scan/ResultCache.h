//===- ResultCache.h - Results of earlier scans ---------------------------===//
//
// Part of kplan. A folder with the result of each unit, found by the unit's
// whole command and good as long as every file that was read has the same
// content. One file an entry, written whole or not at all: a scan that is
// killed has kept what it finished, and two scans may share a folder.
//
// What it cannot know: a file that was not there and would now be found first,
// such as a new header in an earlier include folder.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_RESULTCACHE_H
#define KPLAN_SCAN_RESULTCACHE_H

#include "scan/UnitMessages.h"

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <unordered_map>

namespace kplan::scan {

class ResultCache {
public:
  /// Keeps nothing, and finds nothing, where `Folder` is empty. `Program` tells
  /// one build of the scanner from another.
  explicit ResultCache(std::string Folder,
                       const std::string &Program = "/proc/self/exe");

  std::optional<UnitResult> find(const UnitRequest &Request);

  /// Not kept: a result with errors (a header that is missing now may be there
  /// next time), and one that read a file which changed since this object was
  /// made.
  void keep(const UnitRequest &Request, const UnitResult &Result);

  /// Removes what no scan has used for a month.
  void removeOld() const;

  /// Why nothing can be kept, if so.
  const std::optional<Diagnostic> &problem() const { return Problem; }

private:
  /// A file as it is on disk; without a size: not there.
  struct FileState {
    std::optional<uint64_t> Size;
    uint64_t Inode = 0;
    int64_t Modified = 0, Changed = 0; ///< Nanoseconds.
    bool sameStat(const FileState &Other) const;
    static FileState of(const std::string &Path);
  };
  using Content = std::pair<uint64_t, uint64_t>; ///< A hash of 128 bits.

  std::string Folder;
  std::string Identity;
  int64_t Started = 0;
  std::unordered_map<std::string, FileState> States;
  std::unordered_map<std::string, std::optional<Content>> Contents;
  std::optional<Diagnostic> Problem;

  std::string entryPath(const UnitRequest &Request) const;
  const FileState &state(const std::string &Path);
  const std::optional<Content> &content(const std::string &Path);
  bool isUnchanged(const std::string &Path, const FileState &Before,
                   const Content &Hash);
};

} // namespace kplan::scan

#endif // KPLAN_SCAN_RESULTCACHE_H
