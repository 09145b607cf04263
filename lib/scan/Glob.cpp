//===- Glob.cpp - Patterns for --include and --exclude --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Glob.h"

#include <algorithm>

namespace kplan::scan {

namespace {

unsigned char byte(char C) { return static_cast<unsigned char>(C); }

/// Reads the set behind the `[` at the start of `Pattern`. Returns its length
/// with both brackets, or 0 where there is no `]`: the bracket is a character.
size_t readSet(std::string_view Pattern, std::bitset<256> &Set) {
  size_t I = 1;
  bool Negated = I < Pattern.size() && (Pattern[I] == '!' || Pattern[I] == '^');
  I += Negated;
  // A `]` that comes first is an element.
  for (size_t First = I; I < Pattern.size(); ++I) {
    if (Pattern[I] == ']' && I != First) {
      if (Negated)
        Set.flip();
      Set.reset(byte('/'));
      return I + 1;
    }
    unsigned From = byte(Pattern[I]), To = From;
    if (I + 2 < Pattern.size() && Pattern[I + 1] == '-' &&
        Pattern[I + 2] != ']') {
      To = byte(Pattern[I + 2]);
      I += 2;
    }
    for (unsigned C = From; C <= To; ++C)
      Set.set(C);
  }
  Set.reset();
  return 0;
}

} // namespace

Glob::Glob(std::string_view Pattern) {
  while (Pattern.starts_with("./"))
    Pattern.remove_prefix(2);
  while (Pattern.ends_with('/'))
    Pattern.remove_suffix(1);
  bool AnyDepth = Pattern.find('/') == std::string_view::npos;
  if (Pattern.starts_with('/'))
    Pattern.remove_prefix(1);
  if (AnyDepth)
    Elements.push_back({Element::Folders, {}});

  bool AtName = true; // At the start of a path component.
  while (!Pattern.empty()) {
    size_t Length = 1;
    Element E{Element::One, {}};
    if (AtName && Pattern.starts_with("**/")) {
      E.K = Element::Folders;
      Length = 3;
    } else if (Pattern.starts_with("**")) {
      E.K = Element::DoubleStar;
      Length = 2;
    } else if (Pattern[0] == '*') {
      E.K = Element::Star;
    } else if (Pattern[0] == '?') {
      E.Characters.set().reset(byte('/'));
    } else if (Pattern[0] == '\\' && Pattern.size() > 1) {
      E.Characters.set(byte(Pattern[1]));
      Length = 2;
    } else {
      size_t SetLength = Pattern[0] == '[' ? readSet(Pattern, E.Characters) : 0;
      if (SetLength)
        Length = SetLength;
      else
        E.Characters.set(byte(Pattern[0]));
    }
    AtName = Pattern[Length - 1] == '/';
    Pattern.remove_prefix(Length);
    Elements.push_back(E);
  }
}

bool Glob::matches(std::string_view Path) const {
  // Reached[I]: the elements so far match the first I characters.
  std::vector<bool> Reached(Path.size() + 1), Next(Path.size() + 1);
  Reached[0] = true;
  for (const Element &E : Elements) {
    Next[0] = E.K != Element::One && Reached[0];
    bool FolderReached = Reached[0];
    for (size_t I = 1; I <= Path.size(); ++I) {
      char Last = Path[I - 1];
      switch (E.K) {
      case Element::One:
        Next[I] = Reached[I - 1] && E.Characters[byte(Last)];
        break;
      case Element::Star:
        Next[I] = Reached[I] || (Next[I - 1] && Last != '/');
        break;
      case Element::DoubleStar:
        Next[I] = Reached[I] || Next[I - 1];
        break;
      case Element::Folders: // Any number of whole names, or none.
        Next[I] = Reached[I] || (FolderReached && Last == '/');
        FolderReached = FolderReached || Reached[I];
        break;
      }
    }
    std::swap(Reached, Next);
  }
  for (size_t I = 1; I <= Path.size(); ++I)
    if (Reached[I] && (I == Path.size() || Path[I] == '/'))
      return true;
  return false;
}

bool matchesAny(const std::vector<Glob> &Globs, std::string_view Path) {
  return std::any_of(Globs.begin(), Globs.end(),
                     [&](const Glob &G) { return G.matches(Path); });
}

} // namespace kplan::scan
