//===- ExtraFlags.cpp - What the user adds to every command ---------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/ExtraFlags.h"

#include "scan/Paths.h"

#include <array>
#include <string_view>

namespace kplan::scan {

namespace {

struct PathFlag {
  std::string_view Spelling;
  bool MayBeJoined; ///< -Ifolder, beside -I folder.
  bool OnlyIfThere; ///< Otherwise left as it is.
};

constexpr std::array PathFlags = {
    PathFlag{"-I", true, false},           PathFlag{"-isystem", true, false},
    PathFlag{"-iquote", true, false},      PathFlag{"-idirafter", true, false},
    PathFlag{"-isysroot", true, false},    PathFlag{"-F", true, false},
    PathFlag{"-include", false, true},     PathFlag{"-imacros", false, true},
    PathFlag{"--cuda-path=", true, false},
};

std::string anchored(const PathFlag &Flag, const std::string &Path,
                     const std::string &Directory) {
  std::string Full = joinedPath(Path, Directory);
  return Flag.OnlyIfThere && !realPath(Full) ? Path : Full;
}

} // namespace

std::vector<std::string> anchorFlags(const std::vector<std::string> &Flags,
                                     const std::string &Directory) {
  std::vector<std::string> Out;
  const PathFlag *Awaiting = nullptr; // Its path is the next word.
  for (const std::string &Word : Flags) {
    if (Awaiting) {
      Out.push_back(anchored(*Awaiting, Word, Directory));
      Awaiting = nullptr;
      continue;
    }
    std::string Anchored = Word;
    for (const PathFlag &Flag : PathFlags) {
      if (!Word.starts_with(Flag.Spelling))
        continue;
      size_t Length = Flag.Spelling.size();
      if (Word.size() == Length)
        Awaiting = &Flag;
      else if (Flag.MayBeJoined)
        Anchored = Word.substr(0, Length) +
                   anchored(Flag, Word.substr(Length), Directory);
      else
        continue;
      break;
    }
    Out.push_back(std::move(Anchored));
  }
  return Out;
}

} // namespace kplan::scan
