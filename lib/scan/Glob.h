//===- Glob.h - Patterns for --include and --exclude ----------------------===//
//
// Part of kplan. The rules of .gitignore, without its negation: `*` and `?`
// stop at a slash, `**` does not, `[a-z]` and `[!a-z]` are sets, a backslash
// takes the next character as it is. A pattern without a slash (but for a
// trailing one) is compared with names at any depth, one with a slash with the
// whole path. A pattern that matches a folder matches all in it.
//
//===----------------------------------------------------------------------===//

#ifndef KPLAN_SCAN_GLOB_H
#define KPLAN_SCAN_GLOB_H

#include <bitset>
#include <string_view>
#include <vector>

namespace kplan::scan {

class Glob {
public:
  explicit Glob(std::string_view Pattern);

  /// `Path` is relative, with single slashes. Takes time proportional to the
  /// lengths of path and pattern multiplied, whatever the pattern.
  bool matches(std::string_view Path) const;

private:
  struct Element {
    enum Kind { One, Star, DoubleStar, Folders } K;
    std::bitset<256> Characters; ///< Of One.
  };

  std::vector<Element> Elements;
};

bool matchesAny(const std::vector<Glob> &Globs, std::string_view Path);

} // namespace kplan::scan

#endif // KPLAN_SCAN_GLOB_H
