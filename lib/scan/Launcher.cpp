//===- Launcher.cpp -------------------------------------------------------===//

#include "scan/Launcher.h"

#include "scan/CommandLine.h"

#include <algorithm>
#include <cctype>

namespace kplan::scan {

namespace {

bool isShell(std::string_view Program) {
  std::string_view Name = fileName(Program);
  return Name == "sh" || Name == "bash" || Name == "dash" || Name == "zsh";
}

/// VAR=value, as `env`, a shell and ccache take it.
bool isAssignment(std::string_view Word) {
  size_t Equals = Word.find('=');
  if (Equals == 0 || Equals == std::string_view::npos ||
      std::isdigit(static_cast<unsigned char>(Word[0])))
    return false;
  return std::all_of(Word.begin(), Word.begin() + Equals, [](char C) {
    return C == '_' || std::isalnum(static_cast<unsigned char>(C));
  });
}

bool isCompiler(std::string_view Word) {
  return !Word.starts_with("-") && !isAssignment(Word) &&
         classifyCompiler(Word) != CompilerKind::Unknown;
}

bool callsCompiler(const std::vector<std::string> &Command) {
  return std::any_of(Command.begin(), Command.end(),
                     [](const std::string &Word) { return isCompiler(Word); });
}

/// Looks through at most this many shells in one another.
constexpr unsigned MaxShells = 8;

CompilerCall find(const std::vector<std::string> &Command, unsigned Depth) {
  CompilerCall Call;
  for (size_t At = 0; At < Command.size(); ++At) {
    const std::string &Word = Command[At];
    if (isAssignment(Word)) {
      size_t Equals = Word.find('=');
      Call.Environment[Word.substr(0, Equals)] = Word.substr(Equals + 1);
      continue;
    }
    // sh -c "line", also sh -ec "line".
    if (isShell(Word) && Depth < MaxShells && At + 2 < Command.size() &&
        Command[At + 1].starts_with("-") && Command[At + 1].ends_with("c")) {
      CompilerCall Inner =
          find(pickCompilerCommand(splitShell(Command[At + 2]), ""), Depth + 1);
      Inner.Environment.insert(Call.Environment.begin(),
                               Call.Environment.end());
      return Inner;
    }
    if (isCompiler(Word)) {
      Call.Kind = classifyCompiler(Word);
      Call.Program = Word;
      Call.Arguments.assign(Command.begin() + At + 1, Command.end());
      return Call;
    }
  }
  auto First = std::find_if_not(Command.begin(), Command.end(), isAssignment);
  if (First != Command.end()) {
    Call.Program = *First;
    Call.Arguments.assign(First + 1, Command.end());
  }
  return Call;
}

} // namespace

CompilerCall findCompilerCall(const std::vector<std::string> &Command) {
  return find(Command, 0);
}

std::vector<std::string>
pickCompilerCommand(const std::vector<std::vector<std::string>> &Commands,
                    const std::string &File) {
  const std::vector<std::string> *Best = nullptr;
  for (const std::vector<std::string> &Command : Commands) {
    if (!callsCompiler(Command))
      continue;
    bool NamesFile =
        std::find(Command.begin(), Command.end(), File) != Command.end();
    if (!Best || NamesFile)
      Best = &Command;
    if (NamesFile)
      break;
  }
  if (Best)
    return *Best;
  return Commands.empty() ? std::vector<std::string>() : Commands.front();
}

} // namespace kplan::scan
