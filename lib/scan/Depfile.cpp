//===- Depfile.cpp - What was read, for Make and Ninja --------------------===//
//
// Part of kplan.
//
//===----------------------------------------------------------------------===//

#include "scan/Depfile.h"

namespace kplan::scan {

/// As GCC's -MD does: `$` is doubled, `#` and spaces get a backslash, and so
/// do the backslashes before a space.
static std::string escaped(const std::string &Name) {
  std::string Out;
  for (size_t I = 0; I < Name.size(); ++I) {
    char C = Name[I];
    if (C == '$') {
      Out += '$';
    } else if (C == '#') {
      Out += '\\';
    } else if (C == ' ' || C == '\t') {
      for (size_t J = I; J > 0 && Name[J - 1] == '\\'; --J)
        Out += '\\';
      Out += '\\';
    }
    Out += C;
  }
  return Out;
}

std::string formatDepfile(const std::string &Target,
                          const std::vector<std::string> &Files) {
  std::string Out = escaped(Target) + ":";
  for (const std::string &File : Files)
    if (File.find_first_of("\r\n") == std::string::npos)
      Out += " \\\n  " + escaped(File);
  return Out + "\n";
}

} // namespace kplan::scan
